#include "nhot/diagnose/integrated_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/known_chains.hpp"
#include "nhot/diagnose/autocovariance.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::ar1_time;
using testing::sigmas_allowed;
using testing::time_error;

std::vector<double> exact_rho(double phi, std::size_t count) {
  std::vector<double> rho(count);
  for (std::size_t l = 0; l < count; ++l) rho[l] = std::pow(phi, static_cast<double>(l));
  return rho;
}

// tau summed up to a window, in closed form.
double truncated_time(double phi, std::size_t window) {
  return 1.0 + 2.0 * phi * (1.0 - std::pow(phi, static_cast<double>(window))) / (1.0 - phi);
}

TEST(IntegratedTime, OfAnExactAutocorrelation) {
  for (const double phi : {-0.5, -0.1, 0.0, 0.3, 0.9, 0.99}) {
    const std::vector<double> rho = exact_rho(phi, 20000);
    const IntegratedTime sokal = sokal_time(rho);
    EXPECT_TRUE(sokal.closed);
    EXPECT_NEAR(sokal.tau, truncated_time(phi, sokal.window), 1e-9);
    // The window is the smallest that holds five times.
    const double before = truncated_time(phi, sokal.window - 1);
    EXPECT_GE(static_cast<double>(sokal.window), 5.0 * std::max(sokal.tau, 1.0) - 1e-9);
    EXPECT_LT(static_cast<double>(sokal.window - 1), 5.0 * std::max(before, 1.0));
    EXPECT_NEAR(geyer_time(rho).tau, ar1_time(phi), 1e-9) << phi;
  }
}

TEST(IntegratedTime, GeyerByHand) {
  // Pair sums 1.5, 0.5, 0.7 (capped to 0.5), -0.1 (stop): tau = 2 (1.5 + 0.5 + 0.5) - 1.
  const std::vector<double> rho = {1.0, 0.5, 0.3, 0.2, 0.4, 0.3, 0.1, -0.2, 0.9, 0.9};
  const IntegratedTime geyer = geyer_time(rho);
  EXPECT_NEAR(geyer.tau, 4.0, 1e-15);
  EXPECT_EQ(geyer.window, 5u);
  EXPECT_TRUE(geyer.closed);
  EXPECT_FALSE(geyer_time(std::vector<double>{1.0, 0.5, 0.4, 0.3}).closed);
}

TEST(IntegratedTime, SokalByHand) {
  // c = 1: tau(1) = 2, tau(2) = 2.6, tau(3) = 2.6 <= 3.
  const std::vector<double> rho = {1.0, 0.5, 0.3, 0.0, 0.7};
  const IntegratedTime sokal = sokal_time(rho, 1.0);
  EXPECT_NEAR(sokal.tau, 2.6, 1e-15);
  EXPECT_EQ(sokal.window, 3u);
}

TEST(IntegratedTime, SaysWhenTheSeriesIsTooShort) {
  const IntegratedTime sokal = sokal_time(exact_rho(0.99, 300));
  EXPECT_FALSE(sokal.closed);
  EXPECT_EQ(sokal.window, 299u);
}

TEST(IntegratedTime, OfConstantDraws) {
  const testing::Chains chains(2, std::vector<double>(50, 0.3));
  EXPECT_TRUE(std::isnan(sokal_time(ChainsView(chains)).tau));
  EXPECT_TRUE(std::isnan(geyer_time(ChainsView(chains)).tau));
  EXPECT_TRUE(std::isnan(sokal_time(std::vector<double>{}).tau));
}

struct Ar1TimeCase {
  double phi;
  std::size_t chains, draws;
};

class IntegratedTimeOfAr1 : public ::testing::TestWithParam<Ar1TimeCase> {};

TEST_P(IntegratedTimeOfAr1, IsKnown) {
  const auto [phi, count, draws] = GetParam();
  const auto chains = ar1_chains(phi, count, draws, 20);
  const std::vector<double> rho = autocorrelation(ChainsView(chains));
  const IntegratedTime geyer = geyer_time(rho);
  EXPECT_NEAR(geyer.tau / ar1_time(phi), 1.0,
              sigmas_allowed * time_error(geyer.window, count * draws));
  // Sokal's window truncates a negative phi, by an amount that is known.
  const IntegratedTime sokal = sokal_time(rho);
  const double expected = phi < 0.0 ? truncated_time(phi, sokal.window) : ar1_time(phi);
  EXPECT_NEAR(sokal.tau / expected, 1.0, sigmas_allowed * time_error(sokal.window, count * draws));
}

INSTANTIATE_TEST_SUITE_P(
    Known, IntegratedTimeOfAr1,
    ::testing::Values(Ar1TimeCase{-0.5, 4, 100000}, Ar1TimeCase{-0.2, 4, 100000},
                      Ar1TimeCase{0.0, 4, 100000}, Ar1TimeCase{0.3, 4, 100000},
                      Ar1TimeCase{0.9, 4, 100000}, Ar1TimeCase{0.97, 4, 100000},
                      Ar1TimeCase{0.0, 1, 100000}, Ar1TimeCase{0.7, 1, 100000}));

// Planted errors: a window of one time instead of five, and times twice too small (the other
// convention), must fall outside the tolerance of the test above.
TEST(IntegratedTime, PlantedErrorsAreCaught) {
  const auto chains = ar1_chains(0.9, 4, 100000, 20);
  const std::vector<double> rho = autocorrelation(ChainsView(chains));
  const IntegratedTime narrow = sokal_time(rho, 0.5);
  EXPECT_GT(std::abs(narrow.tau / ar1_time(0.9) - 1.0),
            sigmas_allowed * time_error(narrow.window, 400000));
  const IntegratedTime right = sokal_time(rho);
  EXPECT_GT(std::abs(0.5 * right.tau / ar1_time(0.9) - 1.0),
            sigmas_allowed * time_error(right.window, 400000));
}

}  // namespace
}  // namespace nhot
