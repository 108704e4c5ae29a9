// Options from a TOML file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"

namespace nhot::app {

struct ConfigEntry {
  std::string name;
  std::string value;
};

/// The entries that concern a command: keys at the top of the file, and those of the table that
/// bears the command's name, which come later and so win. Every entry has been checked; errors name
/// the file and the line. A top key that only other commands know is passed over with a note.
std::vector<ConfigEntry> read_config(const std::string& path, const Command& command,
                                     std::vector<std::string>& notes);
/// The same from the text of a file.
std::vector<ConfigEntry> parse_config(const std::string& file, std::string_view text,
                                      const Command& command, std::vector<std::string>& notes);

}  // namespace nhot::app
