// The driver of `compare`: several samplers of one law at equal CPU time, and who is ahead.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/run/compare/comparison.hpp"

namespace nhot {

/// One sampler when the comparison has ended. Refers to its factory and result.
struct SamplerReport {
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

  const ObservableReport& energy() const { return report.observables.front(); }
};

/// Fills in reports and ratios; the order is that of the results.
void judge_samplers(std::vector<SamplerReport>& samplers, std::uint64_t chains, std::uint64_t seed);

/// The facts of its report, and what only a comparison knows: attempts_per_move, and the energy's
/// tau_seconds, ess_per_second and rhat at the top.
Facts facts_of(const SamplerReport& sampler);

/// One row per sampler; with two columns more where a reference is known.
TextRows sampler_rows(const std::vector<SamplerReport>& samplers);

/// Who is ahead in effective draws of the energy per CPU second, and do the means agree: sentences
/// for a person. Samplers left out of the figures are left out here, too.
std::vector<std::string> conclusions(const std::vector<SamplerReport>& samplers);

/// The difference of two mean energies in units of its standard error; NaN when unknown.
double energy_difference(const SamplerReport& a, const SamplerReport& b);

/// A comparison that has ended.
struct CompareResult {
  std::vector<std::unique_ptr<ChainFactory>> factories;
  std::vector<ContestantResult> results;
  std::vector<SamplerReport> samplers;  // named by their moves
  std::vector<std::string> conclusions;
  std::vector<std::string> notes;
};

/// Every move on the same shell for the same CPU time: that of the plan, or that which the first
/// one takes for plan.first_moves moves per chain after the warm-up.
CompareResult compare(const Model& model, const Shell& shell, double beta,
                      const std::vector<std::string>& moves, const ComparisonPlan& plan,
                      const ComparisonHooks& hooks = {});

/// {"results", "conclusions", "notes"}.
Facts facts_of(const CompareResult& result);
std::string to_text(const CompareResult& result, const TextLayout& layout);

}  // namespace nhot
