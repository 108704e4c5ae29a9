// What the command line puts into a run file besides the draws, and reads back from it.
#pragma once

#include "command.hpp"
#include "nhot/io/run_contents.hpp"
#include "nhot/io/run_reader.hpp"
#include "nhot/trace/trace.hpp"
#include "sample_report.hpp"

namespace nhot::app {

/// The options of a run with their values, and what was resolved from them.
Metadata attributes_of(const Invocation& invocation, const ChainFactory& factory);

/// What is known when the run has ended.
Metadata results_of(const RunReport& report);

/// The record of a stored run. What an unfinished run does not have, such as times, is zero.
RunRecord record_from(const StoredRun& run);

}  // namespace nhot::app
