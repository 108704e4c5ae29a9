// Metadata are texts; in a file, numbers, lists of numbers and truth values are stored as such.
#pragma once

#include <string>
#include <string_view>

#include "nhot/io/netcdf_file.hpp"

namespace nhot {

/// A 64-bit integer or a double when the whole text is a decimal number ("nan", "inf" and "-inf"
/// included), an array when it is a list of numbers, a truth value for "true" and "false",
/// otherwise the text. Names, hashes and the like stay text whatever they look like, and so do
/// digits behind a leading zero.
NcAttribute attribute_from_text(std::string_view key, const std::string& text);

/// The text again; numbers in the shortest form that reads back the same. The key decides between
/// the commas of an option and the spaces of other lists.
std::string text_from_attribute(const NcAttribute& value, std::string_view key = {});

/// The key with characters that netCDF does not allow in names replaced by '_'.
std::string attribute_key(std::string_view key);

}  // namespace nhot
