#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "nhot/base/options.hpp"

namespace nhot::app {
namespace {

constexpr std::size_t usual_columns = 80;
constexpr std::size_t pipe_columns = 100;
constexpr std::size_t least_columns = 40;  // narrower columns of text are no longer read

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

std::size_t page_width() {
  return std::max(least_columns, output_columns().value_or(pipe_columns));
}

}  // namespace nhot::app
