// A stored run as the data that its page draws.
#pragma once

#include <string>

#include "nhot/io/run/run_reader.hpp"
#include "nhot/report/json.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {

/// The facts of the report, and what the figures need. Traces are cut down to a few hundred
/// points that keep the extremes, states to what a page can carry.
Json run_series(const StoredRun& run, const RunReport& report);

}  // namespace nhot
