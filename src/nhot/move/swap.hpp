// Move `swap`: constant-set Metropolis. One uniform site from each side of a group changes side.
#pragma once

#include "nhot/move/outcome.hpp"
#include "nhot/select/state.hpp"

namespace nhot {

/// Samples pi_n: the pair is drawn uniformly whatever the state, so min(1, exp(-beta dE)) balances.
/// O(1) per attempt, plus the flips when accepted.
class SwapMove {
 public:
  static constexpr bool needs_sides = true;
  static constexpr bool needs_weights = false;

  void prepare(double, WeightPalette&) {}

  template <class State, DrawSource Draws>
  MoveOutcome operator()(State& state, Draws& draws) const {
    const Group group = state.shell().draw_group(draws);
    const SideLists& lists = state.lists();
    const Site differing_count = lists.size(differing(group));
    const Site agreeing_count = lists.size(agreeing(group));
    if (differing_count == 0 || agreeing_count == 0) return {false, 1, 1};
    const auto [a, b] = draw_pair(draws, differing_count, agreeing_count);
    const Site i = lists.at(differing(group), a);
    const Site j = lists.at(agreeing(group), b);
    if (!draws.accept(state.boltzmann(state.delta_unlike(i, j)))) return {false, 1, 1};
    state.exchange(i, j);
    return {true, 1, 1};
  }
};

}  // namespace nhot
