// log Z_n for every n of a band, from one run: chains over the band, with weights that are learned
// and then frozen.
//
//     const BandFactory chains(model, Bits(64, 0), {0, 64}, 0.44);
//     ProfilePlan plan;
//     plan.seconds = 10;
//     const ProfileResult profile = estimate_profile(chains, plan);
//     profile.estimate.at(32).value;    // log Z_32
#pragma once

#include <string>
#include <vector>

#include "nhot/run/band/band_plan.hpp"
#include "nhot/run/band/learning.hpp"
#include "nhot/run/band/ratios.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {

struct ProfileResult {
  BandEstimate estimate;
  KnownEnds ends;              // what log Z is anchored by
  bool relative = false;       // to the first shell, where log Z counts as 0
  std::vector<double> visits;  // share of the moves by shell
  std::uint64_t moves = 0;     // per chain, with frozen weights; of the longest chain
  std::uint64_t warmup = 0;    // per chain, while the weights were learned
  double acceptance = 0;
  double round_trips = 0;  // over all chains
  double seconds = 0;      // wall clock
  double cpu_seconds = 0;  // with frozen weights, over all chains
  bool interrupted = false;
  std::vector<std::string> notes;
};

/// log Z of the ends that are known: a shell of one state, n = 0 or M, and every shell at beta = 0.
KnownEnds known_ends(const BandFactory& factory);

/// InputError for fewer than three chains: two leave no error bar beside the control variate. When
/// weights are frozen the chains go on, so that their first moves under them are near equilibrium.
ProfileResult estimate_profile(const BandFactory& factory, const ProfilePlan& plan,
                               const RunHooks& hooks = {});

}  // namespace nhot
