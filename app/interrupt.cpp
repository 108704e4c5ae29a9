#include "interrupt.hpp"

#include <unistd.h>

namespace nhot::app {
namespace {

volatile std::sig_atomic_t received = 0;

void on_signal(int signal) {
  if (received) _exit(128 + signal);
  received = 1;
}

}  // namespace

InterruptGuard::InterruptGuard() {
  received = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Files being read or written go on.
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool InterruptGuard::requested() { return received != 0; }

}  // namespace nhot::app
