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

template <bool subtract, class Element>
void add(double* HWY_RESTRICT fields, const Element* HWY_RESTRICT row, std::size_t size) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<Element, decltype(d)> d_row;
  const std::size_t lanes = hn::Lanes(d);
  const auto combine = [](auto field, auto change) HWY_ATTR {
    if constexpr (subtract)
      return hn::Sub(field, change);
    else
      return hn::Add(field, change);
  };
  const auto widened = [&](std::size_t j) HWY_ATTR {
    if constexpr (sizeof(Element) == sizeof(double))
      return hn::LoadU(d, row + j);
    else
      return hn::PromoteTo(d, hn::LoadU(d_row, row + j));
  };
  std::size_t j = 0;
  for (; j + lanes <= size; j += lanes)
    hn::StoreU(combine(hn::LoadU(d, fields + j), widened(j)), d, fields + j);
  for (; j < size; ++j) {
    if constexpr (subtract)
      fields[j] -= static_cast<double>(row[j]);
    else
      fields[j] += static_cast<double>(row[j]);
  }
}

template <class Element>
void add_row(double* fields, const Element* row, std::size_t size, bool subtract) {
  if (subtract)
    add<true>(fields, row, size);
  else
    add<false>(fields, row, size);
}

RowAdders adders() { return {add_row<float>, add_row<double>}; }

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
