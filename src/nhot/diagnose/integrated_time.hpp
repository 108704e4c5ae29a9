// The integrated autocorrelation time, in draws:
//
//   tau = 1 + 2 * sum over l >= 1 of rho_l,      variance of the mean of N draws = var * tau / N
//
// so that N / tau is the effective number of draws, and independent draws have tau = 1. (Texts that
// define it as 1/2 + sum have half this value.) The sum over all lags of an estimated rho is noise;
// the two estimators here differ in where they stop.
#pragma once

#include <cstddef>
#include <span>

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

struct IntegratedTime {
  double tau = 0.0;        ///< in draws; NaN where rho is NaN (constant draws)
  std::size_t window = 0;  ///< last lag that was summed
  bool closed =
      false;  ///< false: the series ended before the stopping rule was met; tau is too low
};

/// Sokal's automatic window: the smallest W with W >= c * tau(W). Its bias shrinks like
/// exp(-W / tau_exp) and its relative standard error is about sqrt(2 (2W + 1) / draws). In the
/// rule a tau below 1 counts as 1, so that a chain with negative correlations is not cut at lag
/// one.
IntegratedTime sokal_time(std::span<const double> rho, double c = 5.0);

/// Geyer's initial monotone sequence: pair sums rho_{2k} + rho_{2k+1}, which for a reversible chain
/// are positive and falling, are summed up to the first that is not positive, each capped by the
/// one before. Also right for chains with negative correlations.
IntegratedTime geyer_time(std::span<const double> rho);

/// The same on the autocorrelation averaged over chains (autocovariance.hpp). One chain: a view of
/// one.
IntegratedTime sokal_time(const ChainsView& chains, double c = 5.0);
IntegratedTime geyer_time(const ChainsView& chains);

}  // namespace nhot
