// How texts of the library mention options.
#pragma once

#include <string>
#include <string_view>

namespace nhot {

/// Messages and help texts name an option in braces, alone or with a value: "give {chains 4}, or
/// leave out {seed}". What a user types depends on the front end: dashes on the command line,
/// keywords in Python.
using OptionSpelling = std::string (*)(std::string_view name, std::string_view value);

/// The text with every option spelled; value is empty where there is none. Other braces stay.
std::string spell_options(std::string_view text, OptionSpelling spelling);

}  // namespace nhot
