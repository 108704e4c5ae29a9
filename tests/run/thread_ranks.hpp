// Several ranks as threads of one program, with real messages between them.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "nhot/run/ranks/serve_ranks.hpp"

namespace nhot::test {

/// What the ranks have in common: a box of messages for every pair of ranks.
struct ThreadWires {
  explicit ThreadWires(std::size_t ranks)
      : size(ranks), boxes(ranks * ranks), gathered(ranks), all(ranks) {}

  std::size_t size;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::deque<Message>> boxes;     // [from * size + to]
  std::vector<std::vector<double>> gathered;  // by rank, of the gathering under way
  std::vector<std::vector<double>> all;       // of the last one, as every rank takes it
  std::size_t arrived = 0;
  std::uint64_t gatherings = 0;
  std::uint64_t messages = 0;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(ThreadWires& wires, std::size_t rank) : wires_(wires), rank_(rank) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return wires_.size; }

  void send(std::size_t to, const Message& message) override {
    const std::lock_guard lock(wires_.mutex);
    wires_.boxes[rank_ * wires_.size + to].push_back(message);
    ++wires_.messages;
    wires_.changed.notify_all();
  }
  Message receive(std::size_t from) override {
    std::unique_lock lock(wires_.mutex);
    std::deque<Message>& box = wires_.boxes[from * wires_.size + rank_];
    wires_.changed.wait(lock, [&] { return !box.empty(); });
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }
  bool waiting(std::size_t from) override {
    const std::lock_guard lock(wires_.mutex);
    return !wires_.boxes[from * wires_.size + rank_].empty();
  }
  void all_gather(std::span<const double> mine, std::span<double> all) override {
    std::unique_lock lock(wires_.mutex);
    wires_.gathered[rank_].assign(mine.begin(), mine.end());
    const std::uint64_t number = wires_.gatherings;
    if (++wires_.arrived == wires_.size) {
      std::vector<double> whole;
      for (const std::vector<double>& part : wires_.gathered)
        whole.insert(whole.end(), part.begin(), part.end());
      wires_.all.assign(wires_.size, whole);
      wires_.arrived = 0;
      ++wires_.gatherings;
      wires_.changed.notify_all();
    }
    wires_.changed.wait(lock, [&] { return wires_.gatherings > number; });
    std::copy(wires_.all[rank_].begin(), wires_.all[rank_].end(), all.begin());
  }

 private:
  ThreadWires& wires_;
  std::size_t rank_;
};

/// Workers serve on threads of their own while this lives; team() is rank 0's. One rank: no team.
class ThreadRanks {
 public:
  ThreadRanks(std::size_t ranks, RankProblem problem)
      : wires_(ranks), first_(wires_, 0), team_(first_, Message{}) {
    for (std::size_t rank = 1; rank < ranks; ++rank)
      workers_.emplace_back([this, rank, problem] {
        ThreadCommunicator communicator(wires_, rank);
        serve_ranks(communicator, [&](const Message&) { return problem; });
      });
  }
  ~ThreadRanks() {
    dismiss_ranks(first_, 0);
    for (std::thread& worker : workers_) worker.join();
  }

  RankTeam* team() { return wires_.size > 1 ? &team_ : nullptr; }
  std::uint64_t messages() const { return wires_.messages; }
  std::uint64_t gatherings() const { return wires_.gatherings; }

 private:
  ThreadWires wires_;
  ThreadCommunicator first_;
  RankTeam team_;
  std::vector<std::thread> workers_;
};

}  // namespace nhot::test
