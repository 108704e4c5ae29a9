// Help texts and the options document, all made from the declarations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command.hpp"

namespace nhot::app {

std::string help_on_program();
std::string help_on(const Command& command);
/// The moves with their parameters.
std::string help_on_moves();
/// The generators and file formats.
std::string help_on_models();
/// Code and meaning of every exit code.
std::vector<std::pair<std::string, std::string>> exit_codes();
/// doc/options.md.
std::string options_document();

}  // namespace nhot::app
