// The yardstick of the dense engine: field[j] += row[j] on floats, and nothing else.
#pragma once

#include <cstddef>

#include "nhot/base/simd_path.hpp"

namespace nhot::bench {

using BareRow = void (*)(float* field, const float* row, std::size_t size);

/// The loop with the vectors of a path.
BareRow bare_row(SimdPath path);

}  // namespace nhot::bench
