// The best of two states, part by part.
//
// Two states differ on a set of sites that falls into connected parts of the coupling graph. Parts
// are not coupled to each other, so flipping any choice of them changes the energy by the sum of
// the parts' own changes: the best choice can be found exactly, also among those that keep the
// distance. Of two good states of a sparse model this makes one that has the best of both
// everywhere. (For unconstrained problems: partition crossover, Tinos, Whitley and Chicano, 2015.)
#pragma once

#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// The state of least energy among those that agree with `a` or with `b` part by part and stay on
/// the shell, where `a` is. `b` need not be on it. Returns the change of energy against `a`, not
/// above 0, and writes the state over `a`. Costs a pass over the couplings and a table of (number
/// of parts) x (their sites); with too many parts only those that keep the distance by themselves
/// are used. On a grouped shell parts that share a group are one part. Models whose couplings join
/// everything give one part and no change.
double recombine(const Model& model, const Shell& shell, Bits& a, const Bits& b);

}  // namespace nhot
