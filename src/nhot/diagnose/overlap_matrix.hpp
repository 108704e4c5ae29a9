// Centred overlaps of states: all that the comparison of chains needs to know of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nhot/base/packed_bits.hpp"

namespace nhot {

/// For states x_1 .. x_R with mean m: c(s, t) = (x_s - m) . (x_t - m), from counts of common ones.
/// Over two lists of states, the sum of c(s, t) is the inner product of their sums of x - m, and
/// that of c(s, t)^2 the inner product of their sums of (x - m)(x - m)'.
///
/// Costs R^2 / 2 passes over packed bits. Independent of the reference of the bits.
class OverlapMatrix {
 public:
  explicit OverlapMatrix(std::span<const PackedBits* const> states);

  std::size_t size() const { return size_; }
  float operator()(std::size_t s, std::size_t t) const { return values_[s * size_ + t]; }

 private:
  std::size_t size_;
  std::vector<float> values_;
};

}  // namespace nhot
