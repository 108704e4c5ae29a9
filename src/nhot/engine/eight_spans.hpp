// Eight weights as consecutive spans of [0, sum): their sum, and the span that a target falls into.
#pragma once

#include <cstddef>
#include <limits>

#include "nhot/base/inline.hpp"

namespace nhot {

inline constexpr std::size_t eight = 8;

NHOT_ALWAYS_INLINE double sum_of_eight(const double* v) {
  return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/// Where rounding has led to a span of length zero: the nearest nonempty one before it, or else
/// after it.
[[gnu::noinline]] inline std::size_t nearest_nonzero_span(const double* v, std::size_t span,
                                                          double& target) {
  std::size_t found = span;
  while (found > 0 && !(v[found] > 0)) --found;
  if (v[found] > 0) {
    target = std::numeric_limits<double>::infinity();  // its end, at every level below
    return found;
  }
  found = span;
  while (found + 1 < eight && !(v[found] > 0)) ++found;
  target = 0;
  return found;
}

/// The span that the target falls into, without a branch on it; `target` becomes the offset within
/// the span. Never a span of length zero while there is another.
NHOT_ALWAYS_INLINE std::size_t find_in_eight(const double* v, double& target) {
  const double two = v[0] + v[1];
  const double four = two + (v[2] + v[3]);
  const double six = four + (v[4] + v[5]);
  const double below[eight] = {0, v[0], two, two + v[2], four, four + v[4], six, six + v[6]};
  std::size_t span = 0;
  for (std::size_t k = 1; k < eight; ++k) span += target >= below[k];
  if (v[span] > 0) [[likely]] {
    target -= below[span];
    return span;
  }
  return nearest_nonzero_span(v, span, target);
}

}  // namespace nhot
