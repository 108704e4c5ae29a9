// What a move reports about one attempt: for diagnosis only, never needed for the next step.
#pragma once

#include <concepts>
#include <cstdint>

#include "nhot/state/weight.hpp"

namespace nhot {

struct MoveOutcome {
  bool accepted = false;
  /// Pairs of flips: walk length of `im` and `path`, pairs of a cluster, 1 for an exchange.
  std::uint32_t length = 0;
  /// Work in steps: flips of a walk or cluster, units redrawn, or one per attempted exchange.
  std::uint32_t steps = 0;
  /// Accepted, and the state has changed: a walk may end where it began.
  bool changed = false;
};

/// What a move must have, checked where a chain runs it. In addition it is called with a state and
/// a source of draws, `MoveOutcome operator()(State&, Draws&)`, with a requires clause where it is
/// for some kernels only.
template <class M>
concept ChainMove = requires(M move, double beta, WeightSet& weight_set) {
  { move.needs_sides } -> std::convertible_to<bool>;    // keep lists of the sites of each side
  { move.needs_weights } -> std::convertible_to<bool>;  // keep an engine, to select by weight
  move.prepare(beta, weight_set);  // before the first move and when beta changes; asks for weights
};

}  // namespace nhot
