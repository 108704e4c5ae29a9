// Runs a driver on a thread of its own while Python's thread looks for Ctrl-C and shows progress.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "common.hpp"

namespace nhot::python {

/// How far a driver has come.
struct Tick {
  std::string phase;
  double fraction = 0;
  double seconds = 0;
  double moves = 0;
};

/// What the driver's thread and Python's thread tell each other.
class Watch {
 public:
  /// `show` is called with (phase, fraction, seconds, moves), and ends the run by returning True;
  /// None: nobody looks.
  explicit Watch(nb::object show) : show_(std::move(show)) {}

  std::function<bool()> stop() {
    return [this] { return stop_.load(std::memory_order_relaxed); };
  }
  void tell(Tick tick) {
    const std::lock_guard lock(mutex_);
    latest_ = std::move(tick);
  }

  /// body() on its own thread, without the interpreter's lock. Ctrl-C stops the driver, which then
  /// returns what it has; a second one ends it with KeyboardInterrupt where it calls functions of
  /// the user. An exception of the driver or of `show` comes out here.
  template <class Body>
  auto run(Body&& body) {
    using Result = decltype(body());
    std::optional<Result> result;
    std::exception_ptr failure;
    bool done = false;
    std::thread worker([&] {
      try {
        result.emplace(body());
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done = true;
      changed_.notify_one();
    });
    while (!wait(done)) {
      check_signals();
      show_latest();
    }
    {
      const nb::gil_scoped_release free;
      worker.join();
    }
    if (!failure) show_latest();         // also of a run that was over before anybody looked
    if (abandoning_) abandoned = false;  // after the last look, which may be interrupted as well
    if (failure) std::rethrow_exception(failure);
    if (raised_) std::rethrow_exception(raised_);
    return std::move(*result);
  }

 private:
  bool wait(const bool& done) {
    const nb::gil_scoped_release free;
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return done; });
  }

  void check_signals() {
    if (PyErr_CheckSignals() == 0) return;
    try {
      nb::raise_python_error();
    } catch (nb::python_error& error) {
      stop_for(error);
    }
  }

  void show_latest() {
    std::optional<Tick> tick;
    {
      const std::lock_guard lock(mutex_);
      tick = std::exchange(latest_, std::nullopt);
    }
    if (show_.is_none() || !tick || raised_) return;
    try {
      if (show_(tick->phase.c_str(), tick->fraction, tick->seconds, tick->moves).is(Py_True))
        stop_ = true;
    } catch (nb::python_error& error) {
      stop_for(error);
    }
  }

  /// Within a handler. Ctrl-C, which may come while `show` runs, asks the driver for what it has.
  void stop_for(const nb::python_error& error) {
    if (!error.matches(PyExc_KeyboardInterrupt)) {
      raised_ = std::current_exception();
    } else if (stop_) {
      abandoning_ = true;
      abandoned = true;
    }
    stop_ = true;
  }

  nb::object show_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Tick> latest_;
  std::exception_ptr raised_;  // by `show` or by a handler of signals
  std::atomic<bool> stop_ = false;
  bool abandoning_ = false;
};

}  // namespace nhot::python
