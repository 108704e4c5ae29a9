// Compiled once per SIMD path: Highway includes this file again for each.
#include "nhot/model/row_add.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nhot/model/row_add.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nhot::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

/// On the scalar target the remainder loops do all the work: compilers optimize them better.
constexpr bool has_vectors = HWY_TARGET != HWY_SCALAR;

/// Elements of a row as doubles.
template <class Element>
HWY_INLINE hn::Vec<Doubles> vector_at(const Element* row) {
  if constexpr (sizeof(Element) == sizeof(double))
    return hn::LoadU(Doubles(), row);
  else
    return hn::PromoteTo(Doubles(), hn::LoadU(hn::Rebind<Element, Doubles>(), row));
}

template <bool subtract, class Element>
void add_one(double* HWY_RESTRICT fields, const Element* HWY_RESTRICT row, std::size_t size) {
  const Doubles d;
  std::size_t j = 0;
  for (; has_vectors && j + hn::Lanes(d) <= size; j += hn::Lanes(d)) {
    const auto field = hn::LoadU(d, fields + j);
    const auto change = vector_at(row + j);
    hn::StoreU(subtract ? hn::Sub(field, change) : hn::Add(field, change), d, fields + j);
  }
  for (; j < size; ++j) {
    const auto change = static_cast<double>(row[j]);
    fields[j] += subtract ? -change : change;
  }
}

/// Loads and stores each field once for four rows.
template <class Element>
void add_four(double* HWY_RESTRICT fields, const RowMatrix<Element>& matrix,
              const SignedPlace* rows) {
  const Doubles d;
  const Element* row0 = matrix.row(rows[0]);
  const Element* row1 = matrix.row(rows[1]);
  const Element* row2 = matrix.row(rows[2]);
  const Element* row3 = matrix.row(rows[3]);
  const double sign0 = rows[0].sign;
  const double sign1 = rows[1].sign;
  const double sign2 = rows[2].sign;
  const double sign3 = rows[3].sign;
  const auto signs0 = hn::Set(d, sign0);
  const auto signs1 = hn::Set(d, sign1);
  const auto signs2 = hn::Set(d, sign2);
  const auto signs3 = hn::Set(d, sign3);
  const std::size_t size = matrix.columns;
  std::size_t j = 0;
  // Products with +-1 are exact, so a fused multiply-add rounds like a product and a sum.
  for (; has_vectors && j + hn::Lanes(d) <= size; j += hn::Lanes(d)) {
    auto field = hn::LoadU(d, fields + j);
    field = hn::MulAdd(vector_at(row0 + j), signs0, field);
    field = hn::MulAdd(vector_at(row1 + j), signs1, field);
    field = hn::MulAdd(vector_at(row2 + j), signs2, field);
    field = hn::MulAdd(vector_at(row3 + j), signs3, field);
    hn::StoreU(field, d, fields + j);
  }
  for (; j < size; ++j) {
    double field = fields[j];
    field += sign0 * static_cast<double>(row0[j]);
    field += sign1 * static_cast<double>(row1[j]);
    field += sign2 * static_cast<double>(row2[j]);
    field += sign3 * static_cast<double>(row3[j]);
    fields[j] = field;
  }
}

template <class Element>
void add_rows(double* fields, const RowMatrix<Element>& matrix, std::span<const SignedPlace> rows) {
  std::size_t k = 0;
  for (; k + 4 <= rows.size(); k += 4) add_four(fields, matrix, rows.data() + k);
  for (; k < rows.size(); ++k) {
    if (rows[k].sign < 0)
      add_one<true>(fields, matrix.row(rows[k]), matrix.columns);
    else
      add_one<false>(fields, matrix.row(rows[k]), matrix.columns);
  }
}

RowAdders adders() { return {add_rows<float>, add_rows<double>}; }

}  // namespace nhot::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nhot {

RowAdders row_adders(SimdPath path) {
  require_simd_path(path);
#if HWY_TARGETS & HWY_AVX3
  if (path == SimdPath::avx512) return N_AVX3::adders();
#endif
#if HWY_TARGETS & HWY_AVX2
  if (path == SimdPath::avx2) return N_AVX2::adders();
#endif
  return HWY_STATIC_DISPATCH(adders)();
}

}  // namespace nhot
#endif
