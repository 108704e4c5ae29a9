#include "nhot/result/temper.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
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

// Six digits, without zeros at the end.
std::string beta_text(double value) {
  std::ostringstream text;
  text << std::setprecision(6) << value;
  return text.str();
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
  if (report.target.draws > 0 && !factory.shell().single_state()) {
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
  std::vector<std::vector<std::string>> rows = {
      {"beta", "acceptance", "swap rate", "barrier", "round trips", "mean energy", "R-hat"}};
  const bool clusters = !std::isnan(report.rungs.front().cluster_rate);
  if (clusters) rows.front().insert(rows.front().begin() + 3, "cluster rate");
  for (std::size_t k = 0; k < report.rungs.size(); ++k) {
    const RungReport& rung = report.rungs[k];
    const ObservableSummary& energy = rung.report.observables.front().summary;
    rows.push_back({beta_text(rung.report.run.beta) + (k == report.target_rung ? " *" : ""),
                    significant(rung.acceptance, 3), significant(rung.swap_rate, 3),
                    significant(rung.barrier, 4), with_commas(rung.round_trips),
                    to_resolution(energy.mean, energy.mcse), significant(energy.rhat, 4)});
    if (clusters) rows.back().insert(rows.back().begin() + 3, significant(rung.cluster_rate, 3));
  }
  return layout.table(rows) +
         layout.wrap(
             "(* target; swap rate: with the next row; round trips: from the hot end and "
             "back)",
             "") +
         "\n\nAt the target, with the time of all " + std::to_string(report.rungs.size()) +
         " temperatures:\n\n" + to_text(report.target, layout);
}

}  // namespace nhot
