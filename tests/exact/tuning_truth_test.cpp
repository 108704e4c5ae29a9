// What a search says of moves, against their transition matrices: effective draws per second and
// gains, over many seeds. Costs are nominal, so the exact values have no error.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "exact/instances.hpp"
#include "nhot/run/tune/tuning.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

/// Variance of f and the sum of its autocovariances over both directions of time.
struct Memory {
  double variance = 0;
  double sum = 0;
};

Memory memory_of(const TransitionMatrix& matrix, const std::vector<double>& law,
                 std::vector<double> f) {
  double mean = 0;
  for (std::size_t x = 0; x < f.size(); ++x) mean += law[x] * f[x];
  for (double& value : f) value -= mean;
  Memory result;
  std::vector<double> later = f;
  for (int k = 0; k < 20'000; ++k) {
    double covariance = 0;
    for (std::size_t x = 0; x < f.size(); ++x) covariance += law[x] * f[x] * later[x];
    if (k == 0) result.variance = covariance;
    result.sum += k == 0 ? covariance : 2 * covariance;
    if (std::abs(covariance) < 1e-13 * result.variance) break;
    std::vector<double> next(f.size(), 0.0);
    for (std::size_t x = 0; x < f.size(); ++x)
      for (std::size_t y = 0; y < f.size(); ++y) next[x] += matrix(x, y) * later[y];
    later = std::move(next);
  }
  return result;
}

/// Of the overlap of two chains, sum_i s_i t_i: its autocovariance is the sum over pairs of sites
/// of E[s_i(0) s_j(t)]^2 - (m_i m_j)^2.
Memory overlap_memory(const ExactCase& with, const TransitionMatrix& matrix) {
  const std::vector<double>& law = with.law();
  std::vector<std::vector<double>> spins;
  std::vector<double> means;
  for (Site i = 0; i < with.model().sites(); ++i) {
    std::vector<double>& spin = spins.emplace_back();
    for (const Bits& bits : with.states().states()) spin.push_back(bits[i] ? 1 : -1);
    double& mean = means.emplace_back(0);
    for (std::size_t x = 0; x < law.size(); ++x) mean += law[x] * spin[x];
  }
  Memory result;
  std::vector<std::vector<double>> later = spins;
  for (int k = 0; k < 20'000; ++k) {
    double covariance = 0;
    for (std::size_t i = 0; i < spins.size(); ++i)
      for (std::size_t j = 0; j < spins.size(); ++j) {
        double product = 0;
        for (std::size_t x = 0; x < law.size(); ++x) product += law[x] * spins[i][x] * later[j][x];
        covariance += product * product - means[i] * means[i] * means[j] * means[j];
      }
    if (k == 0) result.variance = covariance;
    result.sum += k == 0 ? covariance : 2 * covariance;
    if (std::abs(covariance) < 1e-11 * result.variance) break;
    for (std::vector<double>& of_site : later) {
      std::vector<double> next(of_site.size(), 0.0);
      for (std::size_t x = 0; x < next.size(); ++x)
        for (std::size_t y = 0; y < next.size(); ++y) next[x] += matrix(x, y) * of_site[y];
      of_site = std::move(next);
    }
  }
  return result;
}

/// Moves per effective draw of the slowest of energy, overlap (of which two chains have one) and
/// sites.
double exact_time(const ExactCase& with, const std::string& move) {
  const TransitionMatrix matrix = with.matrix(move);
  std::vector<double> energies;
  for (const Bits& bits : with.states().states()) energies.push_back(with.model().energy(bits));
  const Memory energy = memory_of(matrix, with.law(), energies);
  Memory sites;
  for (Site i = 0; i < with.model().sites(); ++i) {
    std::vector<double> bit;
    for (const Bits& bits : with.states().states()) bit.push_back(bits[i]);
    const Memory one = memory_of(matrix, with.law(), bit);
    sites.variance += one.variance;
    sites.sum += one.sum;
  }
  const Memory overlap = overlap_memory(with, matrix);
  return std::max({energy.sum / energy.variance, sites.sum / sites.variance,
                   2 * overlap.sum / overlap.variance});
}

TEST(TuningTruth, RatesAndGainsAreThoseOfTheTransitionMatrices) {
  int rates = 0;
  int rates_off = 0;
  int gains = 0;
  int gains_off = 0;
  double worst = 0;
  double largest_bias = 0;
  for (const auto& [model, beta] : {std::pair{ring_model(), 0.3}, {real_model(), 1.5}}) {
    const ExactCase with(model, model.name() == "ring" ? "integer" : "real", Bits(model.sites(), 0),
                         3, beta);
    double sum = 0;
    int number = 0;
    std::map<std::string, double> known;  // moves per effective draw
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      TuningPlan plan;
      plan.seconds = 0.1;
      plan.seed = seed;
      plan.objective = TuneObjective::count;
      const TuningResult result = run_tuning(model, *with.shell(), beta, plan);
      ASSERT_FALSE(result.search.last.empty());
      std::vector<std::size_t> plain;  // no mixtures: every search has weights of its own
      for (const std::size_t k : result.search.last)
        if (result.search.trials[k].move.find('+') == std::string::npos) plain.push_back(k);
      std::vector<double> log_rates;
      for (const std::size_t k : plain) {
        const std::string& move = result.search.trials[k].move;
        if (!known.contains(move)) known[move] = exact_time(with, move);
        const double exact = -std::log(known[move] * result.values[k].seconds_per_move);
        log_rates.push_back(exact);
        const double off = std::log(result.values[k].ess_per_second) - exact;
        ++rates;
        if (std::abs(off) > 0.1 + 3 * result.values[k].error) ++rates_off;
        worst = std::max(worst, std::abs(off));
        sum += off;
        ++number;
      }
      for (std::size_t n = 1; n < plain.size(); ++n) {
        const LogRatio gain = log_ratio(result.values[plain[0]], result.values[plain[n]]);
        ++gains;
        if (std::abs(gain.value - (log_rates[0] - log_rates[n])) > 0.05 + 3 * gain.error)
          ++gains_off;
      }
    }
    largest_bias = std::max(largest_bias, std::abs(sum / number));
  }
  std::printf(
      "rates off by more than 10%% and three errors: %d of %d (worst %.2f, mean of a model at "
      "most %.2f); gains by more than 5%% and three errors: %d of %d\n",
      rates_off, rates, worst, largest_bias, gains_off, gains);
  EXPECT_LE(rates_off, rates / 20);
  EXPECT_LE(gains_off, gains / 20);
  EXPECT_LT(worst, 1);
  EXPECT_LT(largest_bias, 0.15);
}

}  // namespace
}  // namespace nhot::test
