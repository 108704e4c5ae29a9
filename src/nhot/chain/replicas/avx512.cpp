// Loops for machines with AVX-512.
#include <cstring>
#include <type_traits>

#include "nhot/base/inline.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/random/draws.hpp"

#if defined(__x86_64__)

#if defined(__clang__)
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512vl,avx512dq,avx512bw,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512dq,avx512bw,bmi,bmi2")
#endif

namespace nhot {
namespace {
using Native = std::uint64_t __attribute__((vector_size(64)));
#include "nhot/chain/replicas/loop.inl"
}  // namespace
}  // namespace nhot

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace nhot {

const ReplicaLoops& avx512_replica_loops() {
  static const ReplicaLoops loops = {
      SimdPath::avx512,
      [] {
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
               __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
               __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
      },
      advance_replicas, count_pairs};
  return loops;
}

}  // namespace nhot

#else

namespace nhot {

const ReplicaLoops& avx512_replica_loops() {
  static const ReplicaLoops loops = {SimdPath::avx512, [] { return false; }, nullptr, nullptr};
  return loops;
}

}  // namespace nhot

#endif
