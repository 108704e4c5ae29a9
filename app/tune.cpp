// nhot tune: the move of the most effective draws per second.
#include "auto_move.hpp"
#include "checkpoint.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/report/method_pages.hpp"
#include "nhot/result/tuning_report.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

ExitCode run_tune(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  CheckpointedCall call(invocation, {});
  check_page_place(values);
  const Problem problem = call.problem();
  TuningPlan plan = tuning_plan_from(values);
  plan.start = call.start(problem.shell);
  const InterruptGuard interrupts;
  StateStore* const store = call.begin(problem, plan.start);
  TuningReport report = make_report(plan, [&] {
    ProgressBar bar(quiet);
    TuningHooks hooks = hooks_of_search(bar);
    hooks.store = store;
    return run_tuning(problem.model, problem.shell, values.real("beta"), plan, hooks);
  }());
  call.end(report.result.interrupted);
  put_first(report.notes, invocation.notes, problem);
  if (report.result.interrupted)
    print_note("interrupted; the best of what was tried by then" + call.way_on());
  Facts facts = facts_of(report);
  if (!values.text("report").empty())
    write_page_of(invocation, "tune",
                  tuning_page(origin_of(invocation), problem.model.name(), report), facts);
  if (print_for_programs(values, facts)) return ExitCode::done;
  if (quiet) report.notes.clear();
  print(to_text(report, page_layout()));
  tell_page(values);
  return ExitCode::done;
}

}  // namespace

const Command& tune_command() {
  static const Command command = {
      "tune",
      "choose move parameters",
      "Searches kinds of moves, walk lengths, gamma and mixtures for the most effective draws per "
      "CPU second of the quantity that is forgotten slowest: energy, the model's observables, or "
      "the sites. Short trials first, longer ones for the better half, Bayesian optimisation of "
      "the best walk, and a last round that gives error bars.",
      {"model"},
      {model_options(), shell_options(), tuning_options(), page_options(false),
       checkpoint_options(true), common_options()},
      {{"nhot tune ferromagnet:60x60 -n 1800 --beta 0.5", "the best move of a lattice"},
       {"nhot tune spin-glass:6x6x6,seed=7 -n 108 --seconds 5 --json",
        "of a spin glass, with every trial as JSON"}},
      run_tune};
  return command;
}

}  // namespace nhot::app
