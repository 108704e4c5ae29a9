// A second witness for a run of chains: independent populations, cooled from beta = 0.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/diagnose/witness_comparison.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {

struct WitnessPlan {
  std::uint64_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;
  std::size_t populations = 16;
  std::size_t least_members = 16;  // of a population
  std::size_t most_members = 256;
  double share = 0.9;       // conditional ESS / size that a step in temperature keeps
  double steps = 2e8;       // of all members together, to aim for
  std::uint64_t rest = 16;  // sweeps at the last temperature
};

/// The cooled populations; none where the run was stopped. They share the move of the chains (plain
/// swap for engine bits) and nothing else: population p draws from the streams
/// (seed, 2^20 + 1 + p, member, ...). Members are as many as `steps` allows, at about a sweep per
/// temperature. Results do not depend on the number of threads.
std::vector<WitnessPopulation> run_witness(const ChainFactory& factory, const WitnessPlan& plan,
                                           const RunHooks& hooks = {});

}  // namespace nhot
