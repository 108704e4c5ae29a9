#include "nhot/result/temper.hpp"

#include <cmath>
#include <utility>

namespace nhot {
namespace {

RunRecord record_of_rung(const ChainFactory& factory, const TemperingPlan& plan,
                         const TemperingResult& result, const RungResult& rung) {
  RunRecord record = record_of(factory);
  record.beta = rung.beta;
  record.chains = plan.chains;
  record.seed = plan.seed;
  record.moves = result.moves;
  record.warmup = result.warmup_moves;
  record.steps = result.steps;
  record.seconds = result.seconds;
  record.cpu_seconds = result.cpu_seconds;
  record.recording_seconds = result.recording_seconds;
  record.best_energy = result.best_energy;
  record.interrupted = result.interrupted;
  const double moves = static_cast<double>(result.moves) * static_cast<double>(plan.chains);
  record.accepted = static_cast<std::uint64_t>(std::llround(rung.acceptance * moves));
  // By chain it stays unknown: a rung whose moves change nothing gets other states by exchange.
  record.changed = rung.changed;
  return record;
}

LadderRecord ladder_of(const std::vector<RungReport>& rungs) {
  LadderRecord ladder;
  for (const RungReport& rung : rungs) {
    const ObservableSummary& energy = rung.report.observables.front().summary;
    ladder.beta.push_back(rung.report.run.beta);
    ladder.acceptance.push_back(rung.acceptance);
    if (ladder.beta.size() < rungs.size()) ladder.swap_rate.push_back(rung.swap_rate);
    if (!std::isnan(rung.cluster_rate)) ladder.cluster_rate.push_back(rung.cluster_rate);
    ladder.barrier.push_back(rung.barrier);
    ladder.round_trips.push_back(static_cast<double>(rung.round_trips));
    ladder.energy.push_back(energy.mean);
    ladder.energy_error.push_back(energy.mcse);
    ladder.energy_rhat.push_back(energy.rhat);
  }
  return ladder;
}

}  // namespace

TemperingReport make_report(const ChainFactory& factory, const TemperingPlan& plan,
                            const TemperingResult& result) {
  TemperingReport report;
  for (const RungResult& rung : result.rungs)
    report.rungs.push_back({make_report(record_of_rung(factory, plan, result, rung), rung.trace),
                            rung.acceptance, rung.swap_rate, rung.cluster_rate, rung.barrier,
                            rung.round_trips});
  report.target_rung = result.target;
  report.sweep = result.sweep;
  report.exchanges = result.exchanges;
  report.barrier = result.barrier();
  report.ladder_trips = result.ladder_trips;
  report.target = report.rungs[result.target].report;
  report.target.run.ladder = ladder_of(report.rungs);
  const Shell& shell = factory.shell();
  const bool one_state = shell.distance() == 0 || shell.distance() == shell.sites();
  if (report.target.draws > 0 && !one_state) {
    std::vector<NamedSummary> summaries;
    for (const ObservableReport& observable : report.target.observables)
      summaries.push_back({observable.name, observable.summary});
    report.target.verdict = judge_tempering(result, summaries, &report.target.comparison);
  }
  add_notes(report.target.notes, factory.notes());
  add_notes(report.target.notes, result.notes);
  return report;
}

TemperResult temper(const ChainFactory& factory, const TemperingPlan& plan,
                    const TemperingHooks& hooks) {
  TemperResult result;
  result.run = run_tempering(factory, plan, hooks);
  result.report = make_report(factory, plan, result.run);
  if (!result.run.rungs.empty())
    describe_states(result.report.target, !factory.model().lattice().sides.empty(),
                    result.run.rungs[result.run.target].trace);
  return result;
}

Facts facts_of(const TemperingReport& report) {
  Facts facts = facts_of(report.target);
  Fact::List rows;
  for (const RungReport& rung : report.rungs) {
    Facts observables;
    for (const ObservableReport& observable : rung.report.observables)
      observables.emplace_back(observable.name, facts_of(observable));
    Facts row = {{"beta", rung.report.run.beta},    {"swap_rate", rung.swap_rate},
                 {"round_trips", rung.round_trips}, {"acceptance", rung.acceptance},
                 {"barrier", rung.barrier},         {"observables", std::move(observables)}};
    if (!std::isnan(rung.cluster_rate)) row.emplace_back("cluster_rate", rung.cluster_rate);
    rows.emplace_back(std::move(row));
  }
  append(facts, {{"sweep", report.sweep},
                 {"exchanges", report.exchanges},
                 {"barrier", report.barrier},
                 {"round_trips", report.ladder_trips},
                 {"rows", std::move(rows)}});
  return facts;
}

std::string to_text(const TemperingReport& report, const TextLayout& layout) {
  const RunRecord& target = report.target.run;
  return layout.table(ladder_rows(target.ladder, target.beta)) + layout.wrap(ladder_legend, "") +
         "\n\nAt the target, with the time of all " + std::to_string(report.rungs.size()) +
         " temperatures:\n\n" + to_text(report.target, layout);
}

}  // namespace nhot
