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

/// Sum of the absolute values of all terms that a flip of each site changes.
std::vector<double> terms_by_site(const Model& model) {
  std::vector<double> sums(model.sites(), 0.0);
  if (const Rbm* rbm = model.rbm()) {
    const RbmWeights& w = rbm->weights();
    for (Site h = 0; h < rbm->hidden(); ++h)
      for (Site v = 0; v < rbm->visible(); ++v) {
        const double size = std::abs(w.weights[std::size_t{h} * rbm->visible() + v]);
        sums[v] += size;
        sums[rbm->visible() + h] += size;
      }
    for (Site v = 0; v < rbm->visible(); ++v) sums[v] += std::abs(w.visible_bias[v]);
    for (Site h = 0; h < rbm->hidden(); ++h) sums[rbm->visible() + h] += std::abs(w.hidden_bias[h]);
    return sums;
  }
  const QuadraticModel& quadratic = *model.quadratic();
  const double factor = quadratic.convention() == Convention::spin ? 2 : 1;
  for (Site i = 0; i < quadratic.sites(); ++i) {
    if (!quadratic.linear().empty()) sums[i] += factor * std::abs(quadratic.linear()[i]);
    for (const double value : quadratic.row(i).values) sums[i] += factor * std::abs(value);
  }
  return sums;
}

}  // namespace

double flip_reach(const Model& model) {
  if (const Energy* energy = model.custom()) return largest_change(*energy);
  const std::vector<double> sums = terms_by_site(model);
  return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

void check_number_range(const Model& model, std::vector<WeightedMove> moves, double beta) {
  const double reach = flip_reach(model);
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
