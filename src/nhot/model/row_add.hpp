// Sums of signed rows added to fields, on the SIMD path in use. Every addition rounds by itself and
// in the order of the rows, so that all paths agree to the bit, for any number of rows at once.
#pragma once

#include <cstddef>
#include <span>

#include "nhot/base/simd_path.hpp"

namespace nhot {

template <class Element>
struct SignedRow {
  const Element* row;
  double sign;  // 1 or -1
};

/// fields[j] += sign * row[j] for j < size, one row after the other. No alignment is needed.
struct RowAdders {
  void (*narrow)(double* fields, std::span<const SignedRow<float>> rows, std::size_t size);
  void (*wide)(double* fields, std::span<const SignedRow<double>> rows, std::size_t size);
};

/// InputError when the path is not there.
RowAdders row_adders(SimdPath path);

}  // namespace nhot
