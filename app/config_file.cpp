#include "config_file.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "commands.hpp"
#include "nhot/base/nearest.hpp"
#include "nhot/io/file_bytes.hpp"

namespace nhot::app {
namespace {

bool knows(const Command& command, std::string_view name) {
  return std::any_of(command.table.begin(), command.table.end(),
                     [&](const OptionSpec& spec) { return spec.name == name; });
}

class ConfigReader {
 public:
  ConfigReader(std::string path, const Command& command, std::vector<std::string>& notes)
      : path_(std::move(path)), command_(command), notes_(notes) {}

  std::vector<ConfigEntry> read(std::string_view text) {
    const toml::table file = parse(text);
    for (const auto& [key, node] : file) {
      if (node.is_table()) continue;
      const std::string name(key.str());
      if (knows(command_, name)) {
        take(name, node);
      } else if (known_elsewhere(name)) {
        notes_.push_back(place(node) + "'" + name + "' is not an option of nhot " + command_.name +
                         " and was passed over");
      } else {
        refuse(name, node, all_names());
      }
    }
    for (const auto& [key, node] : file) {
      if (!node.is_table()) continue;
      const std::string name(key.str());
      if (name == command_.name)
        for (const auto& [inner, value] : *node.as_table())
          take_known(std::string(inner.str()), value);
      else
        check_table(name, node);
    }
    return std::move(entries_);
  }

 private:
  toml::table parse(std::string_view text) const {
    try {
      return toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      throw InputError(path_ + ":" + std::to_string(error.source().begin.line) + ": " +
                           std::string(error.description()),
                       "write lines such as: beta = 0.44  or  move = \"im:length=90\"");
    }
  }

  std::string place(const toml::node& node) const {
    return path_ + ":" + std::to_string(node.source().begin.line) + ": ";
  }

  [[noreturn]] void refuse(const std::string& name, const toml::node& node,
                           const std::vector<std::string>& known) const {
    const std::string near = nearest_name(name, known);
    throw InputError(place(node) + "unknown option '" + name + "'",
                     (near.empty() ? "" : "did you mean '" + near + "'? ") + "nhot " +
                         command_.name + " --help lists the options; keys are their names");
  }

  void take_known(const std::string& name, const toml::node& node) {
    if (!knows(command_, name)) {
      std::vector<std::string> known;
      for (const OptionSpec& spec : command_.table) known.push_back(spec.name);
      refuse(name, node, known);
    }
    take(name, node);
  }

  void take(const std::string& name, const toml::node& node) {
    if (name == "config" || name == "help")
      throw InputError(place(node) + "'" + name + "' has no place in a file", "leave it out");
    if (const toml::array* array = node.as_array(); array && repeatable(name)) {
      for (const toml::node& item : *array) add(name, item);
    } else {
      add(name, node);
    }
  }

  bool repeatable(const std::string& name) const {
    return std::any_of(command_.table.begin(), command_.table.end(), [&](const OptionSpec& spec) {
      return spec.name == name && spec.repeatable;
    });
  }

  void add(const std::string& name, const toml::node& node) {
    std::string value;
    if (const auto* text = node.as_string())
      value = text->get();
    else if (const auto* integer = node.as_integer())
      value = std::to_string(integer->get());
    else if (const auto* real = node.as_floating_point())
      value = format_real(real->get());
    else if (const auto* truth = node.as_boolean())
      value = truth->get() ? "true" : "false";
    else
      throw InputError(place(node) + "'" + name + "' is neither text, a number nor true or false",
                       "write a value as on the command line, in quotes");
    OptionValues(command_.table, place(node)).set(name, value);
    entries_.push_back({name, value});
  }

  void check_table(const std::string& name, const toml::node& node) const {
    std::vector<std::string> names;
    for (const Command* command : commands()) {
      if (command->name == name) return;
      names.push_back(command->name);
    }
    throw InputError(place(node) + "unknown table [" + name + "]",
                     "a table bears the name of a command; " + unknown_name_hint(name, names));
  }

  static bool known_elsewhere(std::string_view name) {
    return std::any_of(commands().begin(), commands().end(),
                       [&](const Command* command) { return knows(*command, name); });
  }

  static std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const Command* command : commands())
      for (const OptionSpec& spec : command->table) names.push_back(spec.name);
    return names;
  }

  std::string path_;
  const Command& command_;
  std::vector<std::string>& notes_;
  std::vector<ConfigEntry> entries_;
};

}  // namespace

std::vector<ConfigEntry> read_config(const std::string& path, const Command& command,
                                     std::vector<std::string>& notes) {
  return parse_config(path, read_file(path), command, notes);
}

std::vector<ConfigEntry> parse_config(const std::string& file, std::string_view text,
                                      const Command& command, std::vector<std::string>& notes) {
  return ConfigReader(file, command, notes).read(text);
}

}  // namespace nhot::app
