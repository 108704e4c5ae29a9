#include "nhot/run/method_options.hpp"

#include <algorithm>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/regression/regression.hpp"
#include "nhot/run/option_specs.hpp"

namespace nhot {
namespace {

using spec::choice;
using spec::flag;
using spec::infinity;
using spec::number;
using spec::text;
using spec::with_short;
using spec::with_words;

OptionSpec threads_option() {
  return with_words(
      number(OptionType::integer, "threads", "auto|T", "auto",
             "threads that share the work; auto is one per core. The numbers do not depend on it "
             "unless the clock ends the run",
             1, 4096),
      {"auto"});
}

OptionSpec seed_option() {
  return number(OptionType::integer, "seed", "S", "1",
                "seed of every random stream: same seed, same numbers", 0, infinity);
}

bool is_auto(const OptionValues& values, const char* name) { return values.text(name) == "auto"; }

std::uint64_t count(const OptionValues& values, const char* name) {
  return static_cast<std::uint64_t>(values.integer(name));
}

std::uint64_t count_or_auto(const OptionValues& values, const char* name) {
  return is_auto(values, name) ? 0 : count(values, name);
}

std::vector<double> list_of_betas(const std::string& text) {
  std::vector<double> betas;
  std::size_t begin = 0;
  while (begin <= text.size() && !text.empty()) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const auto beta = parse_real(std::string_view(text).substr(begin, comma - begin));
    if (!beta || *beta < 0)
      throw InputError("{betas} holds '" + text.substr(begin, comma - begin) + "'",
                       "give numbers >= 0 with commas between: {betas 0,0.1,0.2,0.4}");
    betas.push_back(*beta);
    begin = comma + 1;
  }
  return betas;
}

}  // namespace

const OptionGroup& ladder_options() {
  static const OptionGroup group = {
      "Ladder",
      {
          text("betas", "B,B,...", "",
               "the temperatures, as a list of betas; {beta} joins it when missing. Placed "
               "during warm-up, with equal rejection between neighbours, when not given"),
          number(OptionType::real, "beta-hot", "B", "0", "hot end of a placed ladder", 0, infinity),
          with_words(number(OptionType::integer, "rungs", "auto|N", "auto",
                            "temperatures of a placed ladder; auto takes twice the communication "
                            "barrier, at most 128",
                            2, 4096),
                     {"auto"}),
          with_words(
              number(OptionType::integer, "sweep", "auto|N", "auto",
                     "moves between exchanges; auto is about one step per site", 1, infinity),
              {"auto"}),
          flag("isocluster",
               "two replicas at every temperature of a ladder, which also exchange clusters of "
               "sites in which they differ; for sparse couplings. Twice the moves"),
          choice("trace", "target",
                 "which draws {out} writes: those at {beta}, or a file for every temperature",
                 {"target", "all"}),
      }};
  return group;
}

const OptionGroup& annealing_options() {
  static const OptionGroup group = {
      "Annealing",
      {
          text("move", "auto|MOVE", "auto",
               "auto takes single flips within one site of the shell, the fastest; or any move "
               "(nhot help moves)"),
          choice("schedule", "adaptive",
                 "how beta grows: slower where the energy fluctuates, by "
                 "equal steps, or by equal factors",
                 {"adaptive", "linear", "geometric"}),
          number(OptionType::integer, "reads", "N", "", "end after this many reads", 1, infinity),
          number(OptionType::real, "seconds", "S", "10",
                 "end after this time; without a limit when only {reads} is given", 0.001, 1e9),
          number(OptionType::real, "target", "E", "", "end once this energy is reached", -infinity,
                 infinity),
          with_words(number(OptionType::integer, "sweeps", "auto|N", "auto",
                            "length of a read in steps per site; auto begins with short reads and "
                            "makes each generation twice as long",
                            1, infinity),
                     {"auto"}),
          with_words(
              number(OptionType::real, "beta-hot", "auto|B", "auto",
                     "beta at the start of a read; auto follows from the model", 0, infinity),
              {"auto"}),
          with_words(number(OptionType::real, "beta-cold", "auto|B", "auto",
                            "beta at the end of a read; auto is where nothing moves any more", 0,
                            infinity),
                     {"auto"}),
          number(OptionType::integer, "keep", "N", "1", "best distinct states to return", 1, 1e6),
          number(OptionType::integer, "population", "N", "0",
                 "population annealing with this many members in a read; 0 for reads of their own",
                 0, 1e7),
          threads_option(),
          seed_option(),
          with_short(text("out", "FILE", "",
                          "write the best state to a text file that {start} and {reference} read"),
                     'o'),
          states_out_option(),
          flag("force", "replace an output file that exists"),
      }};
  return group;
}

const OptionGroup& selection_options() {
  static const OptionGroup group = {
      "Data",
      {
          text(
              "data", "DATA", "",
              "a table of numbers, comma, semicolon, tab or space separated, with the names of its "
              "columns in the first line"),
          text("response", "NAME", "", "the column to explain; all others are predictors"),
          number(OptionType::integer, "predictors", "K", "", "predictors in a model, exactly", 0,
                 infinity),
          choice("prior", "unit",
                 "what is assumed of coefficients, n rows and p columns given: Zellner's g-prior "
                 "with g = n or with g = max(n, p^2), or the approximation by BIC",
                 {std::begin(prior_names), std::end(prior_names)}),
      }};
  return group;
}

const OptionGroup& partition_options() {
  static const OptionGroup group = {
      "Partition function",
      {
          choice("method", "smc",
                 "populations that are resampled as they cool, the same without resampling, or "
                 "thermodynamic integration over a tempering run",
                 {"smc", "ais", "ti"}),
          number(OptionType::integer, "population", "N", "64", "members of a population", 2, 1e7),
          number(OptionType::integer, "populations", "N", "16",
                 "independent populations (ladders, for ti), for the error bar", 2, 1e6),
          with_words(number(OptionType::real, "share", "auto|X", "auto",
                            "share of a population that a step in temperature leaves in effect; "
                            "auto is 0.9, and 0.98 for ais",
                            0.01, 0.9999),
                     {"auto"}),
          with_words(number(OptionType::integer, "moves", "auto|N", "auto",
                            "moves of every member at every temperature; auto is about one step "
                            "per site",
                            1, infinity),
                     {"auto"}),
          flag("ratio", "also the ratio to the next shell, Z_{n+1} / Z_n; takes as long again"),
          number(OptionType::real, "seconds", "S", "10", "sampling time of ti", 0.001, 1e9),
          threads_option(),
          seed_option(),
      }};
  return group;
}

OptionSpec borrowed_option(const OptionGroup& group, const std::string& name) {
  const auto found = std::find_if(group.options.begin(), group.options.end(),
                                  [&](const OptionSpec& spec) { return spec.name == name; });
  NHOT_EXPECTS(found != group.options.end());
  return *found;
}

const OptionGroup& tuning_options() {
  static const OptionGroup group = {
      "Search",
      {borrowed_option(law_options(), "beta"),
       number(OptionType::real, "seconds", "S", "10", "time of the whole search", 0.001, 1e9),
       number(OptionType::integer, "chains", "C", "8", "chains of every trial", 2, 1e5),
       threads_option(), seed_option(),
       choice("tune-objective", "time",
              "what counts: CPU time on this machine, or moves at costs measured once, so that the "
              "same seed always ends with the same move",
              {"time", "count"})}};
  return group;
}

const OptionGroup& compared_options() {
  static const OptionGroup group = [] {
    OptionSpec move = borrowed_option(law_options(), "move");
    move.default_value.clear();
    move.repeatable = true;
    move.help = "a move to compare, as of nhot sample; give the option once for every move";
    return OptionGroup{"Law and moves", {borrowed_option(law_options(), "beta"), move}};
  }();
  return group;
}

const OptionGroup& comparison_options() {
  static const OptionGroup group = [] {
    OptionSpec seconds = borrowed_option(run_options(), "seconds");
    seconds.default_value = "5";
    seconds.help =
        "sampling time of every move, after a warm-up of a ninth of it; all moves together take "
        "as many times longer";
    OptionSpec moves = borrowed_option(run_options(), "moves");
    moves.help =
        "moves per chain of the first move, after the warm-up, instead of {seconds}; the others "
        "get the same CPU time";
    return OptionGroup{
        "Comparison",
        {seconds, moves, borrowed_option(run_options(), "chains"),
         borrowed_option(run_options(), "threads"), borrowed_option(run_options(), "seed")}};
  }();
  return group;
}

TuningPlan tuning_plan_from(const OptionValues& values) {
  TuningPlan plan = tuning_plan_for(values, values.real("seconds"));
  plan.chains = count(values, "chains");
  return plan;
}

TuningPlan tuning_plan_for(const OptionValues& values, double seconds) {
  TuningPlan plan;
  plan.seconds = seconds;
  plan.threads = count_or_auto(values, "threads");
  plan.seed = count(values, "seed");
  if (values.text("tune-objective") == "count") plan.objective = TuneObjective::count;
  return plan;
}

ComparisonPlan comparison_plan_from(const OptionValues& values) {
  ComparisonPlan plan;
  if (values.was_set("moves") && values.was_set("seconds"))
    throw InputError("{moves} and {seconds} are both given", "give one of them");
  if (values.was_set("moves"))
    plan.first_moves = count(values, "moves");
  else
    plan.seconds = values.real("seconds");
  plan.chains = count(values, "chains");
  plan.threads = count_or_auto(values, "threads");
  plan.seed = count(values, "seed");
  return plan;
}

std::vector<std::string> compared_moves(const OptionValues& values) {
  std::vector<std::string> moves = values.list("move");
  if (moves.empty())
    throw InputError("no move is given",
                     "give at least two: {move swap} and {move im:length=1..10}");
  return moves;
}

TemperingPlan tempering_plan_from(const OptionValues& values) {
  const RunPlan run = plan_from(values);
  TemperingPlan plan;
  plan.chains = run.chains;
  plan.threads = run.threads;
  plan.seed = run.seed;
  plan.moves = run.moves;
  plan.seconds = run.seconds;
  plan.warmup = run.warmup;
  plan.thin = run.thin;
  plan.betas = list_of_betas(values.text("betas"));
  plan.hottest = values.real("beta-hot");
  plan.rungs = count_or_auto(values, "rungs");
  plan.sweep = count_or_auto(values, "sweep");
  plan.isocluster = values.flag("isocluster");
  return plan;
}

AnnealingPlan annealing_plan_from(const OptionValues& values) {
  AnnealingPlan plan;
  plan.move = values.text("move");
  plan.threads = count_or_auto(values, "threads");
  plan.seed = count(values, "seed");
  if (values.was_set("reads")) plan.reads = count(values, "reads");
  if (values.was_set("seconds") || !plan.reads) plan.seconds = values.real("seconds");
  if (values.was_set("target")) plan.target = values.real("target");
  const std::string& schedule = values.text("schedule");
  plan.cooling = schedule == "linear"      ? Cooling::linear
                 : schedule == "geometric" ? Cooling::geometric
                                           : Cooling::adaptive;
  if (!is_auto(values, "beta-hot")) plan.hottest = values.real("beta-hot");
  if (!is_auto(values, "beta-cold")) plan.coldest = values.real("beta-cold");
  plan.sweeps = count_or_auto(values, "sweeps");
  plan.keep = count(values, "keep");
  plan.population = count(values, "population");
  return plan;
}

PartitionPlan partition_plan_from(const OptionValues& values) {
  PartitionPlan plan;
  const std::string& method = values.text("method");
  plan.method = method == "ais"  ? PartitionMethod::ais
                : method == "ti" ? PartitionMethod::ti
                                 : PartitionMethod::smc;
  plan.threads = count_or_auto(values, "threads");
  plan.seed = count(values, "seed");
  plan.population = count(values, "population");
  plan.populations = count(values, "populations");
  plan.share = is_auto(values, "share") ? 0 : values.real("share");
  plan.moves = count_or_auto(values, "moves");
  plan.ratio = values.flag("ratio");
  plan.move = values.text("move");
  plan.seconds = values.real("seconds");
  return plan;
}

}  // namespace nhot
