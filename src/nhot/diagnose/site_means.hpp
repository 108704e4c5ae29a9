// The mean of every site over the kept states of all chains, with standard errors.
#pragma once

#include <vector>

#include "nhot/base/packed_bits.hpp"

namespace nhot {

struct SiteMeans {
  std::vector<double> mean;   ///< share of states in which the site is 1
  std::vector<double> error;  ///< standard errors; NaN where there are too few states
};

/// Errors by batch means: the states of a chain are cut into up to 16 batches of consecutive ones,
/// and error = sd of all batches' means / sqrt(number of batches). States of every chain, in order.
SiteMeans site_means(const std::vector<std::vector<PackedBits>>& states);

}  // namespace nhot
