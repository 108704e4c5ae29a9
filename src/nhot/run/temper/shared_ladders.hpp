// The ladders of a run on all its ranks, as one: what the driver of tempering works with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "nhot/run/ranks/serve_ranks.hpp"
#include "nhot/run/temper/ladder_team.hpp"

namespace nhot {

/// Every rank has a LadderTeam with its share of the replicas. Between draws ranks exchange
/// energies, at most; what is recorded and counted comes to rank 0 after each run(). Without ranks,
/// just the team. The members are those of LadderTeam.
class SharedLadders {
 public:
  SharedLadders(const ChainFactory& factory, const TemperingPlan& plan, RankTeam* ranks);

  std::size_t size() const { return own_.size(); }
  std::size_t rungs() const { return own_.rungs(); }
  const std::vector<double>& betas() const { return own_.betas(); }
  double seconds_per_round() const { return seconds_per_round_; }
  std::vector<double> rejection() const { return own_.rejection(); }
  std::vector<double> changed_sites() const { return own_.changed_sites(); }
  void collect(TemperingResult& result) const { own_.collect(result); }
  void give_back_accepted(std::size_t rung, const Trace& trace) {
    own_.give_back_accepted(rung, trace);
  }
  /// On the threads of rank 0.
  void share_out(std::size_t count, const std::function<void(std::size_t)>& task) {
    own_.share_out(count, task);
  }

  void place(const std::vector<double>& betas);
  /// Makes the draws that the block has room for, if there is one.
  void run(std::uint64_t rounds, std::uint64_t sweep, const DrawSchedule& draws = {});
  void reset_counters();
  std::vector<std::vector<std::byte>> save();
  void restore(const std::vector<std::vector<std::byte>>& archives);

 private:
  template <class Hear>
  void hear_others(Hear&& hear);

  LadderTeam own_;
  std::unique_ptr<RankJob> job_;  // none without other ranks
  bool placed_ = false;
  double seconds_per_round_ = 0;
};

std::unique_ptr<RankWork> serve_ladders(const RankWorkSetup& setup);

}  // namespace nhot
