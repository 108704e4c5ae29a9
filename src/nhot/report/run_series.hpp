// A stored run as the data that its page draws.
#pragma once

#include <string>

#include "nhot/io/run_reader.hpp"
#include "nhot/report/json.hpp"

namespace nhot {

/// `facts` is the run as `nhot diagnose --json` tells it. Traces are cut down to a few hundred
/// points that keep the extremes, states to what a page can carry.
Json run_series(const StoredRun& run, const Json& facts);

}  // namespace nhot
