// The driver of `reproduce`: an experiment of the paper, its samplers held against a reference.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nhot/result/compare.hpp"
#include "nhot/run/reproduce/reproduction.hpp"

namespace nhot {

/// One experiment with everything that is known of it.
struct ExperimentReport {
  const Experiment* experiment = nullptr;
  std::string title;
  ExperimentRun run;
  ReferenceEnergy reference;
  std::vector<SamplerReport> samplers;
  std::vector<std::string> conclusions;
  std::vector<std::string> notes;
  bool interrupted = false;
};

/// Runs the samplers, then the reference, and holds them against it. The second set of hooks is for
/// the reference; both are kept in the store of the first.
ExperimentReport reproduce(const Experiment& experiment, const Model& model,
                           const ReproductionPlan& plan, const ComparisonHooks& hooks = {},
                           const RunHooks& reference_hooks = {});

/// Title, law, reference, conclusions and notes; not the samplers.
Facts facts_of(const ExperimentReport& report);
/// mean and mcse are NaN unless it has converged.
Facts facts_of(const ReferenceEnergy& reference);
std::string to_text(const ExperimentReport& report, const TextLayout& layout);

/// The options by which `temper` makes the reference again, the model first; none when it did not
/// run.
std::vector<std::pair<std::string, std::string>> reference_options(const ExperimentReport& report);

}  // namespace nhot
