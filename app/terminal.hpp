// How wide a page of text is.
#pragma once

#include <cstddef>
#include <optional>

namespace nhot::app {

/// Columns of the terminal that the file descriptor is; nothing when it is none.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Columns of the terminal that standard output is; the environment variable COLUMNS wins. Nothing
/// in a pipe or a file.
std::optional<std::size_t> output_columns();

/// What text is wrapped at: the terminal's columns, 100 in a pipe or a file, whatever COLUMNS says.
std::size_t page_width();

}  // namespace nhot::app
