#include "nhot/run/options.hpp"

#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/diagnose/chain_comparison.hpp"
#include "nhot/run/option_specs.hpp"

namespace nhot {

using spec::choice;
using spec::flag;
using spec::infinity;
using spec::number;
using spec::text;
using spec::with_short;
using spec::with_words;

const OptionGroup& model_options() {
  static const OptionGroup group = {
      "Model",
      {
          text("model", "MODEL", "",
               "what to sample: a generator such as ferromagnet:60x60, or a file "
               "(nhot help models lists both)"),
          text("format", "NAME", "",
               "format of the model file; found by the extension when not given"),
      }};
  return group;
}

const OptionGroup& shell_options() {
  static const OptionGroup group = {
      "Shell",
      {
          with_short(number(OptionType::integer, "distance", "N", "",
                            "Hamming distance from the reference, 0 to the number of sites; with "
                            "reference zeros, the number of ones",
                            0, infinity),
                     'n'),
          text("reference", "zeros|ones|FILE", "zeros",
               "the state that distances are measured from; a file holds one 0 or 1 per site"),
          text("start", "uniform|FILE", "uniform",
               "where chains start: each from its own uniform draw on the shell, or all from the "
               "state in a file"),
      }};
  return group;
}

namespace {

OptionGroup law_with(const std::string& move, const std::string& about_auto) {
  return {"Law and move",
          {
              number(OptionType::real, "beta", "B", "1",
                     "inverse temperature: states are drawn in proportion to exp(-beta E)", 0,
                     infinity),
              text("move", "auto|MOVE", move,
                   "a move with its parameters, NAME[:key=value,...], or a mixture such as "
                   "\"0.7*im:length=1..25 + 0.3*swap\" (nhot help moves lists all); auto " +
                       about_auto),
              choice("tune-objective", "count",
                     "what that search counts: moves at costs measured once, so that the same seed "
                     "always ends with the same move, or CPU time on this machine",
                     {"count", "time"}),
          }};
}

}  // namespace

const OptionGroup& law_options() {
  static const OptionGroup group =
      law_with("auto",
               "searches for the fastest before the run, for a tenth of its time; im where that is "
               "less than a twentieth of a second");
  return group;
}

const OptionGroup& cooling_law_options() {
  static const OptionGroup group =
      law_with("im",
               "searches for the fastest at {beta} before the run, for a tenth of its time; of an "
               "RBM the default is swap");
  return group;
}

const OptionGroup& run_options() {
  static const OptionGroup group = {
      "Run",
      {
          number(OptionType::integer, "moves", "N", "", "moves per chain, after the warm-up", 1,
                 infinity),
          number(OptionType::real, "seconds", "S", "10",
                 "wall-clock time of sampling, after the warm-up, instead of {moves}; the numbers "
                 "then depend on the speed of the machine",
                 0.001, 1e9),
          number(OptionType::integer, "warmup", "N", "",
                 "moves per chain before sampling begins; a tenth of the run when not given", 0,
                 infinity),
          with_words(number(OptionType::integer, "thin", "auto|N", "auto",
                            "moves between kept draws; auto keeps at most 20,000 draws per chain, "
                            "and no more than can be recorded in a few percent of the time",
                            1, infinity),
                     {"auto"}),
          number(OptionType::integer, "chains", "C", "4", "independent chains", 1, 65536),
          with_words(number(OptionType::integer, "threads", "auto|T", "auto",
                            "threads that share the chains; auto is one per core. The numbers do "
                            "not depend on it",
                            1, 4096),
                     {"auto"}),
          number(OptionType::integer, "seed", "S", "1",
                 "seed of every random stream: same seed, same numbers", 0, infinity),
      }};
  return group;
}

const OptionGroup& output_options() {
  static const OptionGroup group = {
      "Output",
      {
          with_short(
              text("out", "RUN.nc", "", "write the draws to a netCDF-4 file that ArviZ reads"),
              'o'),
          flag("force", "replace an output file that exists"),
          with_words(
              number(OptionType::integer, "states", "auto|N", "auto",
                     "states per chain to keep in the output file, evenly spaced; auto "
                     "keeps those that chains are compared by, up to 512; at least 16, or 0 for "
                     "none",
                     0, 1e9),
              {"auto"}),
          states_out_option(),
      }};
  return group;
}

OptionSpec states_out_option() {
  return text("states-out", "FILE", "",
              "write the kept states (of annealing, the best ones) for other programs: FILE.csv "
              "with energies, FILE.npy, or FILE.txt with a line of 0 and 1 per state");
}

const OptionGroup& verify_options() {
  static const OptionGroup group = {
      "Verdict",
      {
          choice(
              "until", "limit",
              "when to stop: at {moves} or {seconds}, or before, as soon as the verdict is yes at "
              "two looks in a row; the run is looked at after numbers of draws, so that the "
              "result does not depend on the speed of the machine",
              {"limit", "converged"}),
          number(OptionType::integer, "ess", "N", "",
                 "stop as {until converged} does, with N effective draws of every observable at "
                 "least, over all chains",
                 1, infinity),
          flag("verify",
               "ask a second witness, which finds valleys that all chains miss: populations "
               "cooled from beta = 0, whose means must agree with those of the chains"),
      }};
  return group;
}

const OptionGroup& resume_options() {
  static const OptionGroup group = {"Going on",
                                    {
                                        text("resume", "RUN.nc", "",
                                             "go on with the chains of a run file for {moves} or "
                                             "{seconds} more, or for what is left of what it was "
                                             "asked for; model, shell, law "
                                             "and move are those of the file, and the result goes "
                                             "there too unless {out} is given. MODEL says where "
                                             "the file of the model is now when it was moved"),
                                    }};
  return group;
}

OptionTable concatenate(const std::vector<OptionGroup>& groups) {
  OptionTable table;
  for (const OptionGroup& group : groups)
    table.insert(table.end(), group.options.begin(), group.options.end());
  return table;
}

const std::vector<std::vector<std::string>>& exclusive_options() {
  static const std::vector<std::vector<std::string>> groups = {{"moves", "seconds"}};
  return groups;
}

void ask_for_states(RunPlan& plan, const OptionValues& values, bool to_file) {
  if (!to_file || values.text("states") == "auto") return;
  const auto asked = static_cast<std::uint64_t>(values.integer("states"));
  plan.write_states = asked > 0;
  plan.states_asked = asked > 0;
  // Chains are compared by states, whether a file gets them or not.
  if (asked > 0) plan.states = std::max<std::uint64_t>(asked, fewest_compared_states);
}

void ask_for_states(TemperingPlan& plan, const OptionValues& values, bool to_file) {
  RunPlan asked;
  ask_for_states(asked, values, to_file);
  plan.states = asked.states;
  plan.states_asked = asked.states_asked;
  plan.write_states = asked.write_states;
}

Shell shell_from(const OptionValues& values, const Model& model, Bits reference) {
  const Site sites = model.sites();
  const std::string range = "give {distance N} with N between 0 and " + std::to_string(sites);
  if (!values.was_set("distance"))
    throw InputError("{distance} is not given",
                     range + "; half of the sites is {distance " + std::to_string(sites / 2) + "}");
  const std::int64_t distance = values.integer("distance");
  if (distance > std::int64_t{sites})
    throw InputError("{distance} is " + std::to_string(distance) + " but " + model.name() +
                         " has " + std::to_string(sites) + " sites",
                     range);
  if (reference.empty()) reference.assign(sites, 0);
  if (reference.size() != sites)
    throw InputError("the reference has " + std::to_string(reference.size()) + " values for " +
                         std::to_string(sites) + " sites",
                     "give one 0 or 1 per site");
  return Shell(std::move(reference), static_cast<Site>(distance));
}

RunPlan plan_from(const OptionValues& values) {
  const auto count = [&](const char* name) {
    return static_cast<std::uint64_t>(values.integer(name));
  };
  RunPlan plan;
  if (values.was_set("moves") && values.was_set("seconds"))
    throw InputError("{moves} and {seconds} are both given", "give one of them");
  if (values.was_set("moves"))
    plan.moves = count("moves");
  else
    plan.seconds = values.real("seconds");
  if (values.was_set("ess"))
    plan.until = StopRule{values.real("ess")};
  else if (values.was_set("until") && values.text("until") == "converged")
    plan.until = StopRule{};
  if (values.was_set("ess") && values.was_set("until") && values.text("until") != "converged")
    throw InputError("{ess} asks for a stop that {until limit} excludes", "leave out one of them");
  if (values.was_set("warmup")) plan.warmup = count("warmup");
  plan.thin = values.text("thin") == "auto" ? 0 : count("thin");
  plan.chains = count("chains");
  plan.threads = values.text("threads") == "auto" ? 0 : count("threads");
  plan.seed = count("seed");
  return plan;
}

}  // namespace nhot
