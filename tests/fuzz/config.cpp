// Options from a TOML file.
#include "config_file.hpp"

#include "commands.hpp"
#include "fuzz/parser.hpp"

namespace nhot::fuzz {
namespace {

const Parser toml("toml", [](std::string_view bytes) {
  static const app::Command& sample = app::find_command("sample");
  std::vector<std::string> notes;
  const auto entries = app::parse_config("file", bytes, sample, notes);
  for (const app::ConfigEntry& entry : entries)
    require(sample.has_option(entry.name), "an option of no command");
});

}  // namespace
}  // namespace nhot::fuzz
