// Wall-clock and CPU time.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>

namespace nhot {

/// Seconds of CPU time used by this thread.
inline double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Cost of one call of thread_cpu_seconds, the smallest seen in a few tries.
inline double thread_clock_cost() {
  double cost = 1;
  for (int k = 0; k < 20; ++k) {
    const double begin = thread_cpu_seconds();
    cost = std::min(cost, thread_cpu_seconds() - begin);
  }
  return std::max(0.0, cost);
}

/// Seconds since an arbitrary start.
inline double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace nhot
