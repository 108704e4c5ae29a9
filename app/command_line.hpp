// The command that would do the same again.
#pragma once

#include <string>

#include "command.hpp"

namespace nhot::app {

/// A word as a shell takes it, quoted where that is needed.
std::string shell_word(const std::string& word);

/// The command with every option that was given, those about output left out.
std::string command_again(const Invocation& invocation);

}  // namespace nhot::app
