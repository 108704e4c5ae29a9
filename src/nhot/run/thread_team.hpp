// A team of threads that shares out numbered tasks.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace nhot {

/// Threads to start: those asked for, or one per core, but no more than there are tasks.
inline std::size_t threads_for(std::uint64_t wanted, std::uint64_t tasks) {
  const std::uint64_t number = wanted ? wanted : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::size_t>(
      std::clamp<std::uint64_t>(number, 1, std::max<std::uint64_t>(1, tasks)));
}

/// Tasks must not depend on which thread runs them or in which order. With one thread everything
/// runs on the caller.
class ThreadTeam {
 public:
  explicit ThreadTeam(std::size_t threads) {
    for (std::size_t k = 1; k < threads; ++k) members_.emplace_back([this] { serve(); });
  }

  ~ThreadTeam() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& member : members_) member.join();
  }

  /// Threads that work, the caller's included.
  std::size_t size() const { return members_.size() + 1; }

  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// Runs task(0) .. task(count - 1) and waits for all. The first exception is thrown again here.
  void run(std::size_t count, const std::function<void(std::size_t)>& task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      count_ = count;
      next_ = 0;
      working_ = members_.size();
      error_ = nullptr;
      ++round_;
    }
    wake_.notify_all();
    work(task, count);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
    task_ = nullptr;
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      const std::function<void(std::size_t)>* task = nullptr;
      std::size_t count = 0;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return ending_ || round_ != seen; });
        if (ending_) return;
        seen = round_;
        task = task_;
        count = count_;
      }
      work(*task, count);
      {
        const std::lock_guard lock(mutex_);
        --working_;
      }
      done_.notify_one();
    }
  }

  void work(const std::function<void(std::size_t)>& task, std::size_t count) {
    for (std::size_t k = next_++; k < count; k = next_++) {
      try {
        task(k);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
  }

  std::vector<std::thread> members_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::size_t working_ = 0;
  std::uint64_t round_ = 0;
  bool ending_ = false;
  std::exception_ptr error_;
};

}  // namespace nhot
