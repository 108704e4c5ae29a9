// nhot help: the other texts.
#include "command.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "nhot/base/nearest.hpp"
#include "output.hpp"

namespace nhot::app {
namespace {

struct Topic {
  const char* name;
  std::string (*text)();
};
constexpr Topic topics[] = {
    {"moves", help_on_moves}, {"models", help_on_models}, {"options", options_document}};

ExitCode run_help_command(Invocation& invocation) {
  const std::string& wanted = invocation.values.text("topic");
  if (wanted.empty()) {
    print(help_on_program());
    return ExitCode::done;
  }
  std::vector<std::string> known;
  for (const Topic& topic : topics) {
    if (wanted == topic.name) {
      print(topic.text());
      return ExitCode::done;
    }
    known.emplace_back(topic.name);
  }
  for (const Command* command : commands()) {
    if (wanted == command->name) {
      print(help_on(*command));
      return ExitCode::done;
    }
    known.push_back(command->name);
  }
  throw InputError("there is no help on '" + wanted + "'", unknown_name_hint(wanted, known));
}

}  // namespace

const Command& help_command() {
  static const OptionGroup group = {
      "Help",
      {{"topic", OptionType::text, "", "a command, or one of moves, models, options", "TOPIC"},
       {.name = "help",
        .type = OptionType::flag,
        .default_value = "false",
        .help = "print this help",
        .short_name = 'h'}}};
  static const Command command = {
      "help",
      "explain a command, the moves, the models or all options",
      "Prints the help of a command, or what moves, models and options there are. "
      "\"nhot help options\" prints doc/options.md.",
      {"topic"},
      {group},
      {{"nhot help moves", "the moves and their parameters"},
       {"nhot help sample", "the same as nhot sample --help"}},
      run_help_command};
  return command;
}

}  // namespace nhot::app
