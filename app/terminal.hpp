// How wide a page of text is.
#pragma once

#include <cstddef>
#include <optional>

#include "nhot/base/text_layout.hpp"

namespace nhot::app {

/// Columns of the terminal that the file descriptor is; nothing when it is none.
std::optional<std::size_t> terminal_columns(int descriptor);

/// Columns of the terminal that standard output is; the environment variable COLUMNS wins. Nothing
/// in a pipe or a file.
std::optional<std::size_t> output_columns();

/// Text for standard output.
TextLayout page_layout();

/// True when the environment says that a terminal shows UTF-8.
bool shows_unicode();

}  // namespace nhot::app
