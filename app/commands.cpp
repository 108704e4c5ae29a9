#include "commands.hpp"

#include "nhot/base/nearest.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::app {

const Command& sample_command();
const Command& temper_command();
const Command& anneal_command();
const Command& logz_command();
const Command& select_command();
const Command& profile_command();
const Command& info_command();
const Command& convert_command();
const Command& compare_command();
const Command& tune_command();
const Command& reproduce_command();
const Command& diagnose_command();
const Command& report_command();
const Command& help_command();
const Command& resume_command();

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> table = {
      &sample_command(),   &temper_command(), &anneal_command(),    &logz_command(),
      &compare_command(),  &tune_command(),   &reproduce_command(), &resume_command(),
      &diagnose_command(), &report_command(), &info_command(),      &convert_command(),
      &help_command(),     &select_command(), &profile_command(),
  };
  return table;
}

const Command& find_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command* command : commands()) {
    if (command->name == name) return *command;
    names.push_back(command->name);
  }
  const bool is_model = is_model_spec(name);
  throw InputError("unknown command '" + std::string(name) + "'",
                   is_model ? "name the command first: nhot sample " + std::string(name)
                            : unknown_name_hint(name, names));
}

}  // namespace nhot::app
