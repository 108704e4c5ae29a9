// A whole file in memory.
#pragma once

#include <string>

namespace nhot {

/// Reads a file, or a pipe to its end, in large blocks. A missing file is an InputError that names
/// the nearest file of the same folder; a file that cannot be read is an EnvironmentError.
std::string read_file(const std::string& path);

/// All of standard input. It cannot be read twice: the first call keeps it for the others.
const std::string& read_standard_input();

/// The InputError of read_file for a missing file or a folder, without reading.
void require_file(const std::string& path);

}  // namespace nhot
