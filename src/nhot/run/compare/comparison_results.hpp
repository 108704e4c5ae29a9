// What a comparison leaves of a contestant.
#pragma once

#include <vector>

#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/compare/thread_chains.hpp"

namespace nhot {

/// The chains of all teams, cut to the same number of draws, in warm-up and sampling. The recorders
/// are brought in step for that. `threads`: that the teams were run on.
ContestantResult collect_results(const Contestant& contestant, std::vector<ThreadChains>& teams,
                                 const Observables& observables, double warmup,
                                 std::size_t threads);

}  // namespace nhot
