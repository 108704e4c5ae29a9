#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "nhot/run/clock.hpp"
#include "terminal.hpp"

namespace nhot::app {
namespace {

template <class... Values>
std::string format(const char* pattern, Values... values) {
  std::array<char, 96> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, values...);
  return buffer.data();
}

}  // namespace

Screen standard_error(bool quiet) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = !terminal || std::string_view(terminal) == "dumb";
  const char* no_colour = std::getenv("NO_COLOR");
  return {!quiet && !dumb && isatty(STDERR_FILENO), !no_colour || !*no_colour,
          [] { return terminal_columns(STDERR_FILENO).value_or(80); },
          [](const std::string& text) {
            std::fputs(text.c_str(), stderr);
            std::fflush(stderr);
          }};
}

ProgressBar::ProgressBar(Screen screen) : screen_(std::move(screen)) {}

void ProgressBar::show(std::string_view phase, double fraction, double seconds, double count,
                       std::string_view unit) {
  if (!screen_.active) return;
  const double now = wall_seconds();
  if (phase == phase_ && now - last_drawn_ < 0.1) return;
  phase_ = phase;
  last_drawn_ = now;
  drawn_ = true;

  fraction = std::clamp(fraction, 0.0, 1.0);
  std::string tail = format(" %3.0f%%", 100 * fraction);
  if (seconds > 0 && count > 0)
    tail += "  " + short_number(count / seconds) + " " + std::string(unit) + "/s";
  if (fraction > 0) tail += "  " + short_duration(seconds * (1 - fraction) / fraction) + " left";

  // The last column stays free: some terminals wrap when it is written.
  const std::size_t width = screen_.columns() - 1;
  const std::string head = phase_ + " ";
  std::string line = "\r";
  const std::size_t used = head.size() + 2 + tail.size();
  if (used + 8 <= width) {
    const std::size_t cells = std::min<std::size_t>(40, width - used);
    const auto full = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(cells)));
    line += head + "[" + (screen_.colour ? "\033[36m" : "") + std::string(full, '#') +
            (screen_.colour ? "\033[0m" : "") + std::string(cells - full, '.') + "]" + tail;
  } else {
    line += (head + tail.substr(1)).substr(0, width);
  }
  line += "\033[K";
  screen_.write(line);
}

void ProgressBar::clear() {
  if (!drawn_) return;
  drawn_ = false;
  last_drawn_ = -1;
  screen_.write("\r\033[K");
}

}  // namespace nhot::app
