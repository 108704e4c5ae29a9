#include "nhot/model/rbm.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

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

FixedPoint choose_fixed_point(const RbmWeights& w) {
  FixedPointFacts facts;
  std::vector<double> of_visible(w.visible);
  for (Site v = 0; v < w.visible; ++v) {
    facts.add(w.visible_bias[v]);
    of_visible[v] = std::abs(w.visible_bias[v]);
  }
  for (Site h = 0; h < w.hidden; ++h) {
    facts.add(w.hidden_bias[h]);
    double of_hidden = std::abs(w.hidden_bias[h]);
    const double* row = w.weights.data() + std::size_t{h} * w.visible;
    for (Site v = 0; v < w.visible; ++v) {
      facts.add(row[v]);
      of_hidden += std::abs(row[v]);
      of_visible[v] += std::abs(row[v]);
    }
    facts.add_field(of_hidden);
  }
  for (const double bound : of_visible) facts.add_field(bound);
  return facts.choose();
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
  fixed_point_ = choose_fixed_point(w_);
}

std::int64_t Rbm::energy_units(std::span<const Bit> bits) const {
  NHOT_EXPECTS(bits.size() == sites());
  const std::span<const Bit> visible = bits.first(w_.visible);
  const std::span<const Bit> hidden = bits.subspan(w_.visible);
  std::int64_t sum = 0;
  std::vector<Site> active;
  for (Site v = 0; v < w_.visible; ++v) {
    if (!visible[v]) continue;
    active.push_back(v);
    sum -= fixed_point_.units(w_.visible_bias[v]);
  }
  for (Site h = 0; h < w_.hidden; ++h) {
    if (!hidden[h]) continue;
    sum -= fixed_point_.units(w_.hidden_bias[h]);
    const double* row = w_.weights.data() + std::size_t{h} * w_.visible;
    for (const Site v : active) sum -= fixed_point_.units(row[v]);
  }
  return sum;
}

}  // namespace nhot
