// The weight of one site of engine `dense`: the operations of the vector code on a scalar. What
// includes this is built without contraction of a * b + c (fused multiply-add), on which the
// equality of the paths rests.
#pragma once

#include <bit>
#include <cstdint>

#include "nhot/engine/dense/pass.hpp"

namespace nhot::dense {

/// 2^(z-1) = c0 + c1 z + c2 z^2 + c3 z^3 on [1, 2) to 7.5e-5 relative: the minimax polynomial of
/// its degree, rounded to floats.
inline constexpr float c0 = 0x1.cefc4cp-2F;
inline constexpr float c1 = 0x1.e93d46p-2F;
inline constexpr float c2 = -0x1.065aa8p-7F;
inline constexpr float c3 = 0x1.3f96a4p-4F;
// y is in fixed point with 23 fraction bits: the integer part is the exponent of 2^y, the fraction
// the mantissa of a float z in [1, 2).
inline constexpr std::uint32_t digits = 0x007fffff;
inline constexpr std::uint32_t one = 0x3f800000;  // the bits of 1.0F

/// The range of y in fixed point.
template <Bias bias>
inline constexpr float most = bias == Bias::min ? 0.0F : largest_power* point;
inline constexpr float least = -largest_power * point;

/// The side on which y is minus the field, where the formula is direct: y grows with dE for
/// logistic weights, and falls with it for others.
template <Bias bias>
inline constexpr unsigned negated_side = bias == Bias::logistic ? 1 : 0;

/// The operations of the vector code on a scalar.
template <Bias bias>
inline std::int32_t plain_scaled(float y) {
  y = y > least ? y : least;
  y = y < most<bias> ? y : most<bias>;
  return static_cast<std::int32_t>(y);
}

template <Bias bias>
inline float plain_weight(std::int32_t y) {
  const auto fixed = static_cast<std::uint32_t>(y);
  const auto z = std::bit_cast<float>((fixed & digits) | one);
  const float p = ((c3 * z + c2) * z + c1) * z + c0;
  const auto power = std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + (fixed & ~digits));
  return bias == Bias::logistic ? 1.0F / (power + 1.0F) : power;
}

/// Minus v where the mask is all ones.
inline std::int32_t negated(std::int32_t v, SideMask mask) {
  const auto sign = static_cast<std::int32_t>(mask);
  return (v ^ sign) - sign;
}

inline float masked(float w, SideMask mask) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(w) & mask);
}

}  // namespace nhot::dense
