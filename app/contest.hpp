// What `compare` and `reproduce` share: contestants of one comparison, told as a table and as JSON.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/report/comparison_series.hpp"
#include "nhot/run/comparison.hpp"
#include "sample_report.hpp"

namespace nhot::app {

/// One contestant when the comparison has ended.
struct Finisher {
  std::string key;
  std::string label;
  const ChainFactory* factory = nullptr;
  const ContestantResult* result = nullptr;
  bool in_figures = true;
  RunReport report;
  double attempts_per_move = 1;  // moves of this one for each move of the first
  // Mean energy less that of a reference, and the same in combined standard errors; NaN: unknown.
  double from_reference = std::numeric_limits<double>::quiet_NaN();
  double errors_from_reference = std::numeric_limits<double>::quiet_NaN();
};

/// Fills in reports and ratios; the order is that of the results.
void judge_finishers(std::vector<Finisher>& finishers, const RunPlan& plan,
                     const std::string& reference);

/// The object of the command line contract, and what only a comparison knows: key, label,
/// attempts_per_move, and the energy's acceptance, tau_seconds, ess_per_second and rhat at the top.
Json to_json(const Finisher& finisher);

/// One row per contestant; with two columns more where a reference is known.
std::string finisher_table(const std::vector<Finisher>& finishers);

/// Who is ahead in effective draws of the energy per CPU second, and do the means agree: sentences
/// for a person. Contestants left out of the figures are left out here, too.
std::vector<std::string> conclusions(const std::vector<Finisher>& finishers);

/// The difference of two mean energies in units of its standard error; NaN when unknown.
double energy_difference(const Finisher& a, const Finisher& b);

/// For the page and results.json.
std::vector<SamplerPanel> panels(const std::vector<Finisher>& finishers);

}  // namespace nhot::app
