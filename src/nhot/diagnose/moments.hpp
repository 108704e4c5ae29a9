// Means and variances that keep their digits when the mean is large against the spread.
#pragma once

#include <cstddef>
#include <span>

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// Arithmetic mean; NaN of nothing. Exact for constant values.
double mean(std::span<const double> values);

/// Sum of (x - mean)^2 / (count - 1); NaN below two values. Zero, exactly, for constant values.
double sample_variance(std::span<const double> values);

/// The same over all draws of all chains.
double pooled_mean(const ChainsView& chains);
double pooled_variance(const ChainsView& chains);

}  // namespace nhot
