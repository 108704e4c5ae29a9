// Exchange of temperatures between the replicas of a ladder, and what it tells.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// Counts how often replicas travel between the hottest rung (0) and every other rung and back.
class RoundTrips {
 public:
  RoundTrips() = default;
  explicit RoundTrips(std::size_t rungs) : trips_(rungs, 0), deepest_(rungs, unseen) {}

  /// Replica r is now on a rung. Call for every replica after every exchange.
  void visit(std::size_t replica, std::size_t rung) {
    std::size_t& deepest = deepest_[replica];
    if (rung == 0) {
      if (deepest != unseen && deepest > 0)
        for (std::size_t k = 0; k <= deepest; ++k) ++trips_[k];
      deepest = 0;
    } else if (deepest != unseen) {
      deepest = std::max(deepest, rung);
    }
  }

  /// Trips from the hottest rung to this rung or beyond and back again, over all replicas. For the
  /// coldest rung these are the round trips of the ladder; where the numbers fall steeply along
  /// the ladder, replicas do not get through. For rung 0: departures that came back.
  std::uint64_t trips(std::size_t rung) const { return trips_[rung]; }

  void save(ByteWriter& out) const {
    out.put(trips_);
    out.put(deepest_);
  }
  /// InputError unless it was saved by as many rungs.
  void restore(ByteReader& in) {
    const std::size_t rungs = trips_.size();
    in.get_sized(trips_, rungs);
    in.get_sized(deepest_, rungs);
    for (const std::size_t deepest : deepest_)
      if (deepest != unseen && deepest >= rungs) ByteReader::damaged();
  }

 private:
  static constexpr std::size_t unseen = ~std::size_t{0};  // not yet at the hot end

  std::vector<std::uint64_t> trips_;
  std::vector<std::size_t> deepest_;  // coldest rung since the last time at the hot end
};

/// Which replica is on which rung. An exchange swaps temperatures, not states.
///
/// Law: the product of exp(-beta_k E(x_k)) over the rungs. A pair of neighbours is exchanged with
/// probability min(1, exp((beta_hi - beta_lo)(E_hi - E_lo))), which keeps it. Even and odd pairs
/// alternate (deterministic, non-reversible): replicas then drift along the ladder instead of
/// diffusing, so a round trip takes O(rungs) rounds, not O(rungs^2).
class ReplicaLadder {
 public:
  ReplicaLadder() = default;
  /// Betas strictly increasing: rung 0 is the hottest. Replica k begins on rung k.
  explicit ReplicaLadder(std::vector<double> betas)
      : betas_(std::move(betas)), replica_(betas_.size()), rung_(betas_.size()) {
    std::iota(replica_.begin(), replica_.end(), std::size_t{0});
    std::iota(rung_.begin(), rung_.end(), std::size_t{0});
    reset_statistics();
  }

  std::size_t rungs() const { return betas_.size(); }
  const std::vector<double>& betas() const { return betas_; }
  double beta(std::size_t rung) const { return betas_[rung]; }
  std::size_t replica_at(std::size_t rung) const { return replica_[rung]; }
  std::size_t rung_of(std::size_t replica) const { return rung_[replica]; }

  /// One round: tries the pairs (parity, parity + 1), (parity + 2, ...), then changes parity.
  template <DrawSource Draws>
  void exchange(std::span<const double> energy_of_replica, Draws& draws) {
    NHOT_EXPECTS(energy_of_replica.size() == rungs());
    for (std::size_t hot = parity_; hot + 1 < rungs(); hot += 2) {
      const std::size_t a = replica_[hot];
      const std::size_t b = replica_[hot + 1];
      const double log_ratio =
          (betas_[hot + 1] - betas_[hot]) * (energy_of_replica[b] - energy_of_replica[a]);
      const double p = log_ratio >= 0 ? 1.0 : std::exp(log_ratio);
      rejection_[hot] += 1 - p;
      ++tried_[hot];
      if (!draws.accept(p)) continue;
      ++swapped_[hot];
      std::swap(replica_[hot], replica_[hot + 1]);
      std::swap(rung_[a], rung_[b]);
    }
    parity_ ^= 1U;
    for (std::size_t r = 0; r < rungs(); ++r) trips_.visit(r, rung_[r]);
  }

  std::uint64_t tried(std::size_t pair) const { return tried_[pair]; }
  std::uint64_t swapped(std::size_t pair) const { return swapped_[pair]; }
  /// Sum over tries of the rejection probability: less variance than counting rejections.
  double rejection_sum(std::size_t pair) const { return rejection_[pair]; }
  const RoundTrips& trips() const { return trips_; }

  void reset_statistics() {
    const std::size_t pairs = rungs() > 0 ? rungs() - 1 : 0;
    rejection_.assign(pairs, 0.0);
    tried_.assign(pairs, 0);
    swapped_.assign(pairs, 0);
    trips_ = RoundTrips(rungs());
    for (std::size_t r = 0; r < rungs(); ++r) trips_.visit(r, rung_[r]);
  }

  /// Betas, replicas by rung, parity, and all statistics.
  void save(ByteWriter& out) const {
    out.put(betas_);
    out.put(replica_);
    out.put(std::uint8_t{parity_ == 1});
    out.put(rejection_);
    out.put(tried_);
    out.put(swapped_);
    trips_.save(out);
  }

  /// The ladder that was saved. InputError when that cannot have been a ladder.
  static ReplicaLadder restored(ByteReader& in) {
    std::vector<double> betas;
    in.get(betas);
    for (std::size_t k = 0; k < betas.size(); ++k)
      if (!std::isfinite(betas[k]) || betas[k] < 0 || (k > 0 && betas[k] <= betas[k - 1]))
        ByteReader::damaged();
    ReplicaLadder ladder(std::move(betas));
    const std::size_t rungs = ladder.rungs();
    in.get_sized(ladder.replica_, rungs);
    ladder.rung_.assign(rungs, rungs);
    for (std::size_t k = 0; k < rungs; ++k) {
      const std::size_t replica = ladder.replica_[k];
      if (replica >= rungs || ladder.rung_[replica] != rungs) ByteReader::damaged();
      ladder.rung_[replica] = k;
    }
    ladder.parity_ = in.get<std::uint8_t>();
    if (ladder.parity_ > 1) ByteReader::damaged();
    const std::size_t pairs = ladder.tried_.size();
    in.get_sized(ladder.rejection_, pairs);
    in.get_sized(ladder.tried_, pairs);
    in.get_sized(ladder.swapped_, pairs);
    for (std::size_t k = 0; k < pairs; ++k)
      if (!(ladder.rejection_[k] >= 0) || ladder.swapped_[k] > ladder.tried_[k])
        ByteReader::damaged();
    ladder.trips_.restore(in);
    return ladder;
  }

 private:
  std::vector<double> betas_;
  std::vector<std::size_t> replica_;  // by rung
  std::vector<std::size_t> rung_;     // by replica
  std::size_t parity_ = 0;
  std::vector<double> rejection_;  // by pair
  std::vector<std::uint64_t> tried_;
  std::vector<std::uint64_t> swapped_;
  RoundTrips trips_;
};

}  // namespace nhot
