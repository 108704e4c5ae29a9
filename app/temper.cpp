// nhot temper: parallel tempering on one shell.
#include <cmath>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <sstream>
#include <utility>

#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/run_writer.hpp"
#include "nhot/run/landscape_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "run_file.hpp"
#include "sample_report.hpp"
#include "text_table.hpp"
#include "watch.hpp"

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
  run.best_energy = result.best_energy;
  run.interrupted = result.interrupted;
  const double moves = static_cast<double>(result.moves) * static_cast<double>(plan.chains);
  run.accepted = static_cast<std::uint64_t>(std::llround(rung.acceptance * moves));
  RunRecord record = app::record_of(factory, run_plan, run, reference);
  record.beta = rung.beta;
  return record;
}

struct TemperReport {
  SampleReport target;
  std::vector<SampleReport> rungs;
  const TemperingResult* run = nullptr;
};

TemperReport make_report(const ChainFactory& factory, const TemperingPlan& plan,
                         const TemperingResult& result, const std::string& reference) {
  TemperReport report;
  report.run = &result;
  for (const RungResult& rung : result.rungs)
    report.rungs.push_back(
        app::make_report(record_of(factory, plan, result, rung, reference), rung.trace));
  report.target = report.rungs[result.target];
  if (report.target.draws > 0 &&
      !(factory.shell().distance() == 0 || factory.shell().distance() == factory.shell().sites())) {
    std::vector<NamedSummary> summaries;
    for (const ObservableReport& observable : report.target.observables)
      summaries.push_back({observable.name, observable.summary});
    report.target.verdict = judge_tempering(result, summaries);
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

// Six digits, without zeros at the end.
std::string short_number(double value) {
  std::ostringstream text;
  text << std::setprecision(6) << value;
  return text.str();
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
    rows.push_back({short_number(rung.beta) + (k == run.target ? " *" : ""),
                    significant(rung.acceptance, 3), significant(rung.swap_rate, 3),
                    significant(rung.barrier, 4), with_commas(rung.round_trips),
                    to_resolution(energy.mean, energy.mcse), significant(energy.rhat, 4)});
    if (clusters) rows.back().insert(rows.back().begin() + 3, significant(rung.cluster_rate, 3));
  }
  return align(rows, "") +
         "(* target; swap rate: with the next row; round trips: from the hot end " +
         "and back)\n\nAt the target, with the time of all " + std::to_string(run.rungs.size()) +
         " temperatures:\n\n" + to_text(report.target);
}

// RUN.nc -> RUN.rung03.nc
std::string rung_path(const std::string& path, std::size_t rung) {
  const std::filesystem::path whole(path);
  std::string number = std::to_string(rung);
  if (number.size() < 2) number.insert(0, "0");
  return (whole.parent_path() /
          (whole.stem().string() + ".rung" + number + whole.extension().string()))
      .string();
}

// What is known of a rung when the run has ended; the sweep is needed to repeat it.
Metadata results_of(const TemperReport& report, const SampleReport& rung) {
  Metadata results = app::results_of(rung);
  results.emplace_back("sweep", std::to_string(report.run->sweep));
  return results;
}

void write_rungs(const Invocation& invocation, const ChainFactory& factory,
                 const TemperReport& report) {
  const OptionValues& values = invocation.values;
  for (std::size_t k = 0; k < report.run->rungs.size(); ++k) {
    if (k == report.run->target) continue;
    Metadata attributes = attributes_of(invocation, factory);
    for (auto& [name, value] : attributes)
      if (name == "beta") value = format_real(report.run->rungs[k].beta);
    attributes.emplace_back("target_beta", format_real(report.target.run.beta));
    const Trace& trace = report.run->rungs[k].trace;
    RunWriter writer(rung_path(values.text("out"), k), attributes, factory.model(),
                     trace.chains.size(), values.flag("force"), factory.shell().reference());
    writer.append(trace);
    writer.finish(results_of(report, report.rungs[k]));
  }
}

void append_notes(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

ExitCode run_temper(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  const std::string& out = values.text("out");
  const Problem problem = problem_from(values);
  TemperingPlan plan = tempering_plan_from(values);
  plan.start = start_from(values, problem.shell);
  plan.states = out.empty() ? 0 : static_cast<std::uint64_t>(values.integer("states"));
  double beta = values.real("beta");
  // With a ladder and no target the coldest rung is what the user is after.
  if (!values.was_set("beta") && !plan.betas.empty())
    beta = *std::max_element(plan.betas.begin(), plan.betas.end());
  const ChainFactory factory(problem.model, problem.shell, values.text("move"), beta);

  const InterruptGuard interrupts;
  std::optional<RunWriter> writer;
  if (!out.empty()) {
    Metadata attributes = attributes_of(invocation, factory);
    for (auto& [name, value] : attributes)
      if (name == "beta") value = format_real(beta);
    writer.emplace(out, attributes, factory.model(), plan.chains, values.flag("force"),
                   factory.shell().reference());
  }
  const TemperingResult result = run_watched(quiet, {"sampling", "moves"}, [&](RunHooks hooks) {
    if (writer) hooks.sink = &*writer;
    return run_tempering(factory, plan, hooks);
  });
  TemperReport report = make_report(factory, plan, result, values.text("reference"));
  append_notes(report.target.notes, invocation.notes);
  append_notes(report.target.notes, problem.notes);
  append_notes(report.target.notes, factory.notes());
  append_notes(report.target.notes, result.notes);
  if (writer) {
    writer->finish(results_of(report, report.target));
    if (values.text("trace") == "all") write_rungs(invocation, factory, report);
  }
  if (values.flag("json")) {
    Json json = to_json(report);
    if (!out.empty()) json["out"] = out;
    print_json(json);
  } else {
    if (quiet) report.target.notes.clear();
    print(to_text(report));
    if (!out.empty() && !quiet) print("written to " + out + "\n");
  }
  // Last: the tables are longer than a screen.
  if (result.interrupted)
    print_note("interrupted after " + std::to_string(result.moves) + " moves per replica" +
               (result.moves == 0 ? ", during warm-up" : ""));
  return ExitCode::done;
}

}  // namespace

const Command& temper_command() {
  static const Command command = {
      "temper",
      "draw from one shell by parallel tempering",
      "Replicas at a ladder of temperatures exchange them, so that cold ones get out of valleys. "
      "--chains are independent ladders, whose agreement is what the verdict rests on; --moves "
      "counts the moves of each replica.",
      {"model"},
      {model_options(), shell_options(), law_options(), ladder_options(), run_options(),
       output_options(), common_options()},
      {{"nhot temper spin-glass:4x4x4,seed=7 -n 32 --beta 1 --seconds 2",
        "a spin glass at a temperature where single chains stay in their valleys"},
       {"nhot temper ferromagnet:8x8 -n 32 --betas 0,0.2,0.35,0.44 --moves 5000 --json",
        "a ladder of one's own, the result as JSON"}},
      run_temper};
  return command;
}

}  // namespace nhot::app
