// One move tried on a few chains, and how fast they forget.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/diagnose/decorrelation.hpp"
#include "nhot/run/timed_chains.hpp"
#include "nhot/run/tune/move_cost.hpp"
#include "nhot/trace/observables.hpp"

namespace nhot {

/// All pairs of chains, the overlaps of which are a quantity.
std::vector<std::pair<std::size_t, std::size_t>> chain_pairs(std::size_t chains);

/// First and second moments of a quantity, by chain or pair.
struct ChainMoments {
  double weight = 0;
  double first = 0;
  double second = 0;
};

/// What states say of energy, observables and sites, by chain: moments that trials can be pooled
/// by.
struct StateMoments {
  std::vector<std::vector<ChainMoments>> scalars;  // [energy, observables][chain], [overlap][pair]
  std::vector<std::vector<double>> ones;           // [chain][site]: weighted
  std::vector<double> weight;                      // [chain], of the above

  StateMoments() = default;
  /// So many scalars, of which the last one is the overlap.
  StateMoments(std::size_t scalars, std::size_t chains, std::size_t sites);
  /// With a total weight of `weight` per chain.
  void add(const StateMoments& other, double weight);
  /// Variances of the scalars, then that of all sites together: over all draws, and about the means
  /// of their own chains.
  std::vector<double> overall() const;
  std::vector<double> within() const;
};

/// Chains record their states as they go, closely at first. As long as they have not forgotten
/// within a segment of draws, its short lags count and every second draw goes; from then on,
/// segment after segment counts. So lags from a move to the length of the trial are known.
class Trial {
 public:
  Trial(std::shared_ptr<const ChainFactory> factory, std::uint64_t seed,
        const std::vector<Bits>& starts, std::uint64_t threads, const Observables& observables,
        const std::optional<MoveCost>& nominal);

  /// Until the chains have made moves worth so many seconds each, or know all that is worth
  /// knowing. By nominal costs, draws count as well.
  void advance(double seconds);
  /// More draws would tell little.
  bool done() const { return segments_ >= enough; }
  /// The segment at hand counts, too.
  void finish();

  const ChainFactory& factory() const { return *factory_; }
  std::uint64_t moves() const { return moves_; }  // per chain
  /// Measured where many moves are made at a time, or nominal; 0 where no move was made.
  double seconds_per_move() const;
  double acceptance() const;
  std::vector<Bits> states() const;

  /// [energy, observables, overlap, sites][chain], of the overlap [pair]; lags in moves.
  const std::vector<std::vector<Variogram>>& variograms() const { return variograms_; }
  const StateMoments& moments() const { return moments_; }

 private:
  static constexpr std::size_t segment = 64;  // draws
  static constexpr std::size_t enough = 16;   // segments after which noise is a few per cent
  static constexpr std::uint64_t many = 64;   // moves at a time, for clocks to tell their cost

  double seconds() const;
  double spent() const;
  void draw(std::uint64_t draws);
  void time_moves(double most);
  void take_segment();
  void halve_segment();
  void count_segment();
  bool forgotten() const;
  void add_lags(std::vector<std::vector<Variogram>>& to, std::span<const std::size_t> lags) const;
  StateMoments segment_moments() const;

  std::shared_ptr<const ChainFactory> factory_;
  const Observables& observables_;
  std::optional<MoveCost> nominal_;  // instead of the clock
  TimedChains chains_;
  std::uint64_t thin_ = 1;
  std::uint64_t moves_ = 0;
  std::uint64_t timed_moves_ = 0;  // many at a time
  double timed_seconds_ = 0;
  std::size_t segments_ = 0;  // counted
  bool resolved_ = false;
  std::size_t draws_ = 0;  // of the segment
  std::uint64_t all_draws_ = 0;
  std::vector<std::vector<PackedBits>> states_;           // [chain][draw]
  std::vector<std::vector<std::vector<double>>> series_;  // [scalar][chain or pair][draw]
  std::vector<std::vector<Variogram>> variograms_;
  StateMoments moments_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace nhot
