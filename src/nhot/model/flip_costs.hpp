// What flipping each site of a state would cost, from scratch.
#pragma once

#include <span>
#include <vector>

#include "nhot/model/model.hpp"

namespace nhot {

/// dE_i = E(state with site i flipped) - E(state) for every site, in the model's own bits. One pass
/// over the couplings.
std::vector<double> flip_costs(const Model& model, std::span<const Bit> bits);

}  // namespace nhot
