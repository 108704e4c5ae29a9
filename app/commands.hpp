// The table of commands.
#pragma once

#include <string_view>
#include <vector>

#include "command.hpp"

namespace nhot::app {

/// Every command, in the order of the help text. A new command is one file, its declaration and
/// its line in commands.cpp.
const std::vector<const Command*>& commands();

/// InputError with the nearest name when there is no such command.
const Command& find_command(std::string_view name);

}  // namespace nhot::app
