// Steepest descent by pair exchanges, to a state that no exchange improves.
#pragma once

#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Exchanges, again and again, the pair of sites from opposite sides of a group that lowers the
/// energy most, until no pair does; returns the energy. Pairs are tried in order of the sum of
/// their flip costs, which is off by at most the largest coupling, so few are looked at. A round
/// costs one pass over the couplings and two sorts.
double quench(const Model& model, const Shell& shell, Bits& bits);

}  // namespace nhot
