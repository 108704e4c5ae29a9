// Clocks for tests of what goes by the clock.
#pragma once

#include <atomic>
#include <cstdint>

#include "nhot/run/clock.hpp"

namespace nhot::test {

/// Both clocks of a run go on by one step at every reading: how long a run takes depends on what it
/// does, not on the machine. Wall clock and CPU clock count their readings apart.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(double step) : step_(step), override_(*this) {}

  double wall_seconds() override { return step_ * static_cast<double>(++wall_readings_); }
  double thread_cpu_seconds() override { return step_ * static_cast<double>(++cpu_readings_); }

 private:
  double step_;
  std::atomic<std::uint64_t> wall_readings_ = 0;
  std::atomic<std::uint64_t> cpu_readings_ = 0;
  ClockOverride override_;
};

/// Stands where the test sets it.
class SetClock final : public Clock {
 public:
  SetClock() : override_(*this) {}

  void set(double seconds) { seconds_ = seconds; }
  double wall_seconds() override { return seconds_; }
  double thread_cpu_seconds() override { return seconds_; }

 private:
  std::atomic<double> seconds_ = 0;
  ClockOverride override_;
};

}  // namespace nhot::test
