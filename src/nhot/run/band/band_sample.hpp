// Draws from a band of shells, every n about equally often: chains over the band whose weights were
// learned and then frozen.
#pragma once

#include "nhot/run/band/band_team.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {

struct BandRun {
  RunResult run;
  BandWeights weights;             // frozen
  std::vector<BandTally> tallies;  // by chain, under the frozen weights
  double round_trips = 0;  // from one end of the band to the other and back, over all chains
};

/// Draws whose n is a given one follow pi_n. Of the plan it takes chains, threads, seed, moves or
/// seconds, warm-up (in which the weights are learned; a quarter of the moves or a fifth of the
/// seconds when not given), thin, max_draws, states and observables, to which it adds "distance";
/// InputError where it asks for more. A move is one flip.
BandRun run_band(const BandFactory& factory, const RunPlan& plan, const RunHooks& hooks = {});

}  // namespace nhot
