#include "nhot/result/sample.hpp"

#include <algorithm>
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

/// Good enough to end with: the verdict is yes, and every observable has the effective draws that
/// the rule demands. One that never varies is known exactly.
bool is_enough(const RunReport& report, const StopRule& rule) {
  return report.verdict.converged &&
         std::all_of(report.observables.begin(), report.observables.end(),
                     [&](const ObservableReport& observable) {
                       const ObservableSummary& s = observable.summary;
                       return s.constant || std::min(s.ess_bulk, s.ess_tail) >= rule.ess;
                     });
}

}  // namespace

SampleResult sample(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  SampleResult result;
  RunHooks own = hooks;
  if (plan.until && !own.enough)
    own.enough = [&](const RunResult& so_far) {
      return is_enough(
          make_report(record_of(factory, plan.chains, plan.seed, so_far), so_far.trace),
          *plan.until);
    };
  result.run = run_independent(factory, plan, own);
  RunRecord record = record_of(factory, plan.chains, plan.seed, result.run);
  WitnessComparison witness;
  if (plan.verify && !result.run.interrupted) {
    witness = ask_witness(factory, plan, result.run.trace, hooks);
    record.witness = judge_witness(witness);
  }
  result.report = make_report(std::move(record), result.run.trace);
  result.report.witness = witness;
  if (plan.until) result.report.stop = {plan.until->ess, result.run.enough, result.run.looks};
  result.report.advice = advice_on(result.report);
  describe_states(result.report, !factory.model().lattice().sides.empty(), result.run.trace);
  offer_best(result.report, result.run.checkpoint.best_draw_energy,
             result.run.checkpoint.best_draw);
  add_notes(result.report.notes, factory.notes());
  add_notes(result.report.notes, result.run.notes);
  return result;
}

}  // namespace nhot
