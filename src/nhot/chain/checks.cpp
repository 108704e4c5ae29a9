#include "nhot/chain/checks.hpp"

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"

namespace nhot {

void check_start(const Shell& shell, const Bits& start) {
  if (start.size() != shell.sites())
    throw InputError("the start has " + std::to_string(start.size()) + " bits but the model has " +
                         std::to_string(shell.sites()) + " sites",
                     "give one bit per site");
  const Site distance = shell.distance_of(start);
  if (distance == shell.distance()) return;
  const bool far = distance > shell.distance();
  throw InputError(
      "the start is at distance " + std::to_string(distance) +
          " from the reference, off the shell of distance " + std::to_string(shell.distance()) +
          " by " + std::to_string(far ? distance - shell.distance() : shell.distance() - distance),
      "give a start on the shell, or {distance " + std::to_string(distance) + "}");
}

void check_beta(double beta) {
  if (!(beta >= 0) || !std::isfinite(beta))
    throw InputError("beta is " + format_real(beta), "give a finite number >= 0");
}

}  // namespace nhot
