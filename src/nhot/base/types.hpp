// Plain types that every room uses.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace nhot {

/// Index of a binary variable. A model has at most 2^32 - 2 sites.
using Site = std::uint32_t;

/// One binary variable: 0 or 1.
using Bit = std::uint8_t;

/// A configuration, one byte per site.
using Bits = std::vector<Bit>;

/// Marks an unknown number.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace nhot
