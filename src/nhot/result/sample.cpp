#include "nhot/result/sample.hpp"

#include <utility>

#include "nhot/run/sample/witness.hpp"

namespace nhot {
namespace {

WitnessComparison ask_witness(const ChainFactory& factory, const RunPlan& plan, const Trace& trace,
                              const RunHooks& hooks) {
  WitnessPlan witness;
  witness.threads = plan.threads;
  witness.seed = plan.seed;
  RunHooks watched;
  watched.stop = hooks.stop;
  if (hooks.progress)
    watched.progress = [&](RunProgress now) {
      now.verifying = true;
      hooks.progress(now);
    };
  return compare_with_witness(trace.states, energies_of(trace),
                              run_witness(factory, witness, watched));
}

}  // namespace

SampleResult sample(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  SampleResult result;
  result.run = run_independent(factory, plan, hooks);
  RunRecord record = record_of(factory, plan.chains, plan.seed, result.run);
  WitnessComparison witness;
  if (plan.verify && !result.run.interrupted) {
    witness = ask_witness(factory, plan, result.run.trace, hooks);
    record.witness = judge_witness(witness);
  }
  result.report = make_report(std::move(record), result.run.trace);
  result.report.witness = witness;
  describe_states(result.report, !factory.model().lattice().sides.empty(), result.run.trace);
  offer_best(result.report, result.run.checkpoint.best_draw_energy,
             result.run.checkpoint.best_draw);
  add_notes(result.report.notes, factory.notes());
  add_notes(result.report.notes, result.run.notes);
  return result;
}

}  // namespace nhot
