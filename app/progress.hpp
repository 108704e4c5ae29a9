// One line on the terminal that says how far a long task is.
#pragma once

#include <string>
#include <string_view>

namespace nhot::app {

/// Redraws one line of standard error at most ten times a second: phase, share done, rate, time
/// left. Does nothing unless standard error is a terminal, and nothing when quiet. Uses no colour
/// when NO_COLOR is set. The line is gone when the bar is.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  bool active() const { return active_; }

  /// `seconds` since the phase began; `count` things done in it, named `unit` ("moves").
  void show(std::string_view phase, double fraction, double seconds, double count,
            std::string_view unit);
  /// Removes the line.
  void clear();

 private:
  bool active_ = false;
  bool colour_ = false;
  bool drawn_ = false;
  double last_drawn_ = -1;
  std::string phase_;
};

/// "850", "12.3 k", "4.56 M": three digits and a prefix.
std::string short_number(double value);
/// "4.2 s", "3 min 05 s", "2 h 07 min".
std::string short_duration(double seconds);

}  // namespace nhot::app
