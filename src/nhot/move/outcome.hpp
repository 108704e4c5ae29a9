// What a move reports about one attempt: for diagnosis only, never needed for the next step.
#pragma once

#include <cstdint>

namespace nhot {

struct MoveOutcome {
  bool accepted = false;
  /// Walk length of an intracluster move, 1 for an exchange of two sites.
  std::uint32_t length = 0;
  /// Steps by the contract: flips of a walk, or one per attempted exchange.
  std::uint32_t steps = 0;
  /// Accepted, and the state is another one: a walk may end where it began.
  bool changed = false;
};

}  // namespace nhot
