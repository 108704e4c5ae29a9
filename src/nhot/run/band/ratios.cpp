#include "nhot/run/band/ratios.hpp"

#include <cmath>
#include <numeric>

#include "nhot/base/contracts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {
namespace {

constexpr std::size_t nobody = ~std::size_t{0};

BandTally pool_without(const std::vector<BandTally>& tallies, std::size_t left_out) {
  BandTally sum(tallies.front().size());
  for (std::size_t k = 0; k < tallies.size(); ++k) {
    if (k == left_out) continue;
    for (std::size_t n = 0; n < sum.size(); ++n) {
      const ShellTally& shell = tallies[k][n];
      sum[n].visits += shell.visits;
      if (shell.outward.value > 0)
        sum[n].outward.add({shell.outward.value, shell.outward.log_scale});
      if (shell.inward.value > 0) sum[n].inward.add({shell.inward.value, shell.inward.log_scale});
      sum[n].steps_outward.add(shell.steps_outward);
      sum[n].steps_inward.add(shell.steps_inward);
    }
  }
  return sum;
}

/// log(Z_n / Z_first) by shell.
std::vector<double> sums_of_ratios(const BandTally& tally, const BandWeights& weights) {
  std::vector<double> sums = {0};
  for (const double ratio : log_ratios(tally, weights)) sums.push_back(sums.back() + ratio);
  return sums;
}

/// Coefficients t_n: covariance of each sum with the last one, over the variance of that.
std::vector<double> closing_shares(const std::vector<std::vector<double>>& without) {
  const std::size_t shells = without.front().size();
  std::vector<double> last;
  for (const auto& sums : without) last.push_back(sums.back());
  const double mean_last = mean(last);
  double variance = 0;
  for (const double value : last) variance += (value - mean_last) * (value - mean_last);
  std::vector<double> shares(shells, 0.0);
  for (std::size_t n = 0; n < shells; ++n) {
    double mean_here = 0;
    for (const auto& sums : without) mean_here += sums[n] / static_cast<double>(without.size());
    double covariance = 0;
    for (std::size_t k = 0; k < without.size(); ++k)
      covariance += (without[k][n] - mean_here) * (last[k] - mean_last);
    // Without any spread both ends agree to rounding, and any share does.
    shares[n] = variance > 0 ? covariance / variance
                             : static_cast<double>(n) / static_cast<double>(shells - 1);
  }
  return shares;
}

}  // namespace

BandTally pool(const std::vector<BandTally>& tallies) { return pool_without(tallies, nobody); }

std::vector<double> log_ratios(const BandTally& tally, const BandWeights& weights) {
  NHOT_EXPECTS(weights.size() + 1 == tally.size());
  std::vector<double> ratios;
  for (std::size_t n = 0; n + 1 < tally.size(); ++n) {
    const StepTally& out = tally[n].steps_outward;
    const StepTally& in = tally[n + 1].steps_inward;
    const bool seen = out.acceptance > 0 && in.acceptance > 0;
    ratios.push_back(seen ? std::log(out.acceptance / out.steps) -
                                std::log(in.acceptance / in.steps) - weights[n]
                          : nan);
  }
  return ratios;
}

std::vector<double> guessed_log_ratios(const BandTally& tally) {
  std::vector<double> ratios;
  for (std::size_t n = 0; n + 1 < tally.size(); ++n) {
    const bool seen = tally[n].visits > 0 && tally[n + 1].visits > 0;
    ratios.push_back(seen ? tally[n].outward.log() - std::log(tally[n].visits) -
                                tally[n + 1].inward.log() + std::log(tally[n + 1].visits)
                          : nan);
  }
  return ratios;
}

double error_over_chains(const std::vector<double>& without, std::size_t fitted) {
  const std::size_t lost = fitted + 3;
  const double error = jackknife_error(without);
  if (without.size() <= lost) return error;
  return error * std::sqrt(static_cast<double>(without.size() - 1) /
                           static_cast<double>(without.size() - lost));
}

LogEstimate BandEstimate::at(std::size_t shell) const {
  std::vector<double> values;
  for (const auto& own : without) values.push_back(own[shell]);
  // The share of the control variate was fitted to the same chains.
  return {log_z[shell], std::hypot(error_over_chains(values, closing ? 1 : 0), anchor_error)};
}

void BandEstimate::shift_by(const LogEstimate& anchor) {
  for (double& value : log_z) value += anchor.value;
  for (auto& own : without)
    for (double& value : own) value += anchor.value;
  anchor_error = std::hypot(anchor_error, anchor.stderr_value);
}

BandEstimate estimate_band(const std::vector<BandTally>& tallies, const BandWeights& weights,
                           const KnownEnds& ends) {
  NHOT_EXPECTS(!tallies.empty());
  BandEstimate estimate;
  estimate.log_z = sums_of_ratios(pool(tallies), weights);
  if (tallies.size() > 1)
    for (std::size_t k = 0; k < tallies.size(); ++k)
      estimate.without.push_back(sums_of_ratios(pool_without(tallies, k), weights));
  const std::size_t last = estimate.log_z.size() - 1;
  std::vector<double> shares(last + 1, 0.0);
  if (ends.first && ends.last && estimate.without.size() > 2) {
    std::vector<double> sums;
    for (const auto& own : estimate.without) sums.push_back(own[last]);
    estimate.closing = {estimate.log_z[last] - (*ends.last - *ends.first), error_over_chains(sums)};
    shares = closing_shares(estimate.without);
  }
  const auto anchor = [&](std::vector<double>& log_z) {
    const double missed = ends.first && ends.last ? log_z[last] - (*ends.last - *ends.first) : 0.0;
    const double shift = ends.first ? *ends.first : ends.last ? *ends.last - log_z[last] : 0.0;
    for (std::size_t n = 0; n <= last; ++n)
      log_z[n] += shift - (estimate.closing ? shares[n] * missed : 0.0);
  };
  anchor(estimate.log_z);
  for (auto& own : estimate.without) anchor(own);
  return estimate;
}

}  // namespace nhot
