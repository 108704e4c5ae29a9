// nhot info: what a model is.
#include "command.hpp"
#include "nhot/model/describe.hpp"
#include "output.hpp"
#include "problem.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

std::string in_words(const Fact& fact) {
  const auto* real = std::get_if<double>(&fact.value());
  return real ? short_real(*real) : to_text(fact);
}

ExitCode run_info(Invocation& invocation) {
  const OptionValues& values = invocation.values;
  std::vector<std::string> notes = invocation.notes;
  const Model model = model_from(values, notes);
  Facts facts = describe(model);
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto& [name, fact] : facts) lines.emplace_back(name, in_words(fact));
  facts.emplace_back("notes", notes);
  if (print_for_programs(values, facts)) return ExitCode::done;
  print(page_layout().key_values(lines));
  if (!values.flag("quiet")) print(page_layout().notes(notes));
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
