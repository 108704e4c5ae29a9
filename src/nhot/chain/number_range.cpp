#include "nhot/chain/number_range.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"

namespace nhot {
namespace {

// The largest double is 1.8e308, and kappa is at most 2.
constexpr double largest_exponent = 4e307;

[[noreturn]] void refuse(const std::string& name, double value, double reach) {
  throw InputError(name + " " + format_real(value) +
                       " overflows with the energies of this model, which change by up to " +
                       format_real(reach) + " in one flip",
                   "give " + name + " below " + format_real(largest_exponent / reach) +
                       ", or scale the model down");
}

}  // namespace

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
