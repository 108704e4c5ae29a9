// Weight formulas of the dense engine, and its operations on single sites.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/dense/make_passes.hpp"
#include "nhot/engine/dense/weight.hpp"

namespace nhot::dense {

WeightFormula::WeightFormula(const WeightFunction& agreeing, const WeightFunction& differing,
                             double quantum, double bound)
    : bias(agreeing.bias) {
  NHOT_EXPECTS(agreeing.bias == differing.bias);
  // dE is the field of an agreeing site and minus that of a differing one.
  const double unit = (bias == Bias::logistic ? 1 : -1) * quantum * std::numbers::log2e;
  scale = {static_cast<float>(unit * agreeing.gamma), static_cast<float>(-unit * differing.gamma)};
  direct = may_be_direct(agreeing.gamma, bound) && may_be_direct(differing.gamma, bound) &&
           std::abs(scale[0]) == 1 / point && std::abs(scale[1]) == 1 / point;
}

bool may_be_direct(double gamma, double bound) {
  const double largest = gamma * bound * std::numbers::log2e;
  // 1 / direct_quantum() must be a finite float.
  const bool ordinary = gamma < 0x1p100;
  return ordinary && largest > 1e-3 && largest < 0.99 * static_cast<double>(largest_power);
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
float weight_by(const WeightFormula& formula, unsigned side, std::int32_t field) {
  if (!formula.direct)
    return plain_weight<bias>(
        plain_scaled<bias>(static_cast<float>(field) * (formula.scale[side] * point)));
  const std::int32_t y = side == negated_side<bias> ? -field : field;
  return plain_weight<bias>(bias == Bias::min ? std::min(y, 0) : y);
}

}  // namespace

float weight_of(const WeightFormula& formula, unsigned side, std::int32_t field) {
  switch (formula.bias) {
    case Bias::exp:
      return weight_by<Bias::exp>(formula, side, field);
    case Bias::logistic:
      return weight_by<Bias::logistic>(formula, side, field);
    case Bias::min:
      break;
  }
  return weight_by<Bias::min>(formula, side, field);
}

void evaluate_site(const SiteBlock& run, std::size_t i) {
  run.weights[i] = weight_of(run.formula, run.masks[1][i] != 0, run.fields[i]);
  const std::size_t lane = i % lanes;
  const std::size_t s = i / segment;
  const float* weights = run.weights + s * segment + lane;
  const SideMask* masks0 = run.masks[0] + s * segment + lane;
  const SideMask* masks1 = run.masks[1] + s * segment + lane;
  float sum0 = 0;
  float sum1 = 0;
  // Rows beyond the end belong to no side.
  NHOT_UNROLL(8)
  for (std::size_t k = 0; k < segment; k += lanes) {
    sum0 += masked(weights[k], masks0[k]);
    sum1 += masked(weights[k], masks1[k]);
  }
  float* sums0 = run.lane_sums[0] + lane;
  float* sums1 = run.lane_sums[1] + lane;
  sums0[s * lanes] = sum0;
  sums1[s * lanes] = sum1;
  double total0 = 0;
  double total1 = 0;
  const std::size_t end = run.segments() * lanes;
  for (std::size_t k = 0; k < end; k += lanes) {
    total0 += static_cast<double>(sums0[k]);
    total1 += static_cast<double>(sums1[k]);
  }
  run.lane_totals[0][lane] = total0;
  run.lane_totals[1][lane] = total1;
  sum_lanes(run);
}

}  // namespace nhot::dense
