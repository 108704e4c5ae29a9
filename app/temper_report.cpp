#include "temper_report.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

#include "text_table.hpp"

namespace nhot::app {
namespace {

// A rung as a run of its own. The time is that of all rungs: none could do without the others.
RunRecord record_of(const ChainFactory& factory, const TemperingPlan& plan,
                    const TemperingResult& result, const RungResult& rung,
                    const std::string& reference) {
  RunPlan run_plan;
  run_plan.chains = plan.chains;
  run_plan.seed = plan.seed;
  RunResult run;
  run.moves = result.moves;
  run.warmup_moves = result.warmup_moves;
  run.steps = result.steps;
  run.seconds = result.seconds;
  run.cpu_seconds = result.cpu_seconds;
  run.recording_seconds = result.recording_seconds;
  run.best_energy = result.best_energy;
  run.interrupted = result.interrupted;
  const double moves = static_cast<double>(result.moves) * static_cast<double>(plan.chains);
  run.accepted = static_cast<std::uint64_t>(std::llround(rung.acceptance * moves));
  RunRecord record = nhot::record_of(factory, run_plan, run, reference);
  record.beta = rung.beta;
  record.changed = rung.changed;
  record.chain_changed.clear();  // a rung whose moves change nothing gets other states by exchange
  return record;
}

// Six digits, without zeros at the end.
std::string beta_text(double value) {
  std::ostringstream text;
  text << std::setprecision(6) << value;
  return text.str();
}

}  // namespace

TemperReport make_report(const ChainFactory& factory, const TemperingPlan& plan,
                         const TemperingResult& result, const std::string& reference) {
  TemperReport report;
  report.run = &result;
  for (const RungResult& rung : result.rungs)
    report.rungs.push_back(
        nhot::make_report(record_of(factory, plan, result, rung, reference), rung.trace));
  report.target = report.rungs[result.target];
  if (report.target.draws > 0 &&
      !(factory.shell().distance() == 0 || factory.shell().distance() == factory.shell().sites())) {
    std::vector<NamedSummary> summaries;
    for (const ObservableReport& observable : report.target.observables)
      summaries.push_back({observable.name, observable.summary});
    report.target.verdict = judge_tempering(result, summaries, &report.target.comparison);
  }
  return report;
}

Json to_json(const TemperReport& report) {
  const TemperingResult& run = *report.run;
  Json json = to_json(report.target);
  json["sweep"] = run.sweep;
  json["exchanges"] = run.exchanges;
  json["barrier"] = run.barrier();
  json["round_trips"] = run.ladder_trips;
  json["rows"] = Json::array();
  for (std::size_t k = 0; k < run.rungs.size(); ++k) {
    const RungResult& rung = run.rungs[k];
    Json row = {{"beta", rung.beta},
                {"swap_rate", rung.swap_rate},
                {"round_trips", rung.round_trips},
                {"acceptance", rung.acceptance},
                {"barrier", rung.barrier},
                {"observables", Json::object()}};
    if (!std::isnan(rung.cluster_rate)) row["cluster_rate"] = rung.cluster_rate;
    for (const ObservableReport& observable : report.rungs[k].observables)
      row["observables"][observable.name] = to_json(observable);
    json["rows"].push_back(std::move(row));
  }
  return json;
}

std::string to_text(const TemperReport& report) {
  const TemperingResult& run = *report.run;
  std::vector<std::vector<std::string>> rows = {
      {"beta", "acceptance", "swap rate", "barrier", "round trips", "mean energy", "R-hat"}};
  const bool clusters = !std::isnan(run.rungs.front().cluster_rate);
  if (clusters) rows.front().insert(rows.front().begin() + 3, "cluster rate");
  for (std::size_t k = 0; k < run.rungs.size(); ++k) {
    const RungResult& rung = run.rungs[k];
    const ObservableSummary& energy = report.rungs[k].observables.front().summary;
    rows.push_back({beta_text(rung.beta) + (k == run.target ? " *" : ""),
                    significant(rung.acceptance, 3), significant(rung.swap_rate, 3),
                    significant(rung.barrier, 4), with_commas(rung.round_trips),
                    to_resolution(energy.mean, energy.mcse), significant(energy.rhat, 4)});
    if (clusters) rows.back().insert(rows.back().begin() + 3, significant(rung.cluster_rate, 3));
  }
  return align(rows, "") +
         wrap("(* target; swap rate: with the next row; round trips: from the hot end and back)",
              "") +
         "\n\nAt the target, with the time of all " + std::to_string(run.rungs.size()) +
         " temperatures:\n\n" + to_text(report.target);
}

}  // namespace nhot::app
