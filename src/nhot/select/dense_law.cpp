// Laws of the dense engine, and what it does site by site.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/contracts.hpp"
#include "nhot/select/dense_make_passes.hpp"
#include "nhot/select/dense_weight.hpp"

namespace nhot::dense {

Law::Law(const WeightFunction& agreeing, const WeightFunction& differing, double quantum,
         double bound)
    : bias(agreeing.bias) {
  NHOT_EXPECTS(agreeing.bias == differing.bias);
  // dE is the field of an agreeing site and minus that of a differing one.
  const double unit = (bias == Bias::logistic ? 1 : -1) * quantum * std::numbers::log2e;
  scale = {static_cast<float>(unit * agreeing.gamma), static_cast<float>(-unit * differing.gamma)};
  const double largest = std::max(std::abs(agreeing.gamma), std::abs(differing.gamma));
  const bool in_range =
      largest * bound * std::numbers::log2e < 0.99 * static_cast<double>(largest_power);
  direct = in_range && std::abs(scale[0]) == 1 / point && std::abs(scale[1]) == 1 / point &&
           agreeing.gamma > 0 && differing.gamma > 0;
}

double direct_quantum(double gamma) {
  return 1 / (gamma * std::numbers::log2e * static_cast<double>(point));
}

namespace {

template <class Element>
void add_steps(std::int32_t* fields, std::size_t size, const Element* row, const Change& change) {
  const auto scale = static_cast<Element>(change.steps_per_unit);
  if (change.subtract)
    for (std::size_t j = 0; j < size; ++j) fields[j] -= static_cast<std::int32_t>(row[j] * scale);
  else
    for (std::size_t j = 0; j < size; ++j) fields[j] += static_cast<std::int32_t>(row[j] * scale);
}

}  // namespace

void apply(std::int32_t* fields, std::size_t size, const Change& change) {
  if (change.row.narrow != nullptr)
    add_steps(fields, size, change.row.narrow, change);
  else
    add_steps(fields, size, change.row.wide, change);
}

namespace {

template <Bias bias>
float weight_by(const Law& law, unsigned side, std::int32_t field) {
  if (!law.direct)
    return plain_weight<bias>(
        plain_scaled<bias>(static_cast<float>(field) * (law.scale[side] * point)));
  const std::int32_t y = side == negated_side<bias> ? -field : field;
  return plain_weight<bias>(bias == Bias::min ? std::min(y, 0) : y);
}

}  // namespace

float weight_of(const Law& law, unsigned side, std::int32_t field) {
  switch (law.bias) {
    case Bias::exp:
      return weight_by<Bias::exp>(law, side, field);
    case Bias::logistic:
      return weight_by<Bias::logistic>(law, side, field);
    case Bias::min:
      break;
  }
  return weight_by<Bias::min>(law, side, field);
}

void evaluate_site(const Run& run, std::size_t i) {
  run.weights[i] = weight_of(run.law, run.masks[1][i] != 0, run.fields[i]);
  const std::size_t lane = i % lanes;
  const std::size_t s = i / segment;
  const std::size_t end = std::min((s + 1) * segment, run.rows() * lanes);
  for (unsigned side = 0; side < 2; ++side) {
    float sum = 0;
    for (std::size_t k = s * segment + lane; k < end; k += lanes)
      sum += masked(run.weights[k], run.masks[side][k]);
    run.lane_sums[side][s * lanes + lane] = sum;
    double total = 0;
    for (std::size_t k = 0; k < run.segments(); ++k)
      total += static_cast<double>(run.lane_sums[side][k * lanes + lane]);
    run.lane_totals[side][lane] = total;
  }
  sum_lanes(run);
}

}  // namespace nhot::dense
