// Chains of one sampler that share a thread, against the clock.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nhot/chain/any_chain.hpp"
#include "nhot/run/compare/chain_recorder.hpp"

namespace nhot {

/// One chain, and what is kept of it.
struct ChainWithRecorder {
  std::unique_ptr<AnyChain> chain;
  std::unique_ptr<ChainRecorder> recorder;
};

/// Between calls all chains have made the same number of moves; each is charged an equal share of
/// the time, for moves and for recording.
class ThreadChains {
 public:
  /// `moves` to make, of every chain; 0: ends by time.
  ThreadChains(std::vector<ChainWithRecorder> members, std::uint64_t moves);

  /// Moves until the CPU time of every chain is reached or the moves are done.
  void run_to(double cpu_target, const Observables& observables);

  /// Chains, recorders and clocks, to the bit; for chains of the same factory.
  void save(Saving& saving) const;
  void restore(Restoring& restoring);

  const std::vector<ChainWithRecorder>& members() const { return members_; }
  std::uint64_t moves() const { return moves_; }
  std::uint64_t done() const { return members_.front().chain->counters().moves; }
  bool finished() const { return moves_ > 0 && done() >= moves_; }
  /// Of every chain.
  double cpu_seconds() const { return cpu_seconds_; }
  double recording_seconds() const { return recording_seconds_; }  // of the CPU seconds
  double wall_seconds() const { return wall_seconds_; }

 private:
  bool run_block(std::uint64_t draws, std::uint64_t thin);
  bool draw_in_turns(std::uint64_t draws, std::uint64_t thin);
  void record_states(const Observables& observables);

  std::vector<ChainWithRecorder> members_;
  std::uint64_t moves_;
  double cpu_seconds_ = 0;
  double recording_seconds_ = 0;
  double wall_seconds_ = 0;
  double seconds_per_draw_ = 0;
};

}  // namespace nhot
