#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>

namespace nhot::app {
namespace {

std::atomic<bool> received = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // a handler may use it
std::atomic<bool> stop_was_seen = false;

void on_signal(int signal) {
  if (received.exchange(true)) _exit(128 + signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Interrupted reads and writes are restarted.
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::requested() {
  if (!received) return false;
  stop_was_seen = true;
  return true;
}

bool InterruptGuard::obeyed() { return stop_was_seen; }

}  // namespace nhot::app
