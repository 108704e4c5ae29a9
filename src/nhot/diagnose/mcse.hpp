// Monte Carlo standard error: how far an estimate from these draws is from the truth, typically.
// Equal to ArviZ's mcse(method="mean") and mcse(method="sd").
#pragma once

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// Of the pooled mean: sd / sqrt(ess_mean). NaN where the ESS is; zero for constant draws.
double mcse_mean(const ChainsView& chains);

/// Of the pooled standard deviation, by the delta method from the variance of (x - mean)^2. NaN for
/// constant draws.
double mcse_sd(const ChainsView& chains);

/// The same with the ESS at hand.
double mcse_mean(const ChainsView& chains, double ess_mean);
double mcse_sd(const ChainsView& chains, double pooled_mean, double ess_sd);

}  // namespace nhot
