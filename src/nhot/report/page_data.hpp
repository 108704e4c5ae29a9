// What the pages draw: a few facts around the series of runs and comparisons.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nhot/report/json.hpp"
#include "nhot/result/compare.hpp"
#include "nhot/result/reproduce.hpp"
#include "nhot/result/scan.hpp"
#include "nhot/run/reproduce/reproduction.hpp"

namespace nhot {

/// How the front door was called.
struct PageOrigin {
  std::string command;                                       // that does it again
  std::vector<std::pair<std::string, std::string>> options;  // with their values
};

/// What every page begins with; and the call that made it.
Json begin_page(const char* kind, const std::string& title);
void add_origin(Json& page, const PageOrigin& origin);

/// The page of a comparison.
Json comparison_page(const PageOrigin& origin, const Model& model, const CompareResult& result);

/// The page of a reproduction, and what results.json holds; experiments are added as they end.
Json reproduction_page(const PageOrigin& origin, const std::string& made_by,
                       const ReproductionPlan& plan);
/// `reference_command`: that makes the reference again.
void add_experiment(Json& page, const ExperimentReport& report, const Model& model,
                    const std::string& key, const std::string& reference_command);
/// Without the series of the figures: for a terminal.
Json without_series(Json page);

/// The page of a scan: a number per point under the name of each column.
Json scan_page(const std::string& path, const PageOrigin& origin, const std::string& model,
               const std::vector<ScanColumn>& columns);

/// The page of stored runs; each is added as run_series() gives it.
Json runs_page(const std::vector<std::string>& paths);

}  // namespace nhot
