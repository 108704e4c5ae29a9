// What a chain accepts from outside: start states, temperatures, exponents that do not overflow.
#pragma once

#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

struct WeightedMove;

/// InputError unless the start has one bit per site and lies on the shell; it says by how much the
/// start is off.
void check_start(const Shell& shell, const Bits& start);

/// InputError unless beta is finite and not negative.
void check_beta(double beta);

/// Weights and acceptance probabilities are exponentials of gamma dE and beta dE. InputError when
/// beta, or the gamma of a move, times the largest |dE| of a flip could overflow. Sums over a walk
/// need no bound: LogProduct adds them in larger units.
void check_number_range(const Model& model, std::vector<WeightedMove> moves, double beta);

}  // namespace nhot
