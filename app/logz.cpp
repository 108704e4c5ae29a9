// nhot logz: the log of the partition function of one shell.
#include <utility>

#include "auto_move.hpp"
#include "checkpoint.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/report/method_pages.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "ranks.hpp"
#include "scan.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

// What makes the run longer: time for ti, populations otherwise. With a ratio the streams of the
// next shell follow from their number.
std::vector<std::string> lengths_of(const Invocation& invocation) {
  const OptionValues& values = invocation.values;
  if (values.text("resume").empty() || values.was_set("seconds")) return {"seconds"};
  if (values.was_set("populations")) return {"populations"};
  return {};
}

struct Estimate {
  PartitionReport report;
  std::string way_on;  // after an interrupt
};

/// An interrupt guard is alive.
Estimate estimate(Invocation& invocation, const WatchWords& words) {
  const OptionValues& values = invocation.values;
  if (values.was_set("start") && values.text("start") != "uniform")
    throw InputError("logz cannot begin from a given state",
                     "leave out --start: the estimate needs uniform draws at beta = 0");
  const std::vector<std::string> lengths = lengths_of(invocation);
  CheckpointedCall call(invocation, lengths);
  if (lengths == std::vector<std::string>{"populations"} && values.flag("ratio"))
    throw InputError("a run with --ratio does not get more populations",
                     "start a new run with the number that you want");
  const Problem problem = call.problem();
  const PartitionPlan plan = partition_plan_from(values);
  StateStore* const store = call.begin(problem);
  const ChosenMove chosen = call.move() == values.text("move")
                                ? move_from(values, problem, values.real("beta"), run_like(plan))
                                : ChosenMove{call.move(), std::nullopt};
  call.found(chosen.move);
  const ChainFactory factory(problem.model, problem.shell, chosen.move, values.real("beta"));
  const auto ranks = ranks_for(values, problem);
  PartitionReport report =
      make_report(factory, plan, run_watched(values.flag("quiet"), words, [&](RunHooks hooks) {
                    hooks.store = store;
                    hooks.ranks = ranks.get();
                    return estimate_partition(factory, plan, hooks);
                  }));
  call.end(report.result.interrupted);
  add_search(chosen, report);
  put_first(report.notes, invocation.notes, problem);
  return {std::move(report), call.way_on()};
}

ExitCode run_logz(Invocation& invocation) {
  if (is_scan_call(invocation.values))
    return run_scan(invocation, {"cooling", "moves"},
                    [](Invocation& single, const WatchWords& words) {
                      ScanPoint point;
                      point.facts = facts_of(estimate(single, words).report);
                      return point;
                    });
  const OptionValues& values = invocation.values;
  check_page_place(values);
  const InterruptGuard interrupts;
  auto [report, way_on] = estimate(invocation, {"cooling", "moves"});
  if (report.result.interrupted)
    print_note((report.method == "ti" ? "interrupted; the estimate is from the draws so far"
                                      : "interrupted; only finished populations count") +
               way_on);
  Facts facts = facts_of(report);
  if (!values.text("report").empty())
    write_page_of(invocation, "logz", partition_page(origin_of(invocation), report), facts);
  if (print_for_programs(values, facts)) return ExitCode::done;
  if (values.flag("quiet")) report.notes.clear();
  print(to_text(report, page_layout()));
  tell_page(values);
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
      {model_options(), scanned(shell_options(), "distance"),
       scanned(cooling_law_options(), "beta"), partition_options(), page_options(false),
       checkpoint_options(true), common_options()},
      {{"nhot logz ferromagnet:8x8 -n 32 --beta 0.44", "a small lattice, by resampled populations"},
       {"nhot logz field:200,seed=1 -n 20 --method ais --ratio --json",
        "independent sites by annealed importance sampling, and the ratio to the next shell"}},
      run_logz};
  return command;
}

}  // namespace nhot::app
