// Effective sample size: how many independent draws would know as much.
//
// The estimator of Vehtari, Gelman, Simpson, Carpenter and Buerkner (Bayesian Analysis 16, 2021),
// as ArviZ computes it, equal to it to rounding. Every chain is split in two; autocovariances are
// taken within the halves but measured against a variance that also holds the spread between them,
// so halves that disagree lower the ESS; the sum of autocorrelations is cut by Geyer's initial
// monotone sequence. ESS may exceed the number of draws S (negative correlations) up to S log10(S).
//
// Edges, all as in ArviZ unless said otherwise:
//   fewer than 4 draws per chain, no chain, or a NaN    NaN (here also: an infinite draw)
//   all draws of all chains equal (range below 1e-15)   the number of draws in the split chains
//   each chain constant, but at different values        about the number of chains
//   a pair of lags that cancels to rounding             where the sum is cut may differ from ArviZ
#pragma once

#include "nhot/diagnose/autocovariance.hpp"
#include "nhot/diagnose/chains_view.hpp"
#include "nhot/diagnose/ranked_draws.hpp"

namespace nhot {

/// For the centre of the law: ESS of the rank-normalised draws.
double ess_bulk(const ChainsView& chains);

/// For its ends: the smaller ESS of the indicators of the 5% and the 95% quantile.
double ess_tail(const ChainsView& chains);

/// For the mean of the draws as they are.
double ess_mean(const ChainsView& chains);

/// For their standard deviation: ESS of the squared deviation from the pooled mean.
double ess_sd(const ChainsView& chains);

/// True if the estimators of this room can say anything: one chain, four draws, every draw finite.
bool can_be_judged(const ChainsView& chains);

/// Parts for callers that want several of the above and share the work.
double ess_of_split(const ChainsView& halves, Autocovariance& autocovariance);
double ess_tail(const ChainsView& chains, const RankedDraws& ranked,
                Autocovariance& autocovariance);
double ess_sd(const ChainsView& chains, double pooled_mean, Autocovariance& autocovariance);

}  // namespace nhot
