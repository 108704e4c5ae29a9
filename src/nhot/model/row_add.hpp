// Rows of a matrix added to fields, on the SIMD path in use. Every addition is rounded on its own,
// in the order of the rows, so that all paths agree to the bit, for any number of rows at once.
#pragma once

#include <cstddef>
#include <span>

#include "nhot/base/simd_path.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// A site's index in its run, which is also the index of its row in the matrix.
struct SignedPlace {
  Site place;
  double sign;  // 1 or -1
};

template <class Element>
struct RowMatrix {
  const Element* elements;
  std::size_t stride;   // from row to row
  std::size_t columns;  // without padding

  const Element* row(const SignedPlace& at) const { return elements + at.place * stride; }
};

/// fields[j] += sign * row[j] for every column j, one row after the other. No alignment is needed.
struct RowAdders {
  void (*narrow)(double* fields, const RowMatrix<float>&, std::span<const SignedPlace> rows);
  void (*wide)(double* fields, const RowMatrix<double>&, std::span<const SignedPlace> rows);
};

/// InputError when this processor or build lacks the path.
RowAdders row_adders(SimdPath path);

}  // namespace nhot
