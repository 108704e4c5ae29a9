// The search for the best move, watched by Python: before a run, or as a driver of its own.
#pragma once

#include "nhot/base/options.hpp"
#include "nhot/result/auto_move.hpp"
#include "watch.hpp"

namespace nhot::python {

/// The move of law_options(): named, or found by a search. `run` says how long the run is that it
/// is for, and what is followed. Within watch.run().
ChosenMove chosen_move(const Model& model, const Shell& shell, double beta,
                       const OptionValues& values, const RunPlan& run, Watch& watch);

}  // namespace nhot::python
