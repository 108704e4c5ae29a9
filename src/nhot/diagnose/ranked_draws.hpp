// All draws of all chains in order of value: the one sort behind quantiles, rank-normalised scores
// and their folded form.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// Scores laid out as the draws they came from.
struct Scores {
  std::vector<double> values;
  std::size_t chains = 0;
  std::size_t draws = 0;

  ChainsView view() const { return ChainsView(values.data(), chains, draws); }
};

/// Sorts once, O(S log S) for S draws in all; each question below is O(S) or O(1). Draws must be
/// finite.
///
/// A normal score replaces a draw of average rank r among S draws by the normal quantile of
/// (r - 3/8) / (S + 1/4) (Blom); equal draws share their average rank. The scores serve split
/// chains: the middle draw of an odd number of draws takes no rank, and its place in Scores holds
/// zero.
class RankedDraws {
 public:
  explicit RankedDraws(const ChainsView& chains);

  /// Linear interpolation between order statistics (type 7 of Hyndman and Fan) of all draws.
  double quantile(double probability) const;

  double smallest() const { return sorted_.front().value; }
  double largest() const { return sorted_.back().value; }

  /// Normal scores of the draws.
  Scores normal_scores() const;

  /// Normal scores of |draw - median|, which compare spread where the plain ones compare location.
  Scores folded_scores() const;

 private:
  struct Entry {
    double value;
    std::size_t place;  // chain * draws + draw
  };

  std::vector<Entry> without_middle() const;
  Scores score(const std::vector<Entry>& sorted) const;

  std::size_t chains_;
  std::size_t draws_;
  std::vector<Entry> sorted_;
};

}  // namespace nhot
