// Which rank holds which replicas of a tempering run.
#pragma once

#include <cstddef>

namespace nhot {

/// Replicas never move from rank to rank: exchanges change their temperatures. Either whole ladders
/// are dealt out, which then have nothing to say to each other between draws, or the replicas of
/// every ladder, whose energies all ranks know at each exchange. By default one rank has all.
class ReplicaShare {
 public:
  ReplicaShare() = default;
  ReplicaShare(std::size_t rank, std::size_t ranks, bool whole_ladders)
      : rank_(rank), ranks_(ranks), whole_(whole_ladders) {}

  std::size_t rank() const { return rank_; }
  std::size_t ranks() const { return ranks_; }
  /// Replicas of one ladder are on several ranks.
  bool splits_ladders() const { return ranks_ > 1 && !whole_; }

  std::size_t rank_of(std::size_t ladder, std::size_t replica) const {
    return (whole_ ? ladder : ladder + replica) % ranks_;
  }
  bool has(std::size_t ladder, std::size_t replica) const {
    return rank_of(ladder, replica) == rank_;
  }
  /// Takes part in the exchanges of a ladder.
  bool exchanges(std::size_t ladder) const { return splits_ladders() || has(ladder, 0); }

 private:
  std::size_t rank_ = 0;
  std::size_t ranks_ = 1;
  bool whole_ = true;
};

}  // namespace nhot
