// nhot sample: independent chains on one shell.
#include <optional>
#include <utility>

#include "auto_move.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/run/run_record.hpp"
#include "nhot/result/band_sample.hpp"
#include "nhot/result/sample.hpp"
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

std::string interruption(const RunResult& result, const std::string& out) {
  const bool sampling = result.moves > 0;
  const std::string note = "interrupted after " +
                           std::to_string(sampling ? result.moves : result.warmup_moves) +
                           " moves per chain" + (sampling ? "" : " of warm-up");
  if (out.empty()) return note;
  return note + "; what was drawn is in " + out + "; go on with: nhot resume " + out;
}

RunPlan plan_of(const OptionValues& values, const Problem& problem, bool resumed) {
  RunPlan plan = plan_from(values);
  if (!resumed && plan.moves && plan.thin > *plan.moves)
    throw InputError("--thin " + std::to_string(plan.thin) + " keeps no draw of " +
                         std::to_string(*plan.moves) + " moves",
                     "give --moves a multiple of --thin, or leave out --thin");
  plan.start = start_from(values, problem.shell);
  plan.verify = values.flag("verify");
  return plan;
}

/// What is told of a run besides its own report.
void complete(RunReport& report, const Invocation& invocation, const Problem& problem,
              const ChosenMove& chosen) {
  report.run.reference = invocation.values.text("reference");
  add_search(chosen, report);
  put_first(report.notes, invocation.notes, problem);
}

ScanPoint sample_point(Invocation& single, const WatchWords& words) {
  const OptionValues& values = single.values;
  const Problem problem = problem_from(values);
  const RunPlan plan = plan_of(values, problem, false);
  const ChosenMove chosen = move_from(values, problem, values.real("beta"), plan);
  const ChainFactory factory(problem.model, problem.shell, chosen.move, values.real("beta"));
  WatchWords own = words;
  own.per_count = static_cast<double>(plan.chains);
  const auto ranks = ranks_for(values, problem);
  SampleResult result = run_watched(values.flag("quiet"), own, [&](RunHooks hooks) {
    hooks.ranks = ranks.get();
    return sample(factory, plan, hooks);
  });
  complete(result.report, single, problem, chosen);
  ScanPoint point;
  point.facts = facts_of(result.report);
  point.trace = std::move(result.run.trace);
  return point;
}

/// A run over a band has no file of draws yet, and no move to choose.
ExitCode run_sample_band(Invocation& invocation, ShellBand band) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  const auto refuse = [&](const char* name, const std::string& instead) {
    if (values.was_set(name))
      throw InputError(
          "--" + std::string(name) + " is for a single shell, not for the band " + band_text(band),
          instead);
  };
  refuse("out", "write the states with --states-out FILE.csv");
  refuse("resume", "start a new run");
  refuse("move", "leave it out: single flips lead from shell to shell");
  check_states_out(values);
  const Problem problem = problem_from(values);
  RunPlan plan = plan_of(values, problem, false);
  ask_for_states(plan, values, values.was_set("states-out"));
  const BandFactory factory(problem.model, problem.shell.reference(), band, values.real("beta"));
  const InterruptGuard interrupts;
  SampleResult result =
      run_watched(quiet, {"sampling", "moves", static_cast<double>(plan.chains)},
                  [&](const RunHooks& hooks) { return sample_band(factory, plan, hooks); });
  RunReport& report = result.report;
  report.run.reference = values.text("reference");
  put_first(report.notes, invocation.notes, problem);
  if (report.run.interrupted)
    print_note("interrupted after " + std::to_string(report.run.moves) + " moves per chain");
  Facts facts = facts_of(report);
  write_states_out(values, state_rows(result.run.trace), problem.model.names(), facts);
  if (!print_for_programs(values, facts)) {
    if (quiet) report.notes.clear();
    print(to_text(report, page_layout()));
    tell_states_out(values);
  }
  return ExitCode::done;
}

ExitCode run_sample(Invocation& invocation) {
  if (is_scan_call(invocation.values))
    return run_scan(invocation, {"sampling", "moves"}, sample_point);
  if (const auto band = band_from(invocation.values)) return run_sample_band(invocation, *band);
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  std::optional<Resumption> resumption;
  if (!values.text("resume").empty()) {
    resumption = open_resumption(values.text("resume"), invocation.notes);
    adopt_options(*resumption, invocation);
  }
  check_states_out(values);
  const Output output = output_of(values, resumption ? &*resumption : nullptr);
  const Problem problem =
      resumption ? problem_from(values, {resumption->facts.reference, resumption->facts.groups},
                                [&](const Model& model) { check_model(*resumption, model); })
                 : problem_from(values);
  RunPlan plan = plan_of(values, problem, resumption.has_value());
  ask_for_states(plan, values, !output.path.empty() || values.was_set("states-out"));
  const InterruptGuard interrupts;
  const ChosenMove chosen = move_from(values, problem, values.real("beta"), plan);
  const ChainFactory factory(problem.model, problem.shell, chosen.move, values.real("beta"));
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
    Metadata attributes = attributes_of(invocation, factory);
    const RunCheckpoint before = plan.resume ? plan.resume->checkpoint : RunCheckpoint{};
    for (auto& asked :
         asked_of(values, resumption ? &*resumption : nullptr, before.moves, before.seconds))
      attributes.push_back(std::move(asked));
    writer.emplace(output.path, attributes, factory.model(), plan.chains, output.force,
                   factory.shell().reference(), groups_of(factory.shell()));
    if (plan.resume) {
      if (plan.resume->warmup.draws() > 0) writer->append_warmup(plan.resume->warmup);
      if (plan.resume->trace.draws() > 0) writer->append(plan.resume->trace);
    }
  }
  const auto ranks = ranks_for(values, problem);
  SampleResult result = run_watched(quiet, {"sampling", "moves", static_cast<double>(plan.chains)},
                                    [&](RunHooks hooks) {
                                      hooks.ranks = ranks.get();
                                      if (writer) write_to(*writer, hooks);
                                      return sample(factory, plan, hooks);
                                    });
  RunReport& report = result.report;
  complete(report, invocation, problem, chosen);
  if (writer) {
    Metadata state = to_metadata(result.run.checkpoint);
    if (result.run.enough) state.emplace_back(enough_key, "true");
    writer->checkpoint(result.run.checkpoint.chains, std::move(state));
    writer->finish(results_of(report));
  }

  if (result.run.interrupted) print_note(interruption(result.run, output.path));
  Facts facts = facts_of(report);
  if (!output.path.empty()) facts.emplace_back("out", output.path);
  write_states_out(values, state_rows(result.run.trace), problem.model.names(), facts);
  if (!print_for_programs(values, facts)) {
    if (quiet) report.notes.clear();
    print(to_text(report, page_layout()));
    if (!output.path.empty() && !quiet) print("written to " + output.path + "\n");
    tell_states_out(values);
  }
  return ExitCode::done;
}

}  // namespace

const Command& sample_command() {
  static const Command command = {
      "sample",
      "draw from one shell with independent chains",
      "Draws states at distance N from the reference in proportion to exp(-beta E), with "
      "independent chains, and says how far the result can be trusted.",
      {"model"},
      {model_options(), scanned(banded(shell_options()), "distance"),
       scanned(law_options(), "beta"), run_options(), output_options(), verify_options(),
       resume_options(), common_options()},
      {{"nhot sample ferromagnet:60x60 -n 1800 --beta 0.44 --seconds 2",
        "half-filled Ising lattice near its critical temperature, for two seconds"},
       {"nhot sample field:100 -n 10 --moves 20000 --move swap --json",
        "pair swaps on independent sites, the result as JSON"},
       {"nhot sample spin-glass:6x6x6,seed=7 -n 108 --moves 2e4 "
        "--move \"0.7*im:length=1..5 + 0.3*swap\" --out run.nc",
        "a mixture of moves on a spin glass, with the draws in a file"},
       {"nhot sample --resume run.nc --moves 1e4", "the same run, 10,000 moves longer"},
       {"nhot sample ferromagnet:8x8 -n 32 --beta 0.2..0.5/4 --moves 1e4 --out scan.nc",
        "four temperatures in one table and one file, of which nhot report makes a page"},
       {"nhot sample ferromagnet:8x8 -n 24..40 --beta 0.4 --moves 1e5",
        "draws at every n from 24 to 40, each about equally often"},
       {"nhot sample field:100 -n 10 --until converged --seconds 60",
        "no longer than it takes, and at most a minute"}},
      run_sample};
  return command;
}

}  // namespace nhot::app
