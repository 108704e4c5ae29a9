#include "help.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "commands.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/move/registry.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

/// Where explanations begin.
std::size_t help_column() { return std::min<std::size_t>(28, page_layout().width() / 3); }

/// A command as typed in a shell. One that is too long for a terminal goes on after a backslash,
/// with an option; in a pipe it stays on its line.
std::string shell_lines(const std::string& command) {
  if (!output_columns()) return command;
  const std::size_t room = page_layout().width() - 2 - 4 - 2;  // indents, and the backslash
  std::string text;
  std::size_t column = 0;
  for (std::size_t at = 0; at < command.size();) {
    const std::size_t end = std::min(command.find(" -", at + 1), command.size());
    if (column > 0 && column + end - at > room) {
      text += " \\\n     ";
      column = 4;
    }
    text += command.substr(at, end - at);
    column += end - at;
    at = end;
  }
  return text;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string value_name(const OptionSpec& spec) {
  return spec.value_name.empty() ? "VALUE" : spec.value_name;
}

struct ExitMeaning {
  ExitCode code;
  const char* meaning;
};

constexpr std::array<ExitMeaning, 5> exit_meanings = {{
    {ExitCode::done, "done"},
    {ExitCode::input, "something that you can mend; the message says what is wrong and what to do"},
    {ExitCode::environment, "the environment: a file, a disk, memory"},
    {ExitCode::bug, "a bug in nhot"},
    {ExitCode::interrupted,
     "interrupted by Ctrl-C or SIGTERM; what there was by then is printed and written"},
}};

bool is_positional(const Command& command, const OptionSpec& spec) {
  const auto& list = command.positionals;
  return std::find(list.begin(), list.end(), spec.name) != list.end();
}

// "-n, --distance N", or "MODEL" for a positional.
std::string spelling(const Command& command, const OptionSpec& spec) {
  if (is_positional(command, spec)) return value_name(spec);
  std::string text = spec.short_name ? std::string("-") + spec.short_name + ", " : "    ";
  text += "--" + spec.name;
  if (spec.type != OptionType::flag) text += " " + value_name(spec);
  return text;
}

bool shows_default(const OptionSpec& spec) {
  return spec.type != OptionType::flag && !spec.default_value.empty();
}

std::string entry(const std::string& head, const std::string& help) {
  std::string text = "  " + head;
  const std::string indent(help_column(), ' ');
  if (text.size() + 2 > indent.size())
    text += "\n" + indent;
  else
    text += std::string(indent.size() - text.size(), ' ');
  return text + page_layout().wrap(help, indent) + "\n";
}

std::string usage(const Command& command) {
  std::string text = "nhot " + command.name;
  for (const std::string& name : command.positionals) {
    const auto spec = std::find_if(command.table.begin(), command.table.end(),
                                   [&](const OptionSpec& s) { return s.name == name; });
    text += " " + (spec == command.table.end() ? upper(name) : value_name(*spec));
  }
  return text + " [options]";
}

// --- markdown ------------------------------------------------------------------------------------

std::string code(const std::string& text) { return text.empty() ? "" : "`" + text + "`"; }

std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

std::string range(const OptionSpec& spec) {
  if (spec.type == OptionType::flag) return "";
  if (spec.type == OptionType::choice) {
    std::string text;
    for (const std::string& choice : spec.choices)
      text += (text.empty() ? "" : ", ") + code(choice);
    return text;
  }
  if (spec.type == OptionType::text) return "";
  std::string text = spec.type == OptionType::integer ? "whole number" : "number";
  // Limits that only guard against overflow are not worth telling.
  const bool low = std::isfinite(spec.min);
  const bool high = std::isfinite(spec.max) && spec.max < 1e8;
  if (low && high)
    text += ", " + format_real(spec.min) + " to " + format_real(spec.max);
  else if (low)
    text += ", at least " + format_real(spec.min);
  for (const std::string& word : spec.choices) text += ", or " + code(word);
  return text;
}

std::string markdown_row(const std::string& name, const OptionSpec& spec) {
  return "| " + cell(code(name)) + " | " + cell(range(spec)) + " | " +
         cell(shows_default(spec) ? code(spec.default_value) : "") + " | " +
         cell(with_dashes(spec.help)) + " |\n";
}

constexpr const char* table_head = "| option | value | default | meaning |\n|---|---|---|---|\n";

std::string markdown_spelling(const OptionSpec& spec, bool positional) {
  if (positional) return value_name(spec);
  std::string text = "--" + spec.name;
  if (spec.type != OptionType::flag) text += " " + value_name(spec);
  if (spec.short_name) text += std::string(", -") + spec.short_name;
  return text;
}

bool has_group(const Command& command, const std::string& title) {
  return std::any_of(command.groups.begin(), command.groups.end(),
                     [&](const OptionGroup& group) { return group.title == title; });
}

/// Whether a command that has the group takes the option without its name.
bool is_positional_in(const OptionGroup& group, const OptionSpec& spec) {
  return std::any_of(commands().begin(), commands().end(), [&](const Command* command) {
    return has_group(*command, group.title) && is_positional(*command, spec);
  });
}

std::string group_section(const OptionGroup& group) {
  std::string users;
  for (const Command* command : commands())
    if (has_group(*command, group.title))
      users += (users.empty() ? "" : ", ") + code(command->name);
  std::string text = "## " + group.title + "\n\nOf " + users + ".\n\n" + table_head;
  for (const OptionSpec& spec : group.options)
    text += markdown_row(markdown_spelling(spec, is_positional_in(group, spec)), spec);
  return text + "\n";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> exit_codes() {
  std::vector<std::pair<std::string, std::string>> list;
  for (const ExitMeaning& exit : exit_meanings)
    list.emplace_back(std::to_string(static_cast<int>(exit.code)), exit.meaning);
  return list;
}

std::string help_on_program() {
  std::string text =
      page_layout().wrap(
          "nhot samples binary vectors at an exact Hamming distance from a reference vector.", "") +
      "\n\nUsage: nhot COMMAND [options]\n\nCommands:\n";
  for (const Command* command : commands()) text += entry(command->name, command->summary);
  text += "\nOptions:\n" +
          entry("--help, -h", "print this help; nhot COMMAND --help explains a command") +
          entry("--version, -V", "print the version") + "\nExit codes:\n";
  for (const ExitMeaning& exit : exit_meanings)
    text += entry(std::to_string(static_cast<int>(exit.code)), exit.meaning);
  text += "\nMore: nhot help moves | models | options | man | completion\n\nExamples:\n";
  for (const Command* command : commands())
    if (!command->examples.empty() && command->name != "help")
      text += "  " + shell_lines(command->examples.front().line) + "\n";
  return text;
}

std::string help_on(const Command& command) {
  std::string text =
      "Usage: " + usage(command) + "\n\n" + page_layout().wrap(command.description, "") + "\n";
  for (const OptionGroup& group : command.groups) {
    text += "\n" + group.title + ":\n";
    for (const OptionSpec& spec : group.options) {
      std::string help = with_dashes(spec.help);
      if (spec.type == OptionType::choice) {
        help += ":";
        for (const std::string& choice : spec.choices) help += " " + choice;
      }
      if (shows_default(spec)) help += " (default: " + spec.default_value + ")";
      text += entry(spelling(command, spec), help);
    }
  }
  if (!command.examples.empty()) text += "\nExamples:\n";
  for (const Example& example : command.examples)
    text += "  " + shell_lines(example.line) + "\n      " +
            page_layout().wrap(example.what, "      ") + "\n";
  return text;
}

std::string help_on_moves() {
  std::string text = page_layout().wrap(
                         "A move is NAME or NAME:key=value,key=value. A mixture is weight*move + "
                         "weight*move, and one in parentheses is a move.",
                         "") +
                     "\n";
  for (const MoveKind& kind : move_kinds()) {
    text += "\n" + kind.name + "\n    " + page_layout().wrap(with_dashes(kind.help), "    ") + "\n";
    for (const OptionSpec& spec : kind.options) {
      std::string help = with_dashes(spec.help);
      for (std::size_t k = 0; k < spec.choices.size(); ++k)
        help += (k ? ", " : ": ") + spec.choices[k];
      if (shows_default(spec)) help += " (default: " + spec.default_value + ")";
      text += entry("  " + spec.name + "=" + value_name(spec), help);
    }
  }
  return text +
         "\nExamples:\n  --move swap\n  --move im:length=90,bias=logistic,gamma=beta\n"
         "  --move \"0.7*im:length=1..25 + 0.3*swap\"\n";
}

std::string help_on_models() {
  std::string text = "A model is made by a generator or read from a file.\n\nGenerators:\n";
  for (const GeneratorHelp& generator : generator_help())
    text += "  " + page_layout().wrap(generator.usage, "    ") + "\n      " +
            page_layout().wrap(generator.help, "      ") + "\n";
  text += "\nFiles (--format NAME when the extension does not tell):\n";
  for (const Format& format : formats()) {
    std::string head = format.name;
    for (const std::string& extension : format.extensions) head += " " + extension;
    text += entry(head, format.holds);
  }
  return text;
}

std::string options_document() {
  std::string text =
      "# Options\n\n"
      "Made by `nhot help options` from the declarations in the sources; a test compares the two.\n"
      "In a file for `--config` the keys are the same names without dashes, at the top of the file "
      "or in a table that bears the name of a command.\n\n"
      "Text is as wide as the terminal, or as the environment variable COLUMNS says. In a pipe or "
      "a "
      "file it is wrapped at 100 columns, and a row of a table is a line.\n\n";
  std::vector<std::string> seen;
  for (const Command* command : commands())
    for (const OptionGroup& group : command->groups) {
      if (std::find(seen.begin(), seen.end(), group.title) != seen.end()) continue;
      seen.push_back(group.title);
      text += group_section(group);
    }
  text += "## Moves\n\n`--move NAME:key=value,...`\n\n";
  for (const MoveKind& kind : move_kinds()) {
    text += "### " + kind.name + "\n\n" + with_dashes(kind.help) + "\n\n";
    if (kind.options.empty()) continue;
    text += table_head;
    for (const OptionSpec& spec : kind.options)
      text += markdown_row(spec.name + "=" + value_name(spec), spec);
    text += "\n";
  }
  text += "## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const ExitMeaning& exit : exit_meanings)
    text += "| " + std::to_string(static_cast<int>(exit.code)) + " | " + exit.meaning + " |\n";
  return text;
}

}  // namespace nhot::app
