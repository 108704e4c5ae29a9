// Steepest descent by pair exchanges, to a state that no exchange improves.
#pragma once

#include <functional>

#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Exchanges, again and again, the pair of sites from opposite sides of a group that lowers the
/// energy most, or flips the free site that does, until nothing lowers it; returns the energy.
/// Pairs are tried in order of dE_i + dE_j, which differs from dE_ij by at most
/// largest_correction(), so few are looked at. A round costs one pass over the couplings and a sort
/// per side; from far off a minimum there are O(sites) rounds. `stop` is asked after every round;
/// true ends the descent.
double quench(const Model& model, const Shell& shell, Bits& bits,
              const std::function<bool()>& stop = {});

}  // namespace nhot
