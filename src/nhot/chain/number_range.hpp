// Refuses runs whose exponents leave the range of doubles.
#pragma once

#include <vector>

#include "nhot/chain/chain.hpp"
#include "nhot/model/model.hpp"

namespace nhot {

/// A bound on sums of energy changes: that between any two states, and those of all steps of a walk
/// through every site and back, each taken as absolute value. Linear in the size of the model.
double energy_reach(const Model& model);

/// Weights and acceptances are exponentials of beta and gamma times energies. Their exponents are
/// summed over a walk, so an infinite one would turn into infinity minus infinity. InputError when
/// beta, or the gamma of a move, times the reach is not a number that doubles can hold with room.
void check_number_range(const Model& model, std::vector<WeightedMove> moves, double beta);

}  // namespace nhot
