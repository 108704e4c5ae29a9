// nhot anneal: the lowest energy on one shell.
#include <utility>

#include "checkpoint.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/bits_file.hpp"
#include "nhot/report/method_pages.hpp"
#include "nhot/result/annealing_report.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "ranks.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

ExitCode run_anneal(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  CheckpointedCall call(invocation, {"reads", "seconds"});
  check_states_out(values);
  check_page_place(values);
  const Problem problem = call.problem();
  AnnealingPlan plan = annealing_plan_from(values);
  plan.start = call.start(problem.shell);
  const InterruptGuard interrupts;
  StateStore* const store = call.begin(problem, plan.start);
  const auto ranks = ranks_for(values, problem);
  AnnealingReport report =
      make_report(problem.model, problem.shell, plan,
                  run_watched(values.flag("quiet"), {"annealing", "sweeps"}, [&](RunHooks hooks) {
                    hooks.store = store;
                    hooks.ranks = ranks.get();
                    return anneal(problem.model, problem.shell, plan, hooks);
                  }));
  const std::string& out = values.text("out");
  if (!out.empty()) write_bits(report.result.states.front().bits, out, values.flag("force"));
  call.end(report.result.interrupted);
  put_first(report.notes, invocation.notes, problem);
  if (report.result.interrupted) print_note("interrupted; this is the best so far" + call.way_on());
  Facts facts = facts_of(report);
  if (!out.empty()) facts.emplace_back("out", out);
  std::vector<PackedBits> packed;
  for (const FoundState& state : report.result.states) packed.emplace_back(state.bits);
  std::vector<StateRow> rows;
  for (std::size_t k = 0; k < packed.size(); ++k)
    rows.push_back({k, 0, report.result.states[k].energy, &packed[k]});
  write_states_out(values, rows, problem.model.names(), facts);
  if (!values.text("report").empty())
    write_page_of(invocation, "anneal", annealing_page(origin_of(invocation), report), facts);
  if (print_for_programs(values, facts)) return ExitCode::done;
  if (values.flag("quiet")) report.notes.clear();
  print(to_text(report, page_layout()));
  if (!out.empty() && !values.flag("quiet")) print("best state written to " + out + "\n");
  tell_states_out(values);
  tell_page(values);
  return ExitCode::done;
}

}  // namespace

const Command& anneal_command() {
  static const Command command = {
      "anneal",
      "find the lowest energy on one shell",
      "Cools many walks on the shell, joins the good parts of what they find, and returns the best "
      "states. Short reads come first, longer ones after. A bound on the energy is not proved.",
      {"model"},
      {model_options(), shell_options(), annealing_options(), page_options(false),
       checkpoint_options(false), common_options()},
      {{"nhot anneal spin-glass:6x6x6,seed=7 -n 108 --seconds 2 --keep 5",
        "the five best states that two seconds find"},
       {"nhot anneal spin-glass:6x6x6,seed=7 -n 108 --reads 16 --keep 5 --report glass.html",
        "a page with the way down and pictures of the states"},
       {"nhot anneal field:100,seed=1 -n 10 --reads 16 --json",
        "sixteen reads, the same for any number of threads, the result as JSON"}},
      run_anneal};
  return command;
}

}  // namespace nhot::app
