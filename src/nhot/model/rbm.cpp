#include "nhot/model/rbm.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "nhot/base/compensated_sum.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"

namespace nhot {
namespace {

void check_size(const char* what, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw InputError("the RBM's " + std::string(what) + " holds " + std::to_string(found) +
                         " values, expected " + std::to_string(expected),
                     "W is hidden x visible, b one per hidden unit, c one per visible unit");
}

// Adds |values| to the total; refuses values that are not finite.
void check_values(const char* what, const std::vector<double>& values, double& total) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      throw InputError("the RBM's " + std::string(what) + " holds a value that is " +
                           (std::isnan(values[k]) ? "not a number" : "infinite") +
                           ", at position " + std::to_string(k),
                       "weights and biases must be finite numbers");
    total += std::fabs(values[k]);
  }
}

}  // namespace

Rbm::Rbm(RbmWeights weights) : w_(std::move(weights)) {
  if (!rbm_fits(w_.visible, w_.hidden))
    throw InputError("an RBM of " + std::to_string(w_.visible) + " visible and " +
                         std::to_string(w_.hidden) + " hidden units cannot be made",
                     "give at least one of each, at most " + std::to_string(max_rbm_units) +
                         " units and " + std::to_string(max_rbm_weights) + " weights");
  check_size("W", w_.weights.size(), std::size_t{w_.visible} * w_.hidden);
  check_size("b", w_.hidden_bias.size(), w_.hidden);
  check_size("c", w_.visible_bias.size(), w_.visible);
  double total = 0;
  check_values("W", w_.weights, total);
  check_values("b", w_.hidden_bias, total);
  check_values("c", w_.visible_bias, total);
  if (!(total < std::numeric_limits<double>::max() / 16))
    throw InputError(
        "the energy can overflow: the absolute values of the weights sum to 1e307 or more",
        "scale the weights down");
}

double Rbm::energy(std::span<const Bit> bits) const {
  NHOT_EXPECTS(bits.size() == sites());
  const std::span<const Bit> visible = bits.first(w_.visible);
  const std::span<const Bit> hidden = bits.subspan(w_.visible);
  CompensatedSum energy;
  std::vector<Site> active;
  for (Site v = 0; v < w_.visible; ++v) {
    if (!visible[v]) continue;
    active.push_back(v);
    energy.add(-w_.visible_bias[v]);
  }
  for (Site h = 0; h < w_.hidden; ++h) {
    if (!hidden[h]) continue;
    energy.add(-w_.hidden_bias[h]);
    const double* row = w_.weights.data() + std::size_t{h} * w_.visible;
    for (const Site v : active) energy.add(-row[v]);
  }
  return energy.value();
}

}  // namespace nhot
