// One line on the terminal that says how far a long task is.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace nhot::app {

/// What a bar is drawn on.
struct Screen {
  bool active = false;  // otherwise nothing is written
  bool colour = false;
  std::function<std::size_t()> columns;
  std::function<void(const std::string&)> write;
};

/// Standard error: active if it is a terminal and not quiet, with colour unless NO_COLOR is set.
Screen standard_error(bool quiet);

/// Redraws one line of its screen at most ten times a second, and at once when the phase changes:
/// phase, share done, rate, time left. The line is gone when the bar is.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet) : ProgressBar(standard_error(quiet)) {}
  explicit ProgressBar(Screen screen);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  bool active() const { return screen_.active; }

  /// `seconds` since the phase began; `count` things done in it, named `unit` ("moves").
  void show(std::string_view phase, double fraction, double seconds, double count,
            std::string_view unit);
  /// Removes the line.
  void clear();

 private:
  Screen screen_;
  bool drawn_ = false;
  double last_drawn_ = -1;
  std::string phase_;
};

}  // namespace nhot::app
