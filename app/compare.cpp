// nhot compare: several moves on one shell at equal CPU time.
#include <algorithm>
#include <cmath>
#include <memory>

#include "again.hpp"
#include "command.hpp"
#include "contest.hpp"
#include "interrupt.hpp"
#include "nhot/base/version.hpp"
#include "nhot/report/page.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "text_table.hpp"

namespace nhot::app {
namespace {

// An option declared for another command.
OptionSpec borrowed(const OptionGroup& group, const std::string& name) {
  const auto found = std::find_if(group.options.begin(), group.options.end(),
                                  [&](const OptionSpec& spec) { return spec.name == name; });
  return *found;
}

const OptionGroup& moves_group() {
  static const OptionGroup group = [] {
    OptionSpec move = borrowed(law_options(), "move");
    move.default_value.clear();
    move.repeatable = true;
    move.help = "a move to compare, as of nhot sample; give the option once for every move";
    return OptionGroup{"Law and moves", {borrowed(law_options(), "beta"), move}};
  }();
  return group;
}

const OptionGroup& race_group() {
  static const OptionGroup group = [] {
    OptionSpec seconds = borrowed(run_options(), "seconds");
    seconds.default_value = "5";
    seconds.help =
        "sampling time of every move, after a warm-up of a ninth of it; all moves together take "
        "as many times longer";
    OptionSpec moves = borrowed(run_options(), "moves");
    moves.help =
        "moves per chain of the first move, after the warm-up, instead of --seconds; the others "
        "get the same CPU time";
    return OptionGroup{"Comparison",
                       {seconds, moves, borrowed(run_options(), "chains"),
                        borrowed(run_options(), "threads"), borrowed(run_options(), "seed")}};
  }();
  return group;
}

const OptionGroup& page_group() {
  static const OptionGroup group = {
      "Page",
      {{"report", OptionType::text, "", "write a page with figures, one file that needs no network",
        "FILE.html"},
       borrowed(output_options(), "force")}};
  return group;
}

std::vector<std::string> moves_of(const OptionValues& values) {
  std::vector<std::string> moves = values.list("move");
  if (moves.empty())
    throw InputError("no move is given",
                     "give --move at least twice: --move swap --move im:length=1..10");
  return moves;
}

ComparisonPlan plan_of(const OptionValues& values, const Shell& shell) {
  ComparisonPlan plan;
  if (values.was_set("moves") && values.was_set("seconds"))
    throw InputError("--moves and --seconds are both given", "give one of them");
  if (!values.was_set("moves")) plan.seconds = values.real("seconds");
  plan.chains = static_cast<std::uint64_t>(values.integer("chains"));
  plan.threads =
      values.text("threads") == "auto" ? 0 : static_cast<std::uint64_t>(values.integer("threads"));
  plan.seed = static_cast<std::uint64_t>(values.integer("seed"));
  plan.start = start_from(values, shell);
  return plan;
}

std::vector<ContestantResult> race(const std::vector<Contestant>& contestants,
                                   const ComparisonPlan& plan, bool quiet) {
  const InterruptGuard interrupts;
  ProgressBar bar(quiet);
  ComparisonHooks hooks;
  hooks.stop = InterruptGuard::requested;
  if (bar.active())
    hooks.progress = [&](const ComparisonProgress& now) {
      bar.show("comparing", now.fraction, now.seconds, now.moves, "moves");
    };
  return run_comparison(contestants, plan, hooks);
}

// The move as it was given, so that the table stays narrow; what it became is in the JSON.
std::string label_of(const std::string& move, const std::vector<std::string>& earlier) {
  std::string label = move;
  int copy = 1;
  while (std::find(earlier.begin(), earlier.end(), label) != earlier.end())
    label = move + " (" + std::to_string(++copy) + ")";
  return label;
}

Json page_data(const Invocation& invocation, const Problem& problem,
               const std::vector<Finisher>& finishers, const std::vector<std::string>& notes) {
  Json experiment = {{"title", problem.model.name()},
                     {"command", command_again(invocation)},
                     {"conclusions", conclusions(finishers)},
                     {"notes", notes}};
  experiment.update(comparison_series(problem.model, panels(finishers)));
  Json data = {{"kind", "compare"},
               {"title", "Moves compared at equal CPU time"},
               {"version", version()},
               {"command", command_again(invocation)}};
  data["experiments"] = {{"compare", experiment}};
  Json options = Json::object();
  for (const auto& [name, value] : invocation.values.resolved())
    if (!value.empty()) options[name] = value;
  data["options"] = options;
  return data;
}

ExitCode run_compare(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const bool quiet = values.flag("quiet");
  const std::string& page = values.text("report");
  if (!page.empty()) check_page(page, values.flag("force"));
  const Problem problem = problem_from(values);
  const ComparisonPlan plan = plan_of(values, problem.shell);

  std::vector<std::unique_ptr<ChainFactory>> factories;
  std::vector<Contestant> contestants;
  std::vector<std::string> labels;
  for (const std::string& move : moves_of(values)) {
    factories.push_back(
        std::make_unique<ChainFactory>(problem.model, problem.shell, move, values.real("beta")));
    labels.push_back(label_of(move, labels));
    contestants.push_back({labels.back(), factories.back().get(), 0});
  }
  if (values.was_set("moves"))
    contestants.front().moves = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(values.integer("moves")) / (1 - plan.warmup)));
  const std::vector<ContestantResult> results = race(contestants, plan, quiet);

  std::vector<Finisher> finishers;
  for (std::size_t k = 0; k < results.size(); ++k)
    finishers.push_back({labels[k], labels[k], factories[k].get(), &results[k], true, {}, 1});
  RunPlan run_plan;
  run_plan.chains = plan.chains;
  run_plan.seed = plan.seed;
  judge_finishers(finishers, run_plan, values.text("reference"));

  std::vector<std::string> notes = invocation.notes;
  notes.insert(notes.end(), problem.notes.begin(), problem.notes.end());
  for (const Finisher& finisher : finishers)
    notes.insert(notes.end(), finisher.report.notes.begin(), finisher.report.notes.end());
  if (!page.empty())
    write_page(page, values.flag("force"), "nhot compare: " + problem.model.name(), "comparison",
               page_data(invocation, problem, finishers, notes));

  if (results.front().run.interrupted) print_note("interrupted; this is what was drawn by then");
  if (values.flag("json")) {
    Json json = {{"command", command_again(invocation)}, {"results", Json::array()}};
    for (const Finisher& finisher : finishers) json["results"].push_back(to_json(finisher));
    json["conclusions"] = conclusions(finishers);
    json["notes"] = notes;
    if (!page.empty()) json["report"] = page;
    print_json(json);
    return ExitCode::done;
  }
  print(problem.model.name() + ", distance " + with_commas(problem.shell.distance()) + ", beta " +
        values.text("beta") + ", " + with_commas(plan.chains) +
        (plan.chains == 1 ? " chain" : " chains") + " per move\n\n");
  print(finisher_table(finishers) + "\n");
  for (const Finisher& finisher : finishers) {
    if (finisher.report.verdict.converged) continue;
    print(wrap(finisher.label + " has not converged:", "  ") + "\n");
    for (const std::string& reason : finisher.report.verdict.reasons)
      print("  - " + wrap(reason, "    ") + "\n");
  }
  for (const std::string& sentence : conclusions(finishers)) print(wrap(sentence, "") + "\n");
  if (!quiet)
    for (const std::string& note : notes) print("note: " + wrap(note, "      ") + "\n");
  if (!page.empty() && !quiet) print("report: " + page + "\n");
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
      {model_options(), shell_options(), moves_group(), race_group(), page_group(),
       common_options()},
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
