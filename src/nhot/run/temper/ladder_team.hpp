// All ladders of a tempering run, and the threads that advance them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "nhot/base/archive.hpp"
#include "nhot/base/communicator.hpp"
#include "nhot/move/isocluster.hpp"
#include "nhot/run/temper/rung_recorder.hpp"
#include "nhot/run/temper/tempered_ladder.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {

/// The work of this rank ended because that of another one has failed, which says why.
class OtherRankFailed : public std::exception {};

/// Which rounds are recorded.
struct DrawSchedule {
  std::uint64_t first = 1;        // rounds before the first draw, its own included
  std::uint64_t thin = 1;         // rounds between others
  RungRecorder* block = nullptr;  // where draws go; null: none are made
  bool measure_changes = false;   // see changed_sites()
};

/// Independent ladders over the same rungs. With cluster exchange every ladder has a partner of
/// its own at the same temperatures; after each round of moves the two replicas of a rung
/// exchange clusters (see IsoclusterExchange), which keeps the law of each. Only the first of the
/// two is recorded and counted, so what is recorded stays independent from ladder to ladder.
///
/// On one of several ranks, the team has its share of the replicas: shared_ladders.hpp puts the
/// teams of all ranks together.
///
/// Ladder c draws from the streams (seed, c, ...), its partner from (seed, ladders + c, ...), the
/// choice of clusters from (seed, c, 0, cluster_exchange).
class LadderTeam {
 public:
  /// `ranks`: null where there is one.
  LadderTeam(const ChainFactory& factory, const TemperingPlan& plan, Communicator* ranks = nullptr);

  std::size_t size() const { return pairs_.size(); }
  std::size_t rungs() const { return pairs_.front().ladder->rungs(); }
  const std::vector<double>& betas() const { return pairs_.front().ladder->exchanges().betas(); }

  /// Moves all ladders to other rungs.
  void place(const std::vector<double>& betas);

  /// `rounds` times `sweep` moves of every replica and an exchange. With enough ladders each is the
  /// task of one thread; otherwise the replicas are shared out between exchanges. The results are
  /// the same.
  void run(std::uint64_t rounds, std::uint64_t sweep, const DrawSchedule& draws = {});

  // --- with other ranks; ladders and their partners are parts, numbered one after the other

  bool splits_ladders() const { return share_.splits_ladders(); }
  std::size_t rank_of(std::size_t part, std::size_t replica) const {
    return share_.rank_of(part % size(), replica);
  }
  std::size_t parts() const { return size() * (pairs_.front().partner ? 2 : 1); }
  TemperedLadder& part(std::size_t number) {
    return number < size() ? *pairs_[number].ladder : *pairs_[number - size()].partner;
  }
  const TemperedLadder& part(std::size_t number) const {
    return const_cast<LadderTeam*>(this)->part(number);
  }
  /// For every part and replica; empty where the replica is elsewhere.
  std::vector<std::vector<Bits>> states() const;
  std::vector<std::vector<std::vector<std::byte>>> replica_archives() const;
  /// To other rungs, with the states that the replicas take.
  void place(const std::vector<double>& betas, const std::vector<std::vector<Bits>>& states);
  /// What has been done since the last call, for the team of rank 0; and there. After it, only that
  /// team knows the counts.
  void save_progress(Saving& saving);
  void merge_progress(Restoring& restoring);

  /// Runs task(0) .. task(count - 1) on the threads.
  void share_out(std::size_t count, const std::function<void(std::size_t)>& task) {
    team_.run(count, task);
  }

  /// Wall-clock time of a round in the latest run(); 0 before.
  double seconds_per_round() const { return seconds_per_round_; }

  /// Mean probability of rejection of every pair of rungs since the counters were reset.
  std::vector<double> rejection() const;

  /// Sites that a sweep changes at every rung, since the ladders were placed and over the rounds
  /// that measured it.
  std::vector<double> changed_sites() const;

  void reset_counters();

  /// The last draw of a rung is to be dropped from its trace: the moves that were accepted before
  /// it count for the next draw.
  void give_back_accepted(std::size_t rung, const Trace& trace);

  /// An archive for every ladder with its partner, and back. Restoring throws InputError when an
  /// archive is short, damaged or of other ladders.
  std::vector<std::vector<std::byte>> save(
      const std::vector<std::vector<std::vector<std::byte>>>& elsewhere = {});
  void restore(const std::vector<std::vector<std::byte>>& archives);

  /// Fills in the rungs without their traces, trips, steps, CPU time and the best energy, and a
  /// note where cluster exchange does nothing.
  void collect(TemperingResult& result) const;

 private:
  struct Pair {
    std::unique_ptr<TemperedLadder> ladder;
    std::unique_ptr<TemperedLadder> partner;  // none without cluster exchange
    std::optional<IsoclusterExchange> clusters;
    RandomDraws draws;
    std::vector<std::uint64_t> tried;    // exchanges of clusters, by rung
    std::vector<std::uint64_t> changed;  // that did more than rename the replicas
  };

  void exchange_clusters(Pair& pair, std::size_t rung);
  void finish_round(Pair& pair);
  void make_room(std::size_t rungs);
  void place_laws(const std::vector<double>& betas);
  void share_energies(const std::exception_ptr& failure);
  void restore(Pair& pair, const std::vector<std::byte>& archive);
  RungResult collect_rung(std::size_t rung, TemperingResult& result) const;

  Communicator* ranks_;
  ReplicaShare share_;
  std::unique_ptr<RungLaws> laws_;
  std::vector<Pair> pairs_;
  std::vector<std::size_t> mine_;  // ladders that this rank takes part in
  ThreadTeam team_;
  std::size_t threads_;
  double seconds_per_round_ = 0;
};

}  // namespace nhot
