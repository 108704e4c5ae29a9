// The chains of a run, shared out to threads, with the time that they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "nhot/chain/chain_group.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {

/// Between calls all chains have made the same number of moves.
class TimedChains {
 public:
  /// One chain for every start; only those of a range, then counted from its first.
  TimedChains(const ChainFactory& factory, std::uint64_t seed, const std::vector<Bits>& starts,
              std::uint64_t threads, ChainRange own);

  std::size_t size() const { return chains_.size(); }
  std::size_t threads() const { return team_.size(); }
  const ChainView& operator[](std::size_t c) const { return *chains_[c]; }

  /// Without a draw.
  void advance(std::uint64_t moves);
  /// `draws` draws: the first after `first` moves, others after `thin` more. Calls visit(chain,
  /// draw) for each, from the thread of the chain.
  using Visit = std::function<void(std::size_t, std::uint64_t)>;
  void draw(std::uint64_t draws, std::uint64_t first, std::uint64_t thin, const Visit& visit);

  /// Accepted moves of every chain since the caller last set this to zero.
  std::vector<std::uint64_t>& accepted() { return accepted_; }
  const std::vector<std::uint64_t>& accepted() const { return accepted_; }

  /// What all chains took since reset_seconds(): moves, and the visits that record them.
  struct Seconds {
    double cpu = 0;
    double recording = 0;  // of it
  };
  Seconds seconds() const;
  void reset_seconds() { seconds_.assign(groups_.size(), {}); }

  /// work(0) .. work(count - 1), on the threads of the chains, which wait; counts as recording.
  void record(std::size_t count, const std::function<void(std::size_t)>& work);

  /// Of the chains' counters.
  double best_energy() const;
  void reset_counters();

  /// Archives, one for every chain.
  std::vector<std::vector<std::byte>> save() const;
  void restore(const std::vector<std::vector<std::byte>>& archives);

 private:
  void advance_group(std::size_t g, std::uint64_t moves);

  std::vector<std::unique_ptr<ChainGroup>> groups_;
  std::vector<std::size_t> first_;       // chain of each group
  std::vector<ChainView*> chains_;       // of all groups, in order
  std::vector<Seconds> seconds_;         // by group
  std::vector<std::uint64_t> accepted_;  // by chain
  ThreadTeam team_;
};

}  // namespace nhot
