// The move of {move}: named, or found by a search that the user can watch and stop.
#pragma once

#include "nhot/result/auto_move.hpp"
#include "problem.hpp"
#include "progress.hpp"

namespace nhot::app {

/// Hooks that move the bar and end a search after an interrupt. They refer to the bar.
TuningHooks hooks_of_search(ProgressBar& bar);

/// Of law_options(); `run` says how long the run is that the search is for. An InterruptGuard must
/// be alive.
ChosenMove move_from(const OptionValues& values, const Problem& problem, double beta,
                     const RunPlan& run);

}  // namespace nhot::app
