// Something that can be cooled: what annealing asks of a walk on the shell.
#pragma once

#include <cstdint>

#include "nhot/base/types.hpp"

namespace nhot {

class VisitedStates;

class Walker {
 public:
  virtual ~Walker() = default;

  /// Every state on the shell is told to `visited`, from the next start() on.
  virtual void tell(VisitedStates& visited) = 0;

  /// Begins anew from a state on the shell, in the model's bits. The best is forgotten.
  virtual void start(const Bits& bits) = 0;
  /// About `count` steps per site at one temperature.
  virtual void sweep(double beta, std::uint64_t count) = 0;

  /// Resets the best from the next on-shell state.
  virtual void forget_best() = 0;

  /// Energy of the latest state on the shell.
  virtual double energy() const = 0;
  /// Lowest energy on the shell since start() or forget_best(), and a state that has it.
  virtual double best_energy() const = 0;
  virtual Bits best_bits() const = 0;
  /// Steps of the latest sweep() from shell to shell that raised the energy, per try: how far from
  /// frozen.
  virtual double uphill_share() const = 0;
};

}  // namespace nhot
