// Compiled once per SIMD path: Highway includes this file again for each.
#include "dense_bare_row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "dense_bare_row.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace nhot::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void add(float* HWY_RESTRICT field, const float* HWY_RESTRICT row, std::size_t size) {
  const hn::ScalableTag<float> d;
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= size; j += hn::Lanes(d))
    hn::Store(hn::Add(hn::Load(d, field + j), hn::Load(d, row + j)), d, field + j);
  for (; j < size; ++j) field[j] += row[j];
}

}  // namespace nhot::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nhot::bench {

BareRow bare_row(SimdPath path) {
  require_simd_path(path);
#if HWY_TARGETS & HWY_AVX3
  if (path == SimdPath::avx512) return N_AVX3::add;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (path == SimdPath::avx2) return N_AVX2::add;
#endif
  return HWY_STATIC_DISPATCH(add);
}

}  // namespace nhot::bench
#endif
