// Loops for machines with AVX2.
#include <cstring>
#include <type_traits>

#include "nhot/base/inline.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/random/draws.hpp"

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif

namespace nhot {
namespace {
using Native = std::uint64_t __attribute__((vector_size(32)));
#include "nhot/chain/replicas/loop.inl"
}  // namespace
}  // namespace nhot

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace nhot {

const ReplicaLoops& avx2_replica_loops() {
  static const ReplicaLoops loops = {SimdPath::avx2,
                                     [] {
                                       return __builtin_cpu_supports("avx2") != 0 &&
                                              __builtin_cpu_supports("bmi") != 0 &&
                                              __builtin_cpu_supports("bmi2") != 0;
                                     },
                                     advance_replicas, count_pairs};
  return loops;
}

}  // namespace nhot

#else

namespace nhot {

const ReplicaLoops& avx2_replica_loops() {
  static const ReplicaLoops loops = {SimdPath::avx2, [] { return false; }, nullptr, nullptr};
  return loops;
}

}  // namespace nhot

#endif
