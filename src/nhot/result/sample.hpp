// The driver of `sample`: independent chains, what is known of them, and the verdict.
//
//     const ChainFactory chains(model, shell, "im:length=1..10", 0.35);
//     RunPlan plan;
//     plan.moves = 100'000;
//     const SampleResult result = sample(chains, plan);
//     // result.report.verdict.converged, result.run.trace.chains[0].energy, ...
#pragma once

#include "nhot/result/run_report.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {

struct SampleResult {
  RunResult run;
  RunReport report;
};

/// Runs the chains, asks a second witness where the plan says so and the run was not interrupted,
/// and judges.
SampleResult sample(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks = {});

}  // namespace nhot
