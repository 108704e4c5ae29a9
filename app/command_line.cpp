#include "command_line.hpp"

#include <algorithm>
#include <string_view>

#include "output.hpp"

namespace nhot::app {
namespace {

bool about_output(std::string_view name) {
  return is_common_option(name) || name == "force" || name == "report";
}

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_again(const Invocation& invocation) {
  const Command& command = *invocation.command;
  const OptionValues& values = invocation.values;
  std::string text = "nhot " + command.name;
  for (const std::string& name : command.positionals)
    for (const std::string& value : values.list(name)) text += " " + shell_word(value);
  for (const OptionSpec& spec : command.table) {
    const auto is = [&](std::string_view name) { return name == spec.name; };
    if (!values.was_set(spec.name) || about_output(spec.name) ||
        std::any_of(command.positionals.begin(), command.positionals.end(), is))
      continue;
    if (spec.type == OptionType::flag) {
      if (values.flag(spec.name)) text += " --" + spec.name;
      continue;
    }
    for (const std::string& value : values.list(spec.name))
      text += " --" + spec.name + " " + shell_word(value);
  }
  return text;
}

}  // namespace nhot::app
