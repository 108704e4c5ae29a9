// nhot logz: the log of the partition function of one shell.
#include <cmath>
#include <utility>

#include "command.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "nhot/run/landscape_options.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "text_table.hpp"
#include "watch.hpp"

namespace nhot::app {
namespace {

std::string plus_minus(const LogEstimate& estimate) {
  if (std::isnan(estimate.value)) return "no estimate";
  return to_resolution(estimate.value, estimate.stderr_value) + " +- " +
         significant(estimate.stderr_value, 2);
}

Json to_json(const ChainFactory& factory, const OptionValues& values, const PartitionResult& result,
             const std::vector<std::string>& notes) {
  Json json;
  json["model"] = app::to_json(factory.model());
  json["distance"] = factory.shell().distance();
  json["beta"] = factory.beta();
  json["move"] = factory.move();
  json["engine"] = factory.engine();
  json["method"] = values.text("method");
  json["seed"] = values.integer("seed");
  json["log_z"] = result.log_z.value;
  json["stderr"] = result.log_z.stderr_value;
  json["log_states"] = result.log_states;
  if (result.has_ratio)
    json["ratio"] = {{"distance", factory.shell().distance() + 1},
                     {"log_ratio", result.log_ratio.value},
                     {"stderr", result.log_ratio.stderr_value}};
  else if (values.flag("ratio"))
    json["ratio"] = nullptr;
  json["log_z_of"] = result.log_z_of;
  json["betas"] = result.betas;
  json["effective_share"] = result.effective_share;
  json["families"] = result.families;
  json["moves"] = result.moves;
  json["seconds"] = result.seconds;
  json["interrupted"] = result.interrupted;
  json["notes"] = notes;
  return json;
}

std::string to_text(const ChainFactory& factory, const OptionValues& values,
                    const PartitionResult& result) {
  const Model& model = factory.model();
  std::vector<std::pair<std::string, std::string>> lines = {
      {"model", model.name() + ": " + with_commas(model.sites()) + " sites, " +
                    with_commas(model.couplings()) + " couplings"},
      {"shell", "distance " + with_commas(factory.shell().distance()) + ", beta " +
                    short_real(factory.beta())},
      {"move", factory.move()},
      {"method", values.text("method") + ", " + std::to_string(result.betas.size()) +
                     " temperatures, " + std::to_string(result.log_z_of.size()) +
                     " independent estimates"},
      {"time", short_duration(result.seconds)},
      {"log states", significant(result.log_states, 10)},
      {"log Z", plus_minus(result.log_z)},
  };
  if (result.has_ratio) lines.emplace_back("log Z_{n+1}/Z_n", plus_minus(result.log_ratio));
  return key_values(lines);
}

ExitCode run_logz(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  if (values.was_set("start") && values.text("start") != "uniform")
    throw InputError("logz cannot begin from a given state",
                     "leave out --start: the estimate needs uniform draws at beta = 0");
  const Problem problem = problem_from(values);
  const PartitionPlan plan = partition_plan_from(values);
  const ChainFactory factory(problem.model, problem.shell, values.text("move"),
                             values.real("beta"));
  const InterruptGuard interrupts;
  const PartitionResult result =
      run_watched(values.flag("quiet"), {"cooling", "moves"},
                  [&](const RunHooks& hooks) { return estimate_partition(factory, plan, hooks); });
  std::vector<std::string> notes = invocation.notes;
  if (!factory.confined().empty()) notes.push_back(factory.confined());
  for (const auto* more : {&problem.notes, &factory.notes(), &result.notes})
    notes.insert(notes.end(), more->begin(), more->end());
  if (result.interrupted)
    print_note(plan.method == PartitionMethod::ti
                   ? "interrupted; the estimate is from the draws so far"
                   : "interrupted; only finished populations count");
  if (values.flag("json")) {
    print_json(to_json(factory, values, result, notes));
    return ExitCode::done;
  }
  print(to_text(factory, values, result));
  if (!values.flag("quiet"))
    for (const std::string& note : notes) print("note: " + wrap(note, "      ") + "\n");
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
      {model_options(), shell_options(), law_options(), partition_options(), common_options()},
      {{"nhot logz ferromagnet:8x8 -n 32 --beta 0.44", "a small lattice, by resampled populations"},
       {"nhot logz field:200,seed=1 -n 20 --method ais --ratio --json",
        "independent sites by annealed importance sampling, and the ratio to the next shell"}},
      run_logz};
  return command;
}

}  // namespace nhot::app
