#include "shell_help.hpp"

#include <algorithm>
#include <vector>

#include "commands.hpp"
#include "help.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/model/formats.hpp"
#include "nhot/move/registry.hpp"
#include "output.hpp"

namespace nhot::app {
namespace {

bool without_name(const Command& command, const OptionSpec& spec) {
  const auto& list = command.positionals;
  return std::find(list.begin(), list.end(), spec.name) != list.end();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.push_back(command->name);
  return names;
}

/// The words that an option takes; none where it takes numbers or files only.
std::vector<std::string> words_of(const OptionSpec& spec) {
  std::vector<std::string> words = spec.choices;
  if (spec.name == "move") {
    words.emplace_back("auto");
    for (const MoveKind& kind : move_kinds()) words.push_back(kind.name);
  }
  if (spec.name == "format" || spec.name == "to")
    for (const Format& format : formats()) words.push_back(format.name);
  if (spec.name == "reference") words.insert(words.end(), {"zeros", "ones"});
  if (spec.name == "start") words.emplace_back("uniform");
  return words;
}

/// The words that a command takes without an option, besides files.
std::vector<std::string> loose_words(const Command& command) {
  if (command.name == "help") {
    std::vector<std::string> words = command_names();
    words.insert(words.end(),
                 {"moves", "models", "options", "man", "completion", "bash", "zsh", "fish"});
    return words;
  }
  for (const std::string& name : command.positionals)
    for (const OptionSpec& spec : command.table)
      if (spec.name == name && spec.type == OptionType::choice) return spec.choices;
  return {};
}

std::vector<std::string> spellings(const Command& command, const OptionSpec& spec) {
  std::vector<std::string> list;
  if (without_name(command, spec)) return list;
  if (spec.short_name) list.push_back(std::string("-") + spec.short_name);
  list.push_back("--" + spec.name);
  return list;
}

std::string bash_script() {
  std::string values;   // cases of options that take a value
  std::string options;  // of every command
  for (const Command* command : commands()) {
    std::vector<std::string> all;
    for (const OptionSpec& spec : command->table) {
      const std::vector<std::string> own = spellings(*command, spec);
      all.insert(all.end(), own.begin(), own.end());
      if (spec.type == OptionType::flag || own.empty()) continue;
      std::string patterns;
      for (const std::string& spelling : own)
        patterns += (patterns.empty() ? "" : "|") + ("\"" + command->name + " " + spelling + "\"");
      values += "    " + patterns + ") words=\"" + joined(words_of(spec)) + "\"; value=yes ;;\n";
    }
    options += "    " + command->name + ") options=\"" + joined(all) + "\"; loose=\"" +
               joined(loose_words(*command)) + "\" ;;\n";
  }
  return "# Completion of nhot, made by nhot help completion. In ~/.bashrc:\n"
         "#   source <(nhot help completion bash)\n"
         "_nhot() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local command=${COMP_WORDS[1]} words='' value='' options='' loose=''\n"
         "  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W \"" +
         joined(command_names()) +
         " --help --version\" -- \"$word\"))\n"
         "    return\n"
         "  fi\n"
         "  case \"$command $before\" in\n" +
         values +
         "  esac\n"
         "  case \"$command\" in\n" +
         options +
         "  esac\n"
         "  if [ -n \"$value\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
         "  elif [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    COMPREPLY=($(compgen -W \"$loose\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _nhot nhot\n";
}

std::string zsh_script() {
  return "#compdef nhot\n"
         "# zsh reads the script of bash: source <(nhot help completion zsh)\n"
         "autoload -U +X compinit && compinit -u\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash_script();
}

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// Up to the first stop: menus have one line.
std::string first_clause(const std::string& text) {
  return text.substr(0, text.find_first_of(";:"));
}

std::string fish_script() {
  std::string text =
      "# Completion of nhot, made by nhot help completion. Put it into "
      "~/.config/fish/completions/nhot.fish\n";
  for (const Command* command : commands())
    text += "complete -c nhot -n __fish_use_subcommand -f -a " + command->name + " -d " +
            fish_quoted(command->summary) + "\n";
  for (const Command* command : commands()) {
    const std::string when = " -n '__fish_seen_subcommand_from " + command->name + "'";
    if (const auto loose = loose_words(*command); !loose.empty())
      text += "complete -c nhot" + when + " -a " + fish_quoted(joined(loose)) + "\n";
    for (const OptionSpec& spec : command->table) {
      if (without_name(*command, spec)) continue;
      text += "complete -c nhot" + when + " -l " + spec.name;
      if (spec.short_name) text += std::string(" -s ") + spec.short_name;
      if (spec.type != OptionType::flag) text += " -r";
      if (const auto words = words_of(spec); !words.empty())
        text += " -a " + fish_quoted(joined(words));
      text += " -d " + fish_quoted(first_clause(with_dashes(spec.help))) + "\n";
    }
  }
  return text;
}

/// Plain text for a line of roff.
std::string roff(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  if (!escaped.empty() && (escaped[0] == '.' || escaped[0] == '\'')) escaped.insert(0, "\\&");
  return escaped;
}

std::string tagged(const std::string& head, const std::string& text) {
  return ".TP\n.B " + roff(head) + "\n" + roff(text) + "\n";
}

std::string man_entry(const Command& command, const OptionSpec& spec) {
  const std::string value = spec.value_name.empty() ? "VALUE" : spec.value_name;
  std::string head;
  for (const std::string& spelling : spellings(command, spec))
    head += (head.empty() ? "" : ", ") + spelling;
  if (head.empty())
    head = value;
  else if (spec.type != OptionType::flag)
    head += " " + value;
  std::string help = with_dashes(spec.help);
  if (spec.type == OptionType::choice) help += ": " + joined(spec.choices);
  if (spec.type != OptionType::flag && !spec.default_value.empty())
    help += " (default: " + spec.default_value + ")";
  return tagged(head, help);
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  const std::vector<std::string> shells = {"bash", "zsh", "fish"};
  if (shell.empty())
    throw InputError("no shell is named", "write nhot help completion bash, zsh or fish");
  throw InputError("there is no completion for '" + shell + "'", unknown_name_hint(shell, shells));
}

std::string man_page() {
  std::string text = ".TH NHOT 1 \"\" \"nhot " + roff(std::string(version())) +
                     "\" \"User Commands\"\n.SH NAME\nnhot \\- sample binary vectors at an exact "
                     "Hamming distance from a reference\n.SH SYNOPSIS\n.B nhot\nCOMMAND "
                     "[options]\n.SH DESCRIPTION\nEach command explains itself with "
                     "\\-\\-help. Options of several commands mean the same everywhere.\n";
  for (const Command* command : commands()) {
    text += ".SH NHOT " + roff(command->name) + "\n" + roff(command->description) + "\n";
    for (const OptionGroup& group : command->groups) {
      text += ".SS " + roff(group.title) + "\n";
      for (const OptionSpec& spec : group.options) text += man_entry(*command, spec);
    }
    if (command->examples.empty()) continue;
    text += ".SS Examples\n";
    for (const Example& example : command->examples) text += tagged(example.line, example.what);
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_codes()) text += tagged(code, meaning);
  return text;
}

}  // namespace nhot::app
