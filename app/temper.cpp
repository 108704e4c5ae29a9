// nhot temper: parallel tempering on one shell.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "auto_move.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/run/run_record.hpp"
#include "nhot/result/temper.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "ranks.hpp"
#include "resume.hpp"
#include "run_file.hpp"
#include "scan.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

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
Metadata results_of(const TemperingReport& report, const RunReport& rung) {
  Metadata results = nhot::results_of(rung);
  results.emplace_back("sweep", std::to_string(report.sweep));
  return results;
}

// The attributes of the run, at another temperature.
Metadata attributes_at(double beta, const Invocation& invocation, const ChainFactory& factory) {
  Metadata attributes = attributes_of(invocation, factory);
  for (auto& [name, value] : attributes)
    if (name == "beta") value = format_real(beta);
  return attributes;
}

void write_rungs(const Invocation& invocation, const ChainFactory& factory,
                 const TemperResult& result, const Output& output) {
  for (std::size_t k = 0; k < result.run.rungs.size(); ++k) {
    const RungResult& rung = result.run.rungs[k];
    if (k == result.run.target || rung.trace.draws() == 0) continue;
    Metadata attributes = attributes_at(rung.beta, invocation, factory);
    attributes.emplace_back("target_beta", format_real(factory.beta()));
    RunWriter writer(rung_path(output.path, k), attributes, factory.model(),
                     rung.trace.chains.size(), output.force, factory.shell().reference(),
                     groups_of(factory.shell()));
    writer.append(rung.trace);
    writer.finish(results_of(result.report, result.report.rungs[k].report));
  }
}

// With a ladder and no target the coldest rung is what the user is after.
double target_of(const OptionValues& values, const TemperingPlan& plan) {
  if (values.was_set("beta") || plan.betas.empty()) return values.real("beta");
  return *std::max_element(plan.betas.begin(), plan.betas.end());
}

std::string interruption(const TemperingResult& result, const std::string& out) {
  const std::string note = "interrupted after " + std::to_string(result.moves) +
                           " moves per replica" +
                           (result.checkpoint.warming ? ", during warm-up" : "");
  if (out.empty()) return note;
  return note + "; what was drawn is in " + out + "; go on with: nhot resume " + out;
}

/// What is told of a run besides its own report.
void complete(TemperingReport& report, const Invocation& invocation, const Problem& problem,
              const ChosenMove& chosen) {
  const std::string& reference = invocation.values.text("reference");
  for (RungReport& rung : report.rungs) rung.report.run.reference = reference;
  report.target.run.reference = reference;
  add_search(chosen, report.target);
  put_first(report.target.notes, invocation.notes, problem);
}

ScanPoint temper_point(Invocation& single, const WatchWords& words) {
  const OptionValues& values = single.values;
  const Problem problem = problem_from(values);
  TemperingPlan plan = tempering_plan_from(values);
  plan.start = start_from(values, problem.shell);
  const double beta = target_of(values, plan);
  const ChosenMove chosen = move_from(values, problem, beta, run_like(plan));
  const ChainFactory factory(problem.model, problem.shell, chosen.move, beta);
  const auto ranks = ranks_for(values, problem);
  TemperResult result = run_watched(values.flag("quiet"), words, [&](RunHooks watch) {
    watch.ranks = ranks.get();
    return temper(factory, plan, TemperingHooks(watch));
  });
  complete(result.report, single, problem, chosen);
  ScanPoint point;
  point.facts = facts_of(result.report);
  point.trace = std::move(result.run.rungs[result.run.target].trace);
  return point;
}

ExitCode run_temper(Invocation& invocation) {
  if (is_scan_call(invocation.values))
    return run_scan(invocation, {"sampling", "moves"}, temper_point);
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  std::optional<TemperingResumption> resumption;
  if (!values.text("resume").empty()) {
    resumption = open_tempering(values.text("resume"), invocation.notes);
    adopt_options(*resumption, invocation);
  }
  check_states_out(values);
  const Output output = output_of(values, resumption ? &*resumption : nullptr);
  const Problem problem =
      resumption ? problem_from(values, {resumption->facts.reference, resumption->facts.groups},
                                [&](const Model& model) { check_model(*resumption, model); })
                 : problem_from(values);
  TemperingPlan plan = tempering_plan_from(values);
  plan.start = start_from(values, problem.shell);
  ask_for_states(plan, values, !output.path.empty() || values.was_set("states-out"));
  if (plan.path == LadderPath::weights && values.text("trace") == "all")
    throw InputError(
        "--trace all writes rungs of the model itself, and on the path of weights every "
        "rung has a model of its own",
        "use --trace target");
  const double beta = target_of(values, plan);
  const InterruptGuard interrupts;
  const ChosenMove chosen = move_from(values, problem, beta, run_like(plan));
  const ChainFactory factory(problem.model, problem.shell, chosen.move, beta);
  if (resumption) {
    check_move(*resumption, factory);
    plan.resume = resumption->run;
    if (resumption->drawn) {
      plan.moves = 0;
      plan.seconds.reset();
    }
  }

  std::optional<RunWriter> writer;
  if (!output.path.empty()) {
    Metadata attributes = attributes_at(beta, invocation, factory);
    const TemperingCheckpoint before =
        plan.resume ? plan.resume->checkpoint : TemperingCheckpoint{};
    for (auto& asked :
         asked_of(values, resumption ? &*resumption : nullptr, before.moves, before.seconds))
      attributes.push_back(std::move(asked));
    writer.emplace(output.path, attributes, factory.model(), plan.chains, output.force,
                   factory.shell().reference(), groups_of(factory.shell()));
  }
  const auto ranks = ranks_for(values, problem);
  TemperResult result = run_watched(quiet, {"sampling", "moves"}, [&](RunHooks watch) {
    watch.ranks = ranks.get();
    TemperingHooks hooks(watch);
    if (writer) write_to(*writer, hooks);
    return temper(factory, plan, hooks);
  });
  RunReport& target = result.report.target;
  complete(result.report, invocation, problem, chosen);
  if (writer) {
    writer->checkpoint(result.run.checkpoint.ladders, to_metadata(result.run.checkpoint));
    writer->finish(results_of(result.report, target));
    if (values.text("trace") == "all") write_rungs(invocation, factory, result, output);
  }
  Facts facts = facts_of(result.report);
  if (!output.path.empty()) facts.emplace_back("out", output.path);
  write_states_out(values, state_rows(result.run.rungs[result.run.target].trace),
                   problem.model.names(), facts);
  if (!print_for_programs(values, facts)) {
    if (quiet) target.notes.clear();
    print(to_text(result.report, page_layout()));
    if (!output.path.empty() && !quiet) print("written to " + output.path + "\n");
    tell_states_out(values);
  }
  // Last: the tables are longer than a screen.
  if (result.run.interrupted) print_note(interruption(result.run, output.path));
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
      {model_options(), scanned(shell_options(), "distance"), cooling_law_options(),
       ladder_options(), run_options(), output_options(), resume_options(), common_options()},
      {{"nhot temper spin-glass:4x4x4,seed=7 -n 32 --beta 1 --seconds 2",
        "a spin glass at a temperature where single chains stay in their valleys"},
       {"nhot temper ferromagnet:8x8 -n 32 --betas 0,0.2,0.35,0.44 --moves 5000 --json",
        "a ladder of one's own, the result as JSON"},
       {"nhot temper spin-glass:4x4x4,seed=7 -n 32 --moves 2000 --out ladder.nc",
        "with the draws at all temperatures in a file"},
       {"nhot temper --resume ladder.nc --moves 1000", "the same run, 1,000 moves longer"}},
      run_temper};
  return command;
}

}  // namespace nhot::app
