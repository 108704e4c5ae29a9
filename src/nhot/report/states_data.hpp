// What the section on states of a page draws.
#pragma once

#include <string>
#include <vector>

#include "nhot/io/run/run_reader.hpp"
#include "nhot/report/json.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {

/// What the sites look like, with the filters of an RBM: a lattice, two layers, a graph with places
/// for its vertices, or, of any other model, sites in reading order; null when there are too many.
Json picture_layout(const RunFacts& facts);
Json picture_layout(const Model& model);

/// States of a run, thinned to what a page can carry; the best draw; how often each site is 1.
/// {"layout", "moves", "chains": [[state]], "best", "means": one byte per site}, or null.
Json run_picture(const StoredRun& run, const RunReport& report);

/// States in their order, of pages that have no chains: {"layout", "labels", "states"}, or null.
Json states_picture(const Model& model, const std::vector<FoundState>& states);

/// One byte per site: 0 never, 255 always.
std::string packed_means(const std::vector<double>& means);

}  // namespace nhot
