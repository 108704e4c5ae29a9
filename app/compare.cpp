// nhot compare: several moves on one shell at equal CPU time.
#include "nhot/result/compare.hpp"
#include "checkpoint.hpp"
#include "command.hpp"
#include "command_line.hpp"
#include "interrupt.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

ExitCode run_compare(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  CheckpointedCall call(invocation, {"moves", "seconds"});
  check_page_place(values);
  const Problem problem = call.problem();
  ComparisonPlan plan = comparison_plan_from(values);
  plan.start = call.start(problem.shell);
  const std::vector<std::string> moves = compared_moves(values);

  CompareResult result = [&] {
    const InterruptGuard interrupts;
    ProgressBar bar(quiet);
    ComparisonHooks hooks;
    hooks.stop = InterruptGuard::requested;
    hooks.store = call.begin(problem, plan.start);
    if (bar.active())
      hooks.progress = [&](const ComparisonProgress& now) {
        bar.show("comparing", now.fraction, now.seconds, now.moves, "moves");
      };
    return compare(problem.model, problem.shell, values.real("beta"), moves, plan, hooks);
  }();
  call.end(result.results.front().run.interrupted);
  for (SamplerReport& sampler : result.samplers)
    sampler.report.run.reference = values.text("reference");
  put_first(result.notes, invocation.notes, problem);

  if (result.results.front().run.interrupted)
    print_note("interrupted; this is what was drawn by then" + call.way_on());
  Facts facts = {{"command", command_again(invocation)}};
  append(facts, facts_of(result));
  if (!values.text("report").empty())
    write_page_of(invocation, "comparison",
                  comparison_page(origin_of(invocation), problem.model, result), facts);
  if (print_for_programs(values, facts)) return ExitCode::done;
  if (quiet) result.notes.clear();
  print(to_text(result, page_layout()));
  tell_page(values);
  return ExitCode::done;
}

}  // namespace

const Command& compare_command() {
  static const Command command = {
      "compare",
      "several moves on one shell at equal CPU time",
      "Runs every move with the same number of chains for the same CPU time, in short slices taken "
      "in turn, so that noise hits all alike; then says which gives the most effective draws per "
      "second and whether the moves agree.",
      {"model"},
      {model_options(), shell_options(), compared_options(), comparison_options(),
       page_options(true), checkpoint_options(false), common_options()},
      {{"nhot compare ferromagnet:60x60 -n 1800 --beta 0.5 --seconds 1 --move swap --move im "
        "--report compare.html",
        "pair swaps against intracluster moves, with a page of figures"},
       {"nhot compare spin-glass:6x6x6,seed=7 -n 108 --seconds 0.5 --move swap --move kawasaki "
        "--move im --json",
        "three moves on a spin glass, the result as JSON"}},
      run_compare};
  return command;
}

}  // namespace nhot::app
