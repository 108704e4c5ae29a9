// nhot select: which predictors explain a response, with exactly K of them.
#include <algorithm>
#include <utility>

#include "auto_move.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "nhot/io/table.hpp"
#include "nhot/report/method_pages.hpp"
#include "nhot/result/selection.hpp"
#include "nhot/run/method_options.hpp"
#include "output.hpp"
#include "page.hpp"
#include "problem.hpp"
#include "terminal.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

/// States per chain to count: more than a verdict needs.
constexpr std::uint64_t counted_states = 8192;

Problem problem_of(const OptionValues& values) {
  const std::string& file = values.text("data");
  if (file.empty())
    throw InputError("no data is given",
                     "write nhot select DATA.csv --response Y --predictors K; the first line of "
                     "DATA names the columns");
  const Table table = read_table(file);
  if (!values.was_set("response"))
    throw InputError(
        "no response is given",
        "name the column to explain, for example --response '" + table.names.back() + "'");
  RegressionData data = regression_data(table, values.text("response"));
  const std::size_t columns = data.names.size();
  if (!values.was_set("predictors"))
    throw InputError("the number of predictors is not given",
                     "give --predictors K, 0 to " + std::to_string(columns));
  const std::int64_t wanted = values.integer("predictors");
  if (static_cast<std::uint64_t>(wanted) > columns)
    throw InputError("--predictors " + std::to_string(wanted) + " is more than the " +
                         std::to_string(columns) + " columns beside the response",
                     "give 0 to " + std::to_string(columns));
  try {
    Model model = regression(file, std::move(data), prior_from(values.text("prior")));
    Shell shell(Bits(columns, 0), static_cast<Site>(wanted));
    return {std::move(model), std::move(shell), table.notes};
  } catch (const InputError& error) {
    throw InputError(file + ": " + error.what(), error.hint());
  }
}

ExitCode run_select(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  check_page_place(values);
  const Problem problem = problem_of(values);
  RunPlan plan = plan_from(values);
  plan.states = counted_states;
  plan.verify = values.flag("verify");
  const InterruptGuard interrupts;
  const ChosenMove chosen = move_from(values, problem, 1, plan);
  const ChainFactory factory(problem.model, problem.shell, chosen.move, 1);
  Selection selection = run_watched(
      quiet, {"sampling", "moves", static_cast<double>(plan.chains)}, [&](const RunHooks& hooks) {
        return select_predictors(factory, values.text("response"), plan, hooks);
      });
  add_search(chosen, selection.run);
  put_first(selection.run.notes, invocation.notes, problem);
  if (selection.run.run.interrupted)
    print_note("interrupted; the probabilities are from the draws so far");
  Facts facts = facts_of(selection);
  if (!values.text("report").empty())
    write_page_of(invocation, "select", selection_page(origin_of(invocation), selection), facts);
  if (print_for_programs(values, facts)) return ExitCode::done;
  if (quiet) selection.run.notes.clear();
  print(to_text(selection, page_layout()));
  tell_page(values);
  return ExitCode::done;
}

/// The move, without a temperature: a posterior has none.
OptionGroup move_options() {
  OptionGroup group = law_options();
  group.title = "Move";
  std::erase_if(group.options, [](const OptionSpec& option) { return option.name == "beta"; });
  return group;
}

}  // namespace

const Command& select_command() {
  static const Command command = {
      "select",
      "which predictors explain a response, with exactly K of them",
      "Samples the posterior over linear models with exactly K of the columns of a table as "
      "predictors, and prints how probable it is that each predictor is in the model, with an "
      "error, the best subsets, and how far the result can be trusted.",
      {"data"},
      {selection_options(), move_options(), run_options(), verify_options(), page_options(true),
       common_options()},
      {{"nhot select crime.csv --response Crime --predictors 5 --moves 20000",
        "the posterior over models with five predictors of the column Crime"},
       {"nhot select crime.csv --response Crime --predictors 3 --prior bic --moves 20000 --json",
        "the same by BIC, with three, as JSON"}},
      run_select};
  return command;
}

}  // namespace nhot::app
