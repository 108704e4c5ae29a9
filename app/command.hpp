// What a command of the program is: its name, its options, its examples and its function.
#pragma once

#include <string>
#include <vector>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/run/options.hpp"

namespace nhot::app {

struct Command;

/// A command with checked values for its options.
struct Invocation {
  const Command* command;
  OptionValues values;
  std::vector<std::string> notes;  // what the user should know about how the options were read
};

struct Example {
  std::string line;  // as typed in a shell; tests run every one
  std::string what;
};

struct Command {
  std::string name;
  std::string summary;                   // half a line, for the list of commands
  std::string description;               // a paragraph, for the command's own help
  std::vector<std::string> positionals;  // options given without a name, in order
  std::vector<OptionGroup> groups;
  std::vector<Example> examples;
  ExitCode (*run)(Invocation&);

  OptionTable table = concatenate(groups);

  bool has_option(const std::string& option) const {
    for (const OptionSpec& spec : table)
      if (spec.name == option) return true;
    return false;
  }
};

}  // namespace nhot::app
