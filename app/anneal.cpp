// nhot anneal: the lowest energy on one shell.
#include <utility>

#include "command.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "nhot/io/bits_file.hpp"
#include "nhot/run/landscape_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "text_table.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

std::string to_text(const Bits& bits) {
  std::string text;
  for (const Bit bit : bits) text += bit ? '1' : '0';
  return text;
}

Json to_json(const Problem& problem, const AnnealingPlan& plan, const AnnealingResult& result,
             const std::vector<std::string>& notes) {
  Json json;
  json["model"] = app::to_json(problem.model);
  json["distance"] = problem.shell.distance();
  json["move"] = result.move;
  json["seed"] = plan.seed;
  json["best_energy"] = result.best_energy();
  json["seconds"] = result.seconds;
  json["seconds_to_best"] = result.seconds_to_best;
  json["reads"] = result.reads;
  json["sweeps"] = result.sweeps;
  json["longest_read"] = result.longest_read;
  json["beta_hot"] = result.hottest;
  json["beta_cold"] = result.coldest;
  json["reached_target"] = result.reached_target;
  json["interrupted"] = result.interrupted;
  json["states"] = Json::array();
  for (const FoundState& state : result.states)
    json["states"].push_back({{"energy", state.energy}, {"bits", to_text(state.bits)}});
  json["notes"] = notes;
  return json;
}

std::string to_text(const Problem& problem, const AnnealingPlan& plan,
                    const AnnealingResult& result) {
  const Model& model = problem.model;
  std::string text = key_values({
      {"model", model.name() + ": " + with_commas(model.sites()) + " sites, " +
                    with_commas(model.couplings()) + " couplings"},
      {"shell", "distance " + with_commas(problem.shell.distance())},
      {"move",
       result.move == "auto" ? "auto (single flips within one site of the shell)" : result.move},
      {"run", with_commas(result.reads) + (result.reads == 1 ? " read of " : " reads of at most ") +
                  with_commas(result.longest_read) + " sweeps from beta " +
                  significant(result.hottest, 4) + " to " + significant(result.coldest, 4) +
                  ", seed " + std::to_string(plan.seed)},
      {"time",
       short_duration(result.seconds) + ", best after " + short_duration(result.seconds_to_best)},
      {"best energy", short_real(result.best_energy())},
  });
  if (plan.target)
    text += key_values({{"target", result.reached_target ? "reached" : "not reached"}});
  if (result.states.size() > 1) {
    std::vector<std::vector<std::string>> rows = {{"state", "energy"}};
    for (std::size_t k = 0; k < result.states.size(); ++k)
      rows.push_back({std::to_string(k + 1), short_real(result.states[k].energy)});
    text += "\n" + align(rows, "");
  }
  return text;
}

ExitCode run_anneal(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  const Problem problem = problem_from(values);
  AnnealingPlan plan = annealing_plan_from(values);
  plan.start = start_from(values, problem.shell);
  const InterruptGuard interrupts;
  const AnnealingResult result = run_watched(
      values.flag("quiet"), {"annealing", "sweeps"},
      [&](const RunHooks& hooks) { return anneal(problem.model, problem.shell, plan, hooks); });
  const std::string& out = values.text("out");
  if (!out.empty()) write_bits(result.states.front().bits, out, values.flag("force"));
  std::vector<std::string> notes = invocation.notes;
  notes.insert(notes.end(), problem.notes.begin(), problem.notes.end());
  if (result.interrupted) print_note("interrupted; this is the best so far");
  if (values.flag("json")) {
    Json json = to_json(problem, plan, result, notes);
    if (!out.empty()) json["out"] = out;
    print_json(json);
    return ExitCode::done;
  }
  print(to_text(problem, plan, result));
  if (values.flag("quiet")) return ExitCode::done;
  for (const std::string& note : notes) print("note: " + wrap(note, "      ") + "\n");
  if (!out.empty()) print("best state written to " + out + "\n");
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
      {model_options(), shell_options(), annealing_options(), common_options()},
      {{"nhot anneal spin-glass:6x6x6,seed=7 -n 108 --seconds 2 --keep 5",
        "the five best states that two seconds find"},
       {"nhot anneal field:100,seed=1 -n 10 --reads 16 --json",
        "sixteen reads, the same for any number of threads, the result as JSON"}},
      run_anneal};
  return command;
}

}  // namespace nhot::app
