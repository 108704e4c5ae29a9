// nhot help: the other texts.
#include "command.hpp"
#include "commands.hpp"
#include "help.hpp"
#include "nhot/base/nearest.hpp"
#include "output.hpp"
#include "shell_help.hpp"

namespace nhot::app {
namespace {

struct Topic {
  const char* name;
  std::string (*text)();
};
constexpr Topic topics[] = {
    {"moves", help_on_moves},
    {"models", help_on_models},
    {"options", options_document},
    {"man", man_page},
};

ExitCode run_help_command(Invocation& invocation) {
  const std::string& wanted = invocation.values.text("topic");
  if (wanted.empty()) {
    print(help_on_program());
    return ExitCode::done;
  }
  const std::string& shell = invocation.values.text("shell");
  if (wanted == "completion") {
    print(completion_script(shell));
    return ExitCode::done;
  }
  if (!shell.empty())
    throw InputError("nhot help does not know what to do with '" + shell + "'",
                     "a second word is the shell of nhot help completion");
  std::vector<std::string> known = {"completion"};
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
      {{"topic", OptionType::text, "",
        "a command, or one of moves, models, options, man, completion", "TOPIC"},
       {"shell", OptionType::text, "", "of completion: bash, zsh or fish", "[SHELL]"},
       {.name = "help",
        .type = OptionType::flag,
        .default_value = "false",
        .help = "print this help",
        .short_name = 'h'}}};
  static const Command command = {
      "help",
      "explain a command, the moves, the models or all options",
      "Prints the help of a command, or what moves, models and options there are. "
      "\"nhot help options\" prints doc/options.md, \"nhot help man\" a manual page, and \"nhot "
      "help "
      "completion bash\" (or zsh, or fish) what the shell reads to complete commands and options.",
      {"topic", "shell"},
      {group},
      {{"nhot help moves", "the moves and their parameters"},
       {"nhot help sample", "the same as nhot sample --help"},
       {"nhot help completion bash", "for ~/.bashrc: source <(nhot help completion bash)"},
       {"nhot help man", "a manual page: nhot help man > nhot.1 && man -l nhot.1"}},
      run_help_command};
  return command;
}

}  // namespace nhot::app
