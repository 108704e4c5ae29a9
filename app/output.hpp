// Standard output and standard error.
#pragma once

#include <string>
#include <string_view>

#include "nhot/base/error.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/io/states_file.hpp"
#include "nhot/report/json.hpp"
#include "nhot/run/options.hpp"

namespace nhot::app {

/// A text of the library with options as the command line spells them: "{chains 4}" is --chains 4.
std::string with_dashes(std::string_view text);

/// Options that every command has: where others come from, how results are printed, help.
const OptionGroup& common_options();
/// One of these: about the call, not about what is computed.
bool is_common_option(std::string_view name);

/// Writes to standard output.
void print(std::string_view text);
/// Prints the facts in the format for programs that the options ask for; false, and nothing, when
/// they ask for none.
bool print_for_programs(const OptionValues& values, const Facts& facts);
/// One JSON object, indented; NaN and infinities become null.
void print_json(const Json& json);

/// Where {states-out} names a file: refused before long work if it cannot be written; written; and
/// a line that says so.
void check_states_out(const OptionValues& values);
void write_states_out(const OptionValues& values, const std::vector<StateRow>& rows,
                      const SiteNames& names, Facts& facts);
void tell_states_out(const OptionValues& values);

/// EnvironmentError when what was printed could not be written, for example to a full disk.
void finish_output();

/// "nhot: note: ..." on standard error.
void print_note(std::string_view note);
/// "nhot: error: ..." and the hint on standard error.
void print_error(const Error& error);

}  // namespace nhot::app
