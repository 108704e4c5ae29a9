// The chains of a run on all its ranks, as one: what the driver of independent chains works with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "nhot/run/draw_recorder.hpp"
#include "nhot/run/ranks/serve_ranks.hpp"
#include "nhot/run/timed_chains.hpp"

namespace nhot {

struct RunPlan;

/// Every rank has a range of the chains (ChainFactory::deal). Commands go to the workers first, so
/// that all ranks move at once; draws come back after each, a block at a time. Without ranks, just
/// the chains.
class SharedChains {
 public:
  /// All chains of the plan, at their starts.
  SharedChains(const ChainFactory& factory, const RunPlan& plan, const DrawRecorder& recorder,
               RankTeam* ranks);

  std::size_t size() const { return counters_.size(); }
  /// Of all ranks.
  std::size_t threads() const { return own_.threads() * (job_ ? job_->ranks() : 1); }
  const ChainCounters& counters(std::size_t c) const { return counters_[c]; }

  /// Without a draw.
  void advance(std::uint64_t moves);
  /// `draws` draws: the first after `first` moves, others after `thin` more. Draw d of chain c goes
  /// into the columns of `block` (without the overlaps) and its state into states[c][d].
  void draw(std::uint64_t draws, std::uint64_t first, std::uint64_t thin, Trace& block,
            std::vector<std::vector<PackedBits>>& states);

  /// Accepted moves of every chain since its last draw; the caller may change them.
  std::vector<std::uint64_t>& accepted() { return accepted_; }
  const std::vector<std::uint64_t>& accepted() const { return accepted_; }

  /// As those of TimedChains, over all ranks.
  TimedChains::Seconds seconds() const;
  void reset_seconds();
  double best_energy() const;
  void reset_counters();
  std::vector<std::vector<std::byte>> save() const;
  void restore(const std::vector<std::vector<std::byte>>& archives);

  /// On the threads of rank 0; counts as recording.
  void record(std::size_t count, const std::function<void(std::size_t)>& work) {
    own_.record(count, work);
  }

 private:
  template <class Vector>
  auto part_of(const Vector& all, std::size_t rank) const {
    const ChainRange range = ranges_[rank];
    return Vector(all.begin() + static_cast<std::ptrdiff_t>(range.first),
                  all.begin() + static_cast<std::ptrdiff_t>(range.last));
  }
  template <class MakeCommand>
  void tell_others(MakeCommand&& make_command) const;
  template <class Hear>
  void hear_others(Hear&& hear) const;
  void give_accepted();
  void take_own();
  void take_from(std::size_t rank, Restoring& reply);

  const DrawRecorder& recorder_;
  std::vector<ChainRange> ranges_;  // by rank
  TimedChains own_;
  std::unique_ptr<RankJob> job_;            // none without other ranks
  std::vector<ChainCounters> counters_;     // by chain
  std::vector<std::uint64_t> accepted_;     // by chain
  TimedChains::Seconds seconds_of_others_;  // ranks
};

std::unique_ptr<RankWork> serve_chains(const RankWorkSetup& setup);

}  // namespace nhot
