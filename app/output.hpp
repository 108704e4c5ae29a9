// Standard output and standard error.
#pragma once

#include <string>
#include <string_view>

#include "nhot/base/error.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/report/json.hpp"

namespace nhot::app {

/// A text of the library with options as the command line spells them: "{chains 4}" is --chains 4.
std::string with_dashes(std::string_view text);

/// Writes to standard output.
void print(std::string_view text);
/// One JSON object on a line of its own, indented; NaN and infinities become null.
void print_json(const Json& json);
void print_json(const Facts& facts);
/// EnvironmentError when what was printed could not be written, for example to a full disk.
void finish_output();

/// "nhot: note: ..." on standard error.
void print_note(std::string_view note);
/// "nhot: error: ..." and the hint on standard error.
void print_error(const Error& error);

}  // namespace nhot::app
