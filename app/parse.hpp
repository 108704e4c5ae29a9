// From the words of a command line, and a TOML file, to checked options.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace nhot::app {

/// Nothing when help was asked for. InputError for unknown options, with the nearest name, and for
/// values outside their declarations.
std::optional<Invocation> parse_words(const Command& command, std::vector<std::string> words);

}  // namespace nhot::app
