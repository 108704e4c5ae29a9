// Commands that write a page of what they have found.
#pragma once

#include <string_view>

#include "command.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/report/page_data.hpp"

namespace nhot::app {

/// --report; --force where the command has it from nowhere else.
OptionGroup page_options(bool with_force);

/// The page that {report} names, if it does: refused before long work if it cannot be written;
/// written; and a line that says so.
void check_page_place(const OptionValues& values);
/// `script` is the page's, see make_page().
void write_page_of(const Invocation& invocation, std::string_view script, const Json& page,
                   Facts& facts);
void tell_page(const OptionValues& values);

/// The call as its page shows it.
PageOrigin origin_of(const Invocation& invocation);

}  // namespace nhot::app
