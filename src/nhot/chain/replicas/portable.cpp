// Loops for any machine.
#include <cstring>
#include <type_traits>

#include "nhot/base/inline.hpp"
#include "nhot/chain/replicas/data.hpp"
#include "nhot/random/draws.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace nhot {
namespace {
using Native = std::uint64_t __attribute__((vector_size(16)));
#include "nhot/chain/replicas/loop.inl"
}  // namespace

const ReplicaLoops& portable_replica_loops() {
  static const ReplicaLoops loops = {SimdPath::portable, [] { return true; }, advance_replicas,
                                     count_pairs};
  return loops;
}

}  // namespace nhot
