// R-hat: do the chains agree? The ratio of the spread over all chains to the spread within them;
// 1 for chains that sample one law, above 1.01 for chains that should not be trusted yet.
//
// Rank-normalised and split (Vehtari and others, Bayesian Analysis 16, 2021), equal to ArviZ's
// rhat(method="rank"). `bulk` compares locations, `folded` compares spreads (scores of the distance
// from the median); the verdict is on the larger.
//
// Edges:
//   one chain, fewer than 4 draws, a NaN or infinite draw   NaN: nothing to compare
//   all draws of all chains equal                           NaN (0/0)
//   each chain constant, but at different values            infinity (ArviZ: or a huge number)
//   folded draws all equal (two values, equally often)      folded is NaN and the maximum is bulk
#pragma once

#include "nhot/diagnose/chains_view.hpp"
#include "nhot/diagnose/ranked_draws.hpp"

namespace nhot {

struct Rhat {
  double bulk = 0.0;
  double folded = 0.0;

  /// The larger part; a part that is NaN does not count.
  double value() const;
};

Rhat rank_rhat(const ChainsView& chains);

/// The same from draws already sorted; at least two chains of four finite draws.
Rhat rank_rhat(const RankedDraws& ranked);
Rhat rank_rhat(const Scores& scores, const Scores& folded);

/// sqrt((n - 1)/n + variance of the chain means / mean of the chain variances) of chains as they
/// are: neither split nor rank-normalised. The core of the above.
double plain_rhat(const ChainsView& chains);

}  // namespace nhot
