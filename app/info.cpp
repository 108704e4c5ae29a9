// nhot info: what a model is.
#include "command.hpp"
#include "nhot/io/describe.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "text_table.hpp"

namespace nhot::app {
namespace {

std::string in_words(const Fact& fact) {
  const auto* real = std::get_if<double>(&fact.value);
  return real ? short_real(*real) : to_text(fact);
}

ExitCode run_info(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  std::vector<std::string> notes = invocation.notes;
  const Model model = model_from(values, notes);
  const std::vector<Fact> facts = describe(model);
  if (values.flag("json")) {
    nlohmann::ordered_json json;
    for (const Fact& fact : facts)
      std::visit([&](const auto& value) { json[fact.key] = value; }, fact.value);
    json["notes"] = notes;
    print_json(json);
    return ExitCode::done;
  }
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Fact& fact : facts) lines.emplace_back(fact.key, in_words(fact));
  print(key_values(lines));
  if (!values.flag("quiet"))
    for (const std::string& note : notes) print("note: " + wrap(note, "      ") + "\n");
  return ExitCode::done;
}

}  // namespace

const Command& info_command() {
  static const Command command = {
      "info",
      "describe a model",
      "Says what a model is: kind, size, couplings, connected components, bounds of the energy and "
      "a hash of everything that enters the energy.",
      {"model"},
      {model_options(), common_options()},
      {{"nhot info ferromagnet:60x60", "a lattice made by a generator"},
       {"nhot info spin-glass:4x4x4,seed=7 --json", "the same facts for a program"}},
      run_info};
  return command;
}

}  // namespace nhot::app
