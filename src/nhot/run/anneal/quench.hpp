// Steepest descent by pair exchanges, to a state that no exchange improves.
#pragma once

#include <functional>

#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Exchanges, again and again, the pair of sites from opposite sides of a group that lowers the
/// energy most, until no pair does; returns the energy. Pairs are tried in order of the sum of
/// their flip costs, which is off by at most the largest coupling, so few are looked at. A round
/// costs one pass over the couplings and two sorts; a state that is far from a minimum takes of the
/// order of its sites in rounds. Once `stop`, asked after every round, says true it ends where it
/// is.
double quench(const Model& model, const Shell& shell, Bits& bits,
              const std::function<bool()>& stop = {});

}  // namespace nhot
