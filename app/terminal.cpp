#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "nhot/base/options.hpp"

namespace nhot::app {
namespace {

constexpr std::size_t usual_columns = 80;

}  // namespace

std::optional<std::size_t> terminal_columns(int descriptor) {
  if (!isatty(descriptor)) return std::nullopt;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return usual_columns;
}

std::optional<std::size_t> output_columns() {
  const auto columns = terminal_columns(STDOUT_FILENO);
  const char* wanted = std::getenv("COLUMNS");
  if (!columns || !wanted) return columns;
  const auto number = parse_integer(wanted);
  return number && *number > 0 ? static_cast<std::size_t>(*number) : *columns;
}

TextLayout page_layout() { return TextLayout(output_columns()); }

bool shows_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (!value || !*value) continue;
    const std::string_view text = value;
    return text.find("UTF-8") != std::string_view::npos ||
           text.find("utf8") != std::string_view::npos ||
           text.find("UTF8") != std::string_view::npos;
  }
  return false;
}

}  // namespace nhot::app
