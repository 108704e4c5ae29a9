// Wall-clock and CPU time.
#pragma once

#include <atomic>
#include <chrono>
#include <ctime>

namespace nhot {

/// Clocks that stand in for those of the machine while a ClockOverride lives, so that a test of a
/// run by the clock decides by hand how time passes. Several threads may read at once.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual double wall_seconds() = 0;
  virtual double thread_cpu_seconds() = 0;
};

/// While alive, wall_seconds() and thread_cpu_seconds() read `clock`. For tests; one at a time.
class ClockOverride {
 public:
  explicit ClockOverride(Clock& clock) { current().store(&clock); }
  ~ClockOverride() { current().store(nullptr); }
  ClockOverride(const ClockOverride&) = delete;
  ClockOverride& operator=(const ClockOverride&) = delete;

  static std::atomic<Clock*>& current() {
    static std::atomic<Clock*> clock = nullptr;
    return clock;
  }
};

/// Seconds of CPU time used by this thread.
inline double thread_cpu_seconds() {
  if (Clock* const clock = ClockOverride::current().load(std::memory_order_acquire))
    return clock->thread_cpu_seconds();
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Seconds since an arbitrary start.
inline double wall_seconds() {
  if (Clock* const clock = ClockOverride::current().load(std::memory_order_acquire))
    return clock->wall_seconds();
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace nhot
