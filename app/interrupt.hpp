// Ctrl-C: the first asks a run to end, the second ends the program at once.
#pragma once

#include <csignal>

namespace nhot::app {

/// While alive, the first SIGINT or SIGTERM only sets a flag. One guard at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// True once a signal has come. Whoever asks then ends early.
  static bool requested();
  /// Whether anyone was told to end early: the program then exits with code 130.
  static bool obeyed();

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

}  // namespace nhot::app
