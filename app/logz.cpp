// nhot logz: the log of the partition function of one shell.
#include <utility>

#include "auto_move.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "scan.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

/// An interrupt guard is alive.
PartitionReport estimate(const Invocation& invocation, const WatchWords& words) {
  const OptionValues& values = invocation.values;
  if (values.was_set("start") && values.text("start") != "uniform")
    throw InputError("logz cannot begin from a given state",
                     "leave out --start: the estimate needs uniform draws at beta = 0");
  const Problem problem = problem_from(values);
  const PartitionPlan plan = partition_plan_from(values);
  const ChosenMove chosen = move_from(values, problem, values.real("beta"), run_like(plan));
  const ChainFactory factory(problem.model, problem.shell, chosen.move, values.real("beta"));
  PartitionReport report = make_report(
      factory, plan, run_watched(values.flag("quiet"), words, [&](const RunHooks& hooks) {
        return estimate_partition(factory, plan, hooks);
      }));
  add_search(chosen, report);
  put_first(report.notes, invocation.notes, problem);
  return report;
}

ExitCode run_logz(Invocation& invocation) {
  if (is_scan_call(invocation.values))
    return run_scan(invocation, {"cooling", "moves"},
                    [](Invocation& single, const WatchWords& words) {
                      ScanPoint point;
                      point.facts = facts_of(estimate(single, words));
                      return point;
                    });
  const OptionValues& values = invocation.values;
  const InterruptGuard interrupts;
  PartitionReport report = estimate(invocation, {"cooling", "moves"});
  if (report.result.interrupted)
    print_note(report.method == "ti" ? "interrupted; the estimate is from the draws so far"
                                     : "interrupted; only finished populations count");
  if (print_for_programs(values, facts_of(report))) return ExitCode::done;
  if (values.flag("quiet")) report.notes.clear();
  print(to_text(report, page_layout()));
  return ExitCode::done;
}

}  // namespace

const Command& logz_command() {
  static const Command command = {
      "logz",
      "estimate the log of the shell's partition function",
      "Estimates log Z_n, the log of the sum of exp(-beta E) over the shell, with an error bar "
      "from "
      "independent estimates, beginning from the exact number of states at beta = 0.",
      {"model"},
      {model_options(), scanned(shell_options(), "distance"), scanned(cooling_law_options(), "beta"),
       partition_options(), common_options()},
      {{"nhot logz ferromagnet:8x8 -n 32 --beta 0.44", "a small lattice, by resampled populations"},
       {"nhot logz field:200,seed=1 -n 20 --method ais --ratio --json",
        "independent sites by annealed importance sampling, and the ratio to the next shell"}},
      run_logz};
  return command;
}

}  // namespace nhot::app
