// A tempering run inside another driver, with its draws in that driver's store.
#pragma once

#include "nhot/run/state_store.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

/// run_tempering(), which goes on from what the store holds under "tempering", and keeps it there:
/// ladders and draws, about once a second. The plan says how long the run is as a whole. A null
/// store keeps nothing.
TemperingResult run_stored_tempering(const ChainFactory& factory, TemperingPlan plan,
                                     TemperingHooks hooks, StateStore* store);

}  // namespace nhot
