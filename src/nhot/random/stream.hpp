// Independent random streams by hashing: (seed, run, chain, purpose) -> generator state.
#pragma once

#include <cstdint>

#include "nhot/random/xoshiro.hpp"

namespace nhot {

/// What a stream is used for. Values are part of the reproducibility promise: never renumber.
enum class Purpose : std::uint64_t {
  start = 1,      // the start state
  moves = 2,      // proposals and acceptance
  generator = 3,  // couplings of generated models
  exchange = 4,   // replica exchange
  resample = 5,   // population methods
  tune = 6,
  test = 7,
  cluster_exchange = 8,  // isocluster exchange between replicas
  pairs = 9,             // sites tried by a block of replicas
  coins = 10,         // acceptance in a block of replicas; `run` numbers the streams of the block
  arrangements = 11,  // permutations and simulated null distributions of diagnostics
};

/// Hashes all four parts into 256 bits of state, so that no arithmetic relation between seeds or
/// chain numbers makes two streams collide.
Xoshiro256 make_stream(std::uint64_t seed, std::uint64_t run, std::uint64_t chain, Purpose purpose);

}  // namespace nhot
