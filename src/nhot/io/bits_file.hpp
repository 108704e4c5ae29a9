// States in text files: references, starts and best states.
#pragma once

#include <string>
#include <string_view>

#include "nhot/base/types.hpp"

namespace nhot {

/// Reads a state of `sites` bits: characters 0 and 1 with or without space between, or the numbers
/// +1 and -1 (a sign anywhere means spins: -1 is bit 0). '#' starts a comment. A wrong count says
/// how many were expected and found.
Bits read_bits(const std::string& path, Site sites);
/// The same from the text of a file.
Bits parse_bits(const std::string& file, std::string_view text, Site sites);

/// Writes 0 and 1, 80 to a line.
void write_bits(const Bits& bits, const std::string& path, bool force);

}  // namespace nhot
