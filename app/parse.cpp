#include "parse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "config_file.hpp"
#include "nhot/base/nearest.hpp"

namespace nhot::app {
namespace {

struct Tokens {
  std::vector<std::pair<std::string, std::string>> options;  // name and value
  std::vector<std::string> words;                            // without a name
  std::vector<std::string> unknown;                          // options nobody declared
};

bool is_positional(const Command& command, const std::string& name) {
  const auto& list = command.positionals;
  return std::find(list.begin(), list.end(), name) != list.end();
}

// CLI11 takes the words apart; what they mean is checked elsewhere, against the declarations.
Tokens tokenise(const Command& command, std::vector<std::string> words) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Tokens tokens;
  std::vector<std::pair<const OptionSpec*, CLI::Option*>> declared;
  std::vector<std::vector<std::string>> values(command.table.size());
  for (std::size_t k = 0; k < command.table.size(); ++k) {
    const OptionSpec& spec = command.table[k];
    if (is_positional(command, spec.name)) continue;
    std::string names = "--" + spec.name;
    if (spec.short_name) names = std::string("-") + spec.short_name + "," + names;
    CLI::Option* option = spec.type == OptionType::flag
                              ? app.add_flag(names)
                              : app.add_option(names, values[k])->allow_extra_args(false);
    declared.emplace_back(&spec, option);
  }
  app.add_option("words", tokens.words);
  try {
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    throw InputError("option " + what.substr(0, what.find(':')) + " needs a value",
                     "nhot " + command.name + " --help shows what it takes");
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what(), "nhot " + command.name + " --help lists the options");
  }
  for (const auto& [spec, option] : declared)
    for (const std::string& value : option->results())
      tokens.options.emplace_back(spec->name, value);
  for (const std::string& extra : app.remaining())
    if (extra != "--") tokens.unknown.push_back(extra);
  return tokens;
}

/// Options of other programs: what people try, and the option that is meant.
struct Tried {
  std::vector<std::string> names;
  std::string option;
  std::string shown;  // as it is typed
  std::string meaning;
};
const std::vector<Tried>& tried_names() {
  static const std::vector<Tried> table = {
      {{"--temperature", "--temp", "-T"}, "beta", "--beta", "the inverse temperature"},
      {{"-k", "--k", "--count", "--size", "--ones", "--cardinality"},
       "distance",
       "-n",
       "the distance from the reference: with zeros, the number of ones"},
      {{"--steps", "--iterations", "--samples", "--draws"}, "moves", "--moves", "moves per chain"},
      {{"--time", "--timeout", "-t"}, "seconds", "--seconds", "the time of sampling"},
      {{"--burn-in", "--burnin", "--burn"}, "warmup", "--warmup", "moves before sampling begins"},
      {{"--output", "--save"}, "out", "--out", "the file to write"},
      {{"--num-reads", "--num_reads"}, "reads", "--reads", "the number of reads"},
  };
  return table;
}

/// "--beta 0.440529 (...)" for "--temperature 2.27"; empty where nothing is known by that name.
std::string meant(const Command& command, const std::string& name, const std::string& value) {
  for (const Tried& tried : tried_names()) {
    if (std::find(tried.names.begin(), tried.names.end(), name) == tried.names.end()) continue;
    if (!command.has_option(tried.option)) return "";
    const auto number = parse_real(value);
    std::string text = tried.shown;
    if (tried.option == "beta")
      text += number && *number > 0 ? " " + format_real(parse_real(short_real(1 / *number)).value())
                                    : " 1/T";
    else if (number)
      text += " " + value;
    return text + " (" + tried.meaning + ")";
  }
  return "";
}

/// The word after an option, or behind its "=".
std::string value_after(const std::vector<std::string>& words, const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string::npos) return word.substr(equals + 1);
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& word,
                                 const std::vector<std::string>& words) {
  const std::string name = word.substr(0, word.find('='));
  if (const std::string hint = meant(command, name, value_after(words, word)); !hint.empty())
    throw InputError("unknown option '" + name + "' of nhot " + command.name, "write " + hint);
  std::vector<std::string> known;
  for (const OptionSpec& spec : command.table)
    if (!is_positional(command, spec.name)) known.push_back("--" + spec.name);
  std::string near = nearest_name(name, known);
  for (const OptionSpec& spec : command.table)  // --n for -n
    if (spec.short_name && name == std::string("--") + spec.short_name)
      near = std::string("-") + spec.short_name + " (--" + spec.name + ")";
  throw InputError("unknown option '" + name + "' of nhot " + command.name,
                   (near.empty() ? "" : "did you mean " + near + "? ") + "nhot " + command.name +
                       " --help lists the options");
}

/// "--beta --moves 10": the value was forgotten, and the next option stands in its place.
void check_values(const Command& command, const Tokens& tokens) {
  for (const auto& [name, value] : tokens.options)
    for (const OptionSpec& spec : command.table)
      if (value == "--" + spec.name && !is_positional(command, spec.name))
        throw InputError("option --" + name + " needs a value, and " + value + " follows",
                         "nhot " + command.name + " --help shows what it takes");
}

bool takes_many(const Command& command, const std::string& name) {
  return std::any_of(command.table.begin(), command.table.end(),
                     [&](const OptionSpec& spec) { return spec.name == name && spec.repeatable; });
}

// Words without a name belong to the positionals, in order; the last one may take all that is left.
void place_words(const Command& command, Tokens& tokens) {
  const auto& positionals = command.positionals;
  const bool many = !positionals.empty() && takes_many(command, positionals.back());
  if (tokens.words.size() > positionals.size() && !many)
    throw InputError("nhot " + command.name + " does not know what to do with '" +
                         tokens.words[positionals.size()] + "'",
                     "nhot " + command.name + " --help shows how it is called");
  for (std::size_t k = 0; k < tokens.words.size(); ++k)
    tokens.options.emplace_back(positionals[std::min(k, positionals.size() - 1)], tokens.words[k]);
}

// True when the command line sets the option, or one that excludes it.
bool overrides(const Tokens& tokens, const std::string& name) {
  std::vector<std::string> names = {name};
  for (const auto& group : exclusive_options())
    if (std::find(group.begin(), group.end(), name) != group.end()) names = group;
  return std::any_of(tokens.options.begin(), tokens.options.end(), [&](const auto& option) {
    return std::find(names.begin(), names.end(), option.first) != names.end();
  });
}

}  // namespace

std::optional<Invocation> parse_words(const Command& command, std::vector<std::string> words) {
  Tokens tokens = tokenise(command, words);
  std::string config;
  for (const auto& [name, value] : tokens.options) {
    if (name == "help") return std::nullopt;
    if (name == "config") config = value;
  }
  if (!tokens.unknown.empty()) refuse_unknown(command, tokens.unknown.front(), words);
  check_values(command, tokens);
  place_words(command, tokens);

  Invocation invocation{&command, OptionValues(command.table, "--"), {}};
  if (!config.empty())
    for (const ConfigEntry& entry : read_config(config, command, invocation.notes))
      if (!overrides(tokens, entry.name)) invocation.values.set(entry.name, entry.value);
  for (const auto& [name, value] : tokens.options) invocation.values.set(name, value);
  return invocation;
}

}  // namespace nhot::app
