// What the command line puts into a run file besides the draws.
#pragma once

#include "command.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot::app {

/// The options of a run with their values, and what was resolved from them.
Metadata attributes_of(const Invocation& invocation, const ChainFactory& factory);

}  // namespace nhot::app
