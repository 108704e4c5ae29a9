#include "nhot/chain/checks.hpp"

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/chain/chain.hpp"

namespace nhot {
namespace {

// (beta + kappa gamma) |dE| stays below the largest double, 1.8e308; kappa is at most 2.
constexpr double largest_exponent = 4e307;

[[noreturn]] void refuse(const std::string& name, double value, double reach) {
  throw InputError(name + " " + format_real(value) +
                       " overflows with the energies of this model, which change by up to " +
                       format_real(reach) + " in one flip",
                   "give " + name + " below " + format_real(largest_exponent / reach) +
                       ", or scale the model down");
}

}  // namespace

void check_start(const Shell& shell, const Bits& start) {
  if (start.size() != shell.sites())
    throw InputError("the start has " + std::to_string(start.size()) + " bits but the model has " +
                         std::to_string(shell.sites()) + " sites",
                     "give one bit per site");
  if (shell.contains(start)) return;
  if (shell.grouped()) {
    Group g = 0;
    while (shell.distance_of(start, g) == shell.distance(g)) ++g;
    throw InputError("the start is off the shell in group " + std::to_string(g + 1) + ": " +
                         std::to_string(shell.distance_of(start, g)) + " of its " +
                         std::to_string(shell.group_size(g)) +
                         " sites differ from the reference, not " +
                         std::to_string(shell.distance(g)),
                     "give a start that has the distance of every group");
  }
  const Site distance = shell.distance_of(start);
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

void check_number_range(const Model& model, std::vector<WeightedMove> moves, double beta) {
  const double reach = model.data().largest_change();
  if (!(beta * reach <= largest_exponent)) refuse("beta", beta, reach);
  WeightSet weight_set;
  for (WeightedMove& m : moves)
    std::visit([&](auto& move) { move.prepare(beta, weight_set); }, m.move);
  for (const Side side : {agreeing(0), differing(0)})
    for (unsigned k = 0; k < weight_set.size(side); ++k)
      if (const WeightFunction& function = weight_set(side, k);
          !(function.gamma * reach <= largest_exponent))
        refuse("gamma", function.gamma, reach);
}

}  // namespace nhot
