// Move `kawasaki`: exchange across an edge of the coupling graph.
#pragma once

#include "nhot/base/inline.hpp"
#include "nhot/move/declaration.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// Draws a uniform site and a uniform neighbour of it. When the two are in one group and on
/// different sides, both change side with probability min(1, exp(-beta dE)); otherwise nothing
/// happens, and that counts as an attempt. The edge is drawn by a law that does not depend on the
/// state (uniform on regular graphs), so pi_n is kept. The chain reaches every state exactly when
/// the graph is connected, or, with several groups, that of each group. O(1) per attempt.
class KawasakiMove {
 public:
  static MoveDeclaration<KawasakiMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;

  void prepare(double, WeightSet&) {}

  template <class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE MoveOutcome operator()(State& state, Draws& draws) const {
    const auto& c = state.configuration();
    const auto i = static_cast<Site>(draws.below(c.sites()));
    const std::size_t degree = c.kernel->degree(i);
    if (degree == 0) return {false, 1, 1};
    const std::size_t k = draws.below(degree);
    const Site j = c.kernel->neighbour(i, k);
    if (c.side(i) != opposite(c.side(j))) return {false, 1, 1};
    const auto cost = [&] {
      if constexpr (is_pairwise<typename State::Kernel>)
        return static_cast<typename State::Field>(state.delta(i) + state.delta(j) -
                                                  state.kernel().neighbour_coupling(i, k));
      else
        return state.delta_unlike(c.u[i] ? i : j, c.u[i] ? j : i);
    }();
    if (!draws.accept(state.boltzmann(cost))) return {false, 1, 1};
    state.exchange(i, j);
    return {true, 1, 1, true};
  }
};

}  // namespace nhot
