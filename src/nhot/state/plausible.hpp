// Whether a restored configuration is consistent.
#pragma once

#include <algorithm>
#include <cmath>

#include "nhot/state/configuration.hpp"

namespace nhot {

/// Fields that are sums of couplings are exact. Those of code may carry its rounding: a difference
/// of two large energies rounds differently with the bits of distant sites.
template <class Kernel, class Fields>
bool same_fields(const Fields& a, const Fields& b) {
  if constexpr (is_pairwise<Kernel>) {
    return a == b;
  } else {
    if (a.size() != b.size()) return false;
    double largest = 0;
    for (const double field : a) largest = std::max(largest, std::abs(field));
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!(std::abs(a[i] - b[i]) <= 1e-6 * largest)) return false;
    return true;
  }
}

/// True when the bits lie on the shell and the fields are those of the bits.
template <class Kernel>
bool plausible(const Configuration<Kernel>& c) {
  for (const Bit bit : c.u)
    if (bit > 1) return false;
  if (!c.shell->contains(c.shell->relative(c.u))) return false;
  typename FieldsOf<Kernel>::type fields;
  c.kernel->compute_fields(c.u, fields);
  return same_fields<Kernel>(fields, c.fields);
}

}  // namespace nhot
