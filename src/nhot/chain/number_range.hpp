// Refuses runs whose exponents leave the range of doubles.
#pragma once

#include <vector>

#include "nhot/chain/chain.hpp"
#include "nhot/model/model.hpp"

namespace nhot {

/// Weights and acceptances are exponentials of beta and gamma times energies. InputError when beta,
/// or the gamma of a move, times what one flip can change is not a number that doubles can hold
/// with room. Sums over a walk need no bound: LogProduct adds them in larger units.
void check_number_range(const Model& model, std::vector<WeightedMove> moves, double beta);

}  // namespace nhot
