#include "nhot/diagnose/autocovariance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diagnose/known_chains.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {
namespace {

// The definition, O(N^2).
std::vector<double> direct(std::span<const double> x) {
  const double centre = mean(x);
  std::vector<double> gamma(x.size(), 0.0);
  for (std::size_t lag = 0; lag < x.size(); ++lag) {
    for (std::size_t t = 0; t + lag < x.size(); ++t) {
      gamma[lag] += (x[t] - centre) * (x[t + lag] - centre);
    }
    gamma[lag] /= static_cast<double>(x.size());
  }
  return gamma;
}

double worst_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

TEST(Autocovariance, ByHand) {
  const std::vector<double> expected = {1.25, 0.3125, -0.375, -0.5625};
  const std::vector<double> gamma = autocovariance(std::vector<double>{1, 2, 3, 4});
  EXPECT_LT(worst_difference(gamma, expected), 1e-15);
  const std::vector<double> rho = autocorrelation(std::vector<double>{1, 2, 3, 4});
  EXPECT_LT(worst_difference(rho, {1.0, 0.25, -0.3, -0.45}), 1e-15);
}

TEST(Autocovariance, EqualsTheDirectSum) {
  for (const std::size_t draws : {1u, 2u, 3u, 5u, 64u, 127u, 1000u, 2049u}) {
    const auto chains = testing::ar1_chains(0.8, 1, draws, 5);
    EXPECT_LT(worst_difference(autocovariance(chains[0]), direct(chains[0])), 1e-12) << draws;
  }
}

TEST(Autocovariance, AveragesOverChains) {
  for (const std::size_t count : {1u, 2u, 3u, 4u, 5u}) {
    auto chains = testing::ar1_chains(0.5, count, 333, 6);
    for (std::size_t c = 0; c < count; ++c) {
      for (double& x : chains[c])
        x = static_cast<double>(1 + c) * x + 10.0 * static_cast<double>(c);
    }
    std::vector<double> expected(333, 0.0);
    for (const auto& chain : chains) {
      const std::vector<double> gamma = direct(chain);
      for (std::size_t lag = 0; lag < 333; ++lag) {
        expected[lag] += gamma[lag] / static_cast<double>(count);
      }
    }
    EXPECT_LT(worst_difference(autocovariance(ChainsView(chains)), expected), 1e-12) << count;
    const std::vector<double> rho = autocorrelation(ChainsView(chains));
    EXPECT_EQ(rho[0], 1.0);
    EXPECT_NEAR(rho[7], expected[7] / expected[0], 1e-12);
  }
}

TEST(Autocovariance, WorkerCanBeReused) {
  Autocovariance worker(100);
  const auto a = testing::ar1_chains(0.5, 3, 100, 7), b = testing::ar1_chains(0.9, 2, 100, 8);
  const std::vector<double> first = worker(a);
  worker(b);
  EXPECT_EQ(worker(a), first);
}

TEST(Autocovariance, ConstantDrawsHaveNoCorrelation) {
  for (const double rho : autocorrelation(std::vector<double>(10, 0.1))) {
    EXPECT_TRUE(std::isnan(rho));
  }
  EXPECT_TRUE(autocorrelation(std::vector<double>{}).empty());
}

// A planted error: without zero padding the end of a chain wraps round to its beginning. The
// comparison with the direct sum must be able to see it.
TEST(Autocovariance, PlantedWrapAroundIsCaught) {
  const auto chains = testing::ar1_chains(0.8, 1, 1000, 5);
  const std::vector<double>& x = chains[0];
  const double centre = mean(x);
  std::vector<double> wrapped(x.size(), 0.0);
  for (std::size_t lag = 0; lag < x.size(); ++lag) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      wrapped[lag] += (x[t] - centre) * (x[(t + lag) % x.size()] - centre) / 1000.0;
    }
  }
  EXPECT_GT(worst_difference(wrapped, direct(x)), 1e-3);
}

}  // namespace
}  // namespace nhot
