// The mean of every site over the kept states of all chains, with standard errors.
#pragma once

#include <vector>

#include "nhot/base/packed_bits.hpp"

namespace nhot {

struct SiteMeans {
  std::vector<double> mean;   ///< share of states in which the site is 1
  std::vector<double> error;  ///< standard errors; NaN where there are too few states
};

/// The states of a chain are cut into up to 16 batches of consecutive ones; with v_i the variance
/// of the mean of site i by the spread of the batches of all chains, p_i the mean and n states in
/// all,
///
///     error_i^2 = (d_i c v_i + 8 u_i) / (d_i + 8).
///
/// c = 2 sum v'_i / sum v_i - 1, with v' by batches twice as long, removes most of the bias that
/// correlated batches have (Vats and Flegal, Biometrika 109, 2022); it is kept within 1 and 2. The
/// states of all sites together are worth m = sum p_i (1 - p_i) / sum c v_i independent ones, or n
/// if that is less, and u_i = p (1 - p) / (m + 4) with p = (p_i m + 2) / (m + 4) (Agresti and
/// Coull). d_i = m min(p_i, 1 - p_i) is how often the rarer value was met, at most the number of
/// batches - 1. So the error of a value that was hardly met does not rest on a few batches, and is
/// not 0 where it never was.
SiteMeans site_means(const std::vector<std::vector<PackedBits>>& states);

}  // namespace nhot
