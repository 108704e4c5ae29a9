#include "nhot/model/flip_costs.hpp"

namespace nhot {
namespace {

std::vector<double> flip_costs_of(const QuadraticModel& model, std::span<const Bit> bits) {
  const bool spin = model.convention() == Convention::spin;
  const auto value = [&](Site i) { return spin ? 2.0 * bits[i] - 1.0 : 1.0 * bits[i]; };
  std::vector<double> costs(model.sites());
  for (Site i = 0; i < model.sites(); ++i) {
    double slope = model.linear().empty() ? 0.0 : model.linear()[i];
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) slope += row.values[k] * value(row.sites[k]);
    const double change = spin ? -2 * value(i) : 1 - 2 * value(i);
    costs[i] = change * slope;
  }
  return costs;
}

std::vector<double> flip_costs_of(const Rbm& rbm, std::span<const Bit> bits) {
  const RbmWeights& w = rbm.weights();
  std::vector<double> slopes(rbm.sites());
  for (Site v = 0; v < w.visible; ++v) slopes[v] = -w.visible_bias[v];
  for (Site h = 0; h < w.hidden; ++h) {
    const double* row = w.weights.data() + std::size_t{h} * w.visible;
    double field = w.hidden_bias[h];
    for (Site v = 0; v < w.visible; ++v) {
      if (bits[v]) field += row[v];
      if (bits[w.visible + h]) slopes[v] -= row[v];
    }
    slopes[w.visible + h] = -field;
  }
  for (Site i = 0; i < rbm.sites(); ++i)
    if (bits[i]) slopes[i] = -slopes[i];
  return slopes;
}

}  // namespace

std::vector<double> flip_costs(const Model& model, std::span<const Bit> bits) {
  if (const Energy* energy = model.custom()) {
    std::vector<double> costs(model.sites());
    for (Site i = 0; i < model.sites(); ++i) costs[i] = energy->change(bits, i);
    return costs;
  }
  return model.rbm() ? flip_costs_of(*model.rbm(), bits) : flip_costs_of(*model.quadratic(), bits);
}

}  // namespace nhot
