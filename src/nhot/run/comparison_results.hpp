// What a comparison leaves of a contestant.
#pragma once

#include <vector>

#include "nhot/run/comparison.hpp"
#include "nhot/run/lane.hpp"

namespace nhot {

/// The chains of all lanes, cut to the same number of draws, in warm-up and sampling. The recorders
/// are brought in step for that. `threads`: that the lanes were run on.
ContestantResult collect_results(const Contestant& contestant, std::vector<Lane>& lanes,
                                 const Observables& observables, double warmup,
                                 std::size_t threads);

}  // namespace nhot
