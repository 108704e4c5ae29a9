// fields +- row, on the SIMD path in use. One rounding per element, so all paths agree to the bit.
#pragma once

#include <cstddef>

#include "nhot/base/simd_path.hpp"

namespace nhot {

/// fields[j] += row[j], or -= where `subtract`, for j < size. No alignment is needed.
struct RowAdders {
  void (*narrow)(double* fields, const float* row, std::size_t size, bool subtract);
  void (*wide)(double* fields, const double* row, std::size_t size, bool subtract);
};

/// InputError when the path is not there.
RowAdders row_adders(SimdPath path);

}  // namespace nhot
