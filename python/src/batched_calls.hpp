// One call for the states of many threads: who calls alone takes along those who wait.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot::python {

/// A thread that asks while nobody evaluates collects the requests that are there and evaluates
/// them in one call; the others sleep until their answer is there. An answer is a function of its
/// own request, so which requests meet in a call changes nothing but speed.
class BatchedCalls {
 public:
  struct Request {
    std::span<const Bit> bits;
    std::span<double> all;
    bool done = false;
    std::exception_ptr error;
  };
  /// Fills `all` of every request.
  using Evaluate = std::function<void(std::span<Request* const>)>;

  explicit BatchedCalls(Evaluate evaluate) : evaluate_(std::move(evaluate)) {}

  /// Returns when the request is answered; an exception of the call is thrown to all who were in
  /// it.
  void ask(std::span<const Bit> bits, std::span<double> all) {
    Request own{bits, all, false, nullptr};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&own);
    arrived_.notify_one();
    while (!own.done) {
      if (evaluating_)
        answered_.wait(lock);
      else
        evaluate_waiting(lock);
    }
    if (own.error) std::rethrow_exception(own.error);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void evaluate_waiting(std::unique_lock<std::mutex>& lock) {
    evaluating_ = true;
    // Those who were in the last call will soon be back: worth waiting for, no longer than a call.
    arrived_.wait_for(lock, last_call_, [&] { return waiting_.size() >= together_; });
    std::vector<Request*> batch;
    batch.swap(waiting_);
    lock.unlock();
    const Clock::time_point began = Clock::now();
    std::exception_ptr error;
    try {
      evaluate_(batch);
    } catch (...) {
      error = std::current_exception();
    }
    const Clock::duration took = Clock::now() - began;
    lock.lock();
    for (Request* const request : batch) {
      request->error = error;
      request->done = true;
    }
    last_call_ = std::min<Clock::duration>(took, std::chrono::milliseconds(10));
    together_ = batch.size() + waiting_.size();
    evaluating_ = false;
    answered_.notify_all();
  }

  Evaluate evaluate_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable answered_;
  std::vector<Request*> waiting_;
  bool evaluating_ = false;
  std::size_t together_ = 1;  // requests that came in the time of the last call
  Clock::duration last_call_{};
};

}  // namespace nhot::python
