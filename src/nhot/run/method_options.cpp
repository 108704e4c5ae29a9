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

OptionSpec banded(OptionSpec option) {
  option.band = true;
  return option;
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
          choice(
              "path", "temperatures",
              "what changes along the ladder: the temperature, or, of an RBM, the weights, from 0 "
              "(units that know only their biases) to what they are, at {beta}; a row's beta is "
              "then {beta} times the share of the weights",
              {"temperatures", "weights"}),
          with_words(number(OptionType::real, "beta-hot", "auto|B", "auto",
                            "hot end of a placed ladder; auto finds it during warm-up, as cold as "
                            "a replica still forgets most of its state in a sweep",
                            0, infinity),
                     {"auto"}),
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
          banded(number(OptionType::integer, "predictors", "K", "",
                        "predictors in a model, exactly; 1..8 is every number from 1 to 8, for "
                        "which {chains} is 16 when not given",
                        0, infinity)),
          choice("size-prior", "models",
                 "of several numbers of predictors: all models are equally probable beforehand, or "
                 "all numbers are, and all models of one number",
                 {"models", "sizes"}),
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

const OptionGroup& band_options() {
  static const OptionGroup group = [] {
    OptionSpec distance = borrowed_option(shell_options(), "distance");
    distance.band = true;
    distance.value_name = "LO..HI";
    distance.help =
        "the band of Hamming distances from the reference, 10..40 for all from 10 to 40; with "
        "reference zeros, of the numbers of ones";
    return OptionGroup{"Band",
                       {distance, borrowed_option(shell_options(), "reference"),
                        borrowed_option(law_options(), "beta")}};
  }();
  return group;
}

const OptionGroup& profile_options() {
  static const OptionGroup group = [] {
    OptionSpec moves = borrowed_option(run_options(), "moves");
    moves.help = "moves per chain, of one flip each, with frozen weights, instead of {seconds}";
    OptionSpec seconds = borrowed_option(run_options(), "seconds");
    seconds.help = "wall-clock time of the whole run, a fifth of it to learn the weights";
    OptionSpec warmup = borrowed_option(run_options(), "warmup");
    warmup.help =
        "moves per chain in which the weights are learned; a quarter of {moves}, or a fifth of "
        "{seconds}, when not given";
    OptionSpec chains = borrowed_option(run_options(), "chains");
    chains.default_value = "16";
    chains.min = 3;
    chains.help = "independent chains, each over the whole band; error bars come from their spread";
    return OptionGroup{
        "Profile",
        {number(OptionType::real, "mu", "MU", "0",
                "chemical potential of the law of n, P(n) ~ Z_n exp(beta mu n) on the band",
                -infinity, infinity),
         choice("anchor", "logz",
                "how log Z is made absolute where the band has no shell of one state: by "
                "populations cooled on its first shell, as of nhot logz, or not, relative to it",
                {"logz", "none"}),
         moves, seconds, warmup, chains, threads_option(), seed_option()}};
  }();
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
  if (values.text("path") == "weights") plan.path = LadderPath::weights;
  plan.finds_hottest = is_auto(values, "beta-hot");
  if (!plan.finds_hottest) plan.hottest = values.real("beta-hot");
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

ShellBand profile_band(const OptionValues& values) {
  if (const auto band = band_from(values)) return *band;
  throw InputError(
      "a profile is over a band of shells, and {distance " + values.text("distance") + "} is one",
      "give {distance 10..40}, or {distance 0..M} with the number of sites for M");
}

BandPlan band_plan_from(const OptionValues& values) {
  BandPlan plan;
  if (values.was_set("moves") && values.was_set("seconds"))
    throw InputError("{moves} and {seconds} are both given", "give one of them");
  if (values.was_set("moves"))
    plan.moves = count(values, "moves");
  else
    plan.seconds = values.real("seconds");
  if (values.was_set("warmup")) plan.warmup = count(values, "warmup");
  plan.chains = count(values, "chains");
  plan.threads = count_or_auto(values, "threads");
  plan.seed = count(values, "seed");
  return plan;
}

ProfilePlan profile_plan_from(const OptionValues& values) {
  ProfilePlan plan;
  static_cast<BandPlan&>(plan) = band_plan_from(values);
  plan.absolute = values.text("anchor") == "logz";
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
