// What shells and man read, made from the declarations of commands and options.
#pragma once

#include <string>

namespace nhot::app {

/// A script that completes commands, options and their words in bash, zsh or fish. InputError for
/// another shell.
std::string completion_script(const std::string& shell);

/// The manual page nhot(1), for man.
std::string man_page();

}  // namespace nhot::app
