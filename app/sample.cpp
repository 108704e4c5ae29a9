// nhot sample: independent chains on one shell.
#include <utility>

#include "command.hpp"
#include "interrupt.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "sample_report.hpp"

namespace nhot::app {
namespace {

ExitCode run(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  Problem problem = problem_from(values);
  RunPlan plan = plan_from(values);
  plan.start = start_from(values, problem.shell);
  plan.states = 0;
  const ChainFactory factory(problem.model, problem.shell, values.text("move"),
                             values.real("beta"));

  RunResult result;
  {
    const InterruptGuard interrupts;
    ProgressBar bar(quiet);
    RunHooks hooks;
    hooks.stop = InterruptGuard::requested;
    if (bar.active())
      hooks.progress = [&](const RunProgress& now) {
        bar.show(now.warming ? "warm-up" : "sampling", now.fraction, now.seconds,
                 static_cast<double>(now.moves) * static_cast<double>(plan.chains), "moves");
      };
    result = run_independent(factory, plan, hooks);
  }

  SampleReport report =
      make_report(record_of(factory, plan, result, values.text("reference")), result.trace);
  for (const std::vector<std::string>* notes :
       {&std::as_const(invocation.notes), &std::as_const(problem.notes), &factory.notes(),
        &std::as_const(result.notes)})
    report.notes.insert(report.notes.end(), notes->begin(), notes->end());
  if (values.flag("json")) {
    print_json(to_json(report));
  } else {
    if (quiet) report.notes.clear();
    print(to_text(report));
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
        "--move \"0.7*im:length=1..5 + 0.3*swap\"",
        "a mixture of moves on a spin glass"}},
      run};
  return command;
}

}  // namespace nhot::app
