// The loops of a block of replicas, compiled once per SIMD path: Highway includes this file again
// for each.
#include <cstring>
#include <type_traits>

#include "nhot/base/inline.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/random/draws.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nhot/chain/replicas/loops.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wpsabi"  // no function that passes a vector is called from elsewhere
#endif

HWY_BEFORE_NAMESPACE();
namespace nhot::HWY_NAMESPACE {
namespace {

/// What the path calculates with at once. The compiler's own vectors: operators on whole words are
/// all the loops need.
using Native = std::uint64_t __attribute__((vector_size(HWY_TARGET == HWY_AVX3   ? 64
                                                        : HWY_TARGET == HWY_AVX2 ? 32
                                                                                 : 16)));
#include "nhot/chain/replicas/loop.inl"

}  // namespace

void advance(ReplicaData& data, std::uint64_t moves) { advance_replicas(data, moves); }
void count(const ReplicaData& data, const std::array<Site, 2>* pairs, std::size_t number,
           SlicedCounts& counts) {
  count_pairs(data, pairs, number, counts);
}

}  // namespace nhot::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace nhot {

ReplicaLoops replica_loops(SimdPath path) {
  require_simd_path(path);
#if HWY_TARGETS & HWY_AVX3
  if (path == SimdPath::avx512) return {path, N_AVX3::advance, N_AVX3::count};
#endif
#if HWY_TARGETS & HWY_AVX2
  if (path == SimdPath::avx2) return {path, N_AVX2::advance, N_AVX2::count};
#endif
  return {SimdPath::portable, HWY_STATIC_DISPATCH(advance), HWY_STATIC_DISPATCH(count)};
}

}  // namespace nhot
#endif
