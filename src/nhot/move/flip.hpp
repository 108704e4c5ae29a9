// Move `flip`: one free site changes its bit.
#pragma once

#include "nhot/base/inline.hpp"
#include "nhot/move/declaration.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// Samples the law of the free sites given the groups: a uniform free site is flipped with
/// probability min(1, exp(-beta dE)). Where a shell has free sites, moves that work within groups
/// are mixed with it, in proportion to the numbers of sites. O(1) per attempt, plus the flip.
class FlipMove {
 public:
  static MoveDeclaration<FlipMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;

  void prepare(double, WeightSet&) {}

  template <class State, DrawSource Draws>
  requires State::grouped MoveOutcome operator()(State& state, Draws& draws) const {
    const Shell& shell = state.shell();
    const auto free = shell.members(shell.groups());
    const Site i = free[draws.below(free.size())];
    if (!draws.accept(state.boltzmann(state.delta(i)))) return {false, 1, 1};
    state.flip_free(i);
    return {true, 1, 1, true};
  }
};

}  // namespace nhot
