// nhot sample: independent chains on one shell.
#include <optional>
#include <utility>

#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/run_writer.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "run_file.hpp"
#include "sample_report.hpp"

namespace nhot::app {
namespace {

// The run with everything a person sees and may do meanwhile.
RunResult run_watched(const ChainFactory& factory, const RunPlan& plan, RunWriter* writer,
                      bool quiet) {
  ProgressBar bar(quiet);
  RunHooks hooks;
  hooks.sink = writer;
  hooks.stop = InterruptGuard::requested;
  if (bar.active())
    hooks.progress = [&](const RunProgress& now) {
      bar.show(now.warming ? "warm-up" : "sampling", now.fraction, now.seconds,
               static_cast<double>(now.moves) * static_cast<double>(plan.chains), "moves");
    };
  return run_independent(factory, plan, hooks);
}

std::string interruption(const RunResult& result, const std::string& out) {
  const bool sampling = result.trace.draws() > 0;
  std::string note = "interrupted after " +
                     std::to_string(sampling ? result.moves : result.warmup_moves) +
                     " moves per chain" + (sampling ? "" : " of warm-up");
  if (!out.empty()) note += "; what was drawn is in " + out;
  return note;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

ExitCode run(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  const std::string& out = values.text("out");
  const Problem problem = problem_from(values);
  RunPlan plan = plan_from(values);
  plan.start = start_from(values, problem.shell);
  plan.states = out.empty() ? 0 : static_cast<std::uint64_t>(values.integer("states"));
  const ChainFactory factory(problem.model, problem.shell, values.text("move"),
                             values.real("beta"));

  const InterruptGuard interrupts;
  std::optional<RunWriter> writer;
  if (!out.empty())
    writer.emplace(out, attributes_of(invocation, factory), factory.model(), plan.chains,
                   values.flag("force"), factory.shell().reference());
  const RunResult result = run_watched(factory, plan, writer ? &*writer : nullptr, quiet);

  SampleReport report =
      make_report(record_of(factory, plan, result, values.text("reference")), result.trace);
  append(report.notes, invocation.notes);
  append(report.notes, problem.notes);
  append(report.notes, factory.notes());
  append(report.notes, result.notes);
  if (writer) {
    writer->checkpoint(result.final_states);
    writer->finish(results_of(report));
  }

  if (result.interrupted) print_note(interruption(result, out));
  if (values.flag("json")) {
    Json json = to_json(report);
    if (!out.empty()) json["out"] = out;
    print_json(json);
  } else {
    if (quiet) report.notes.clear();
    print(to_text(report));
    if (!out.empty() && !quiet) print("written to " + out + "\n");
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
      {model_options(), shell_options(), law_options(), run_options(), output_options(),
       common_options()},
      {{"nhot sample ferromagnet:60x60 -n 1800 --beta 0.44 --seconds 2",
        "half-filled Ising lattice near its critical temperature, for two seconds"},
       {"nhot sample field:100 -n 10 --moves 20000 --move swap --json",
        "pair swaps on independent sites, the result as JSON"},
       {"nhot sample spin-glass:6x6x6,seed=7 -n 108 --moves 2e4 "
        "--move \"0.7*im:length=1..5 + 0.3*swap\" --out run.nc",
        "a mixture of moves on a spin glass, with the draws in a file"}},
      run};
  return command;
}

}  // namespace nhot::app
