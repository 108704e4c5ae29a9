#include "nhot/diagnose/ess.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "diagnose/known_chains.hpp"
#include "nhot/diagnose/integrated_time.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::ar1_time;
using testing::Chains;
using testing::sigmas_allowed;
using testing::time_error;

// Integrated time of the indicator x <= q of a stationary Gaussian AR(1). The covariance of two
// such indicators at correlation r is the integral of the bivariate normal density at (q, q) over
// correlations from 0 to r; with r = sin(theta) the integrand is smooth and Simpson's rule serves.
double indicator_time(double phi, double probability) {
  const double q = normal_quantile(probability);
  const auto density = [q](double theta) {
    return std::exp(-q * q / (1.0 + std::sin(theta))) / (2.0 * std::numbers::pi);
  };
  double tau = 1.0;
  for (double r = phi; std::abs(r) > 1e-12; r *= phi) {
    constexpr int steps = 200;
    const double h = std::asin(r) / steps;
    double sum = density(0.0) + density(steps * h);
    for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * density(i * h);
    tau += 2.0 * sum * h / 3.0 / (probability * (1.0 - probability));
  }
  return tau;
}

Chains indicators(Chains chains, double threshold) {
  for (auto& chain : chains) {
    for (double& x : chain) x = x <= threshold ? 1.0 : 0.0;
  }
  return chains;
}

struct Ar1Case {
  double phi;
  std::size_t chains, draws;
};

class EssOfAr1 : public ::testing::TestWithParam<Ar1Case> {};

TEST_P(EssOfAr1, IsKnown) {
  const auto [phi, count, draws] = GetParam();
  const Chains chains = ar1_chains(phi, count, draws, 30);
  const std::size_t total = count * draws;
  const auto all = static_cast<double>(total);
  const double error = time_error(geyer_time(ChainsView(chains)).window, total);
  EXPECT_NEAR(all / ess_mean(chains) / ar1_time(phi), 1.0, sigmas_allowed * error);
  // Ranks of normal draws give back the draws, to a part that shrinks with their number.
  EXPECT_NEAR(all / ess_bulk(chains) / ar1_time(phi), 1.0, sigmas_allowed * error);

  // The tail is the larger of two times, hence one more standard error; and indicators are skewed,
  // so the comparison is of logarithms, with the widest window of the three.
  const double q = normal_quantile(0.05);
  const std::size_t window = std::max({geyer_time(ChainsView(chains)).window,
                                       geyer_time(ChainsView(indicators(chains, q))).window,
                                       geyer_time(ChainsView(indicators(chains, -q))).window});
  const double tail_allowed = (sigmas_allowed + 1.0) * time_error(window, total);
  const double tail_time = all / ess_tail(chains);
  EXPECT_NEAR(std::log(tail_time / indicator_time(phi, 0.05)), 0.0, tail_allowed);
  if (phi > 0.5) {  // The companion: the tolerance tells the tail from the bulk.
    EXPECT_GT(std::abs(std::log(tail_time / ar1_time(phi))), tail_allowed);
  }
}

INSTANTIATE_TEST_SUITE_P(Known, EssOfAr1,
                         ::testing::Values(Ar1Case{-0.5, 4, 100000}, Ar1Case{-0.2, 3, 100001},
                                           Ar1Case{0.0, 4, 100000}, Ar1Case{0.3, 4, 100000},
                                           Ar1Case{0.9, 4, 100000}, Ar1Case{0.97, 5, 100000},
                                           Ar1Case{0.7, 1, 100001}));

// x^2 of an AR(1) with correlations phi^l has correlations phi^(2l).
TEST(Ess, OfTheSpread) {
  const Chains chains = ar1_chains(0.9, 4, 100000, 31);
  const double tau = ar1_time(0.81);
  const double error = time_error(geyer_time(ChainsView(chains)).window, 400000);
  EXPECT_NEAR(400000 / ess_sd(chains) / tau, 1.0, sigmas_allowed * error);
}

// Strong negative correlations: the answer is held at S log10(S).
TEST(Ess, IsBounded) {
  const Chains chains = ar1_chains(-0.95, 4, 5000, 32);
  EXPECT_DOUBLE_EQ(ess_mean(chains), 20000 * std::log10(20000.0));
}

TEST(Ess, ByHand) {
  // One chain of 8: halves {0,0,1,1} and {0,1,1,1}, means 1/2 and 3/4. Mean gammas: lag 0 7/32,
  // lag 1 9/256; draws 4, so the pair after the first is not looked at, and tau = -1 + 2 * 0 + 1,
  // held at 1 / log10(8).
  const Chains chains = {{0, 0, 1, 1, 0, 1, 1, 1}};
  EXPECT_DOUBLE_EQ(ess_mean(chains), 8 * std::log10(8.0));
  // One chain of 12, halves {0,0,1,1,2,2} twice. Deviations -1,-1,0,0,1,1: gamma 4/6, 2/6, 0, ...
  // draws 6: within = 4/6 * 6/5 = 0.8, overall = 2/3. rho_1 = 1 - (0.8 - 1/3) / (2/3) = 0.3,
  // rho_2 = 1 - (0.8 - 0) / (2/3) = -0.2, rho_3 = 1 - (0.8 + 2/6) / (2/3) = -0.7.
  // tau = -1 + 2 * (1 + 0.3) + 0 = 1.6.
  const Chains stairs = {{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}};
  EXPECT_NEAR(ess_mean(stairs), 12 / 1.6, 1e-12);
}

TEST(Ess, TooFewOrUnusableDrawsGiveNaN) {
  for (const Chains& chains : {Chains{}, Chains{{}}, Chains{{1, 2, 3}, {3, 1, 2}},
                               Chains{{1, 2, NAN, 4, 5}}, Chains{{1, 2, INFINITY, 4, 5}}}) {
    EXPECT_TRUE(std::isnan(ess_bulk(chains)));
    EXPECT_TRUE(std::isnan(ess_tail(chains)));
    EXPECT_TRUE(std::isnan(ess_mean(chains)));
    EXPECT_TRUE(std::isnan(ess_sd(chains)));
  }
  EXPECT_FALSE(std::isnan(ess_bulk(Chains{{1, 2, 3, 5}})));
}

TEST(Ess, OfConstantDrawsIsTheirNumber) {
  const Chains even(4, std::vector<double>(10, 0.1)), odd(4, std::vector<double>(11, 0.1));
  EXPECT_EQ(ess_bulk(even), 40);
  EXPECT_EQ(ess_tail(even), 40);
  EXPECT_EQ(ess_mean(even), 40);
  EXPECT_EQ(ess_bulk(odd), 40) << "the middle draw is left out";
}

TEST(Ess, OfChainsThatNeverMovedIsTheNumberOfChains) {
  Chains chains;
  for (int c = 0; c < 4; ++c) chains.emplace_back(10000, 0.1 * c);
  EXPECT_NEAR(ess_bulk(chains), 4, 0.01);
  EXPECT_NEAR(ess_mean(chains), 4, 0.01);
}

// Chains that disagree know less than their own correlations say.
TEST(Ess, FallsWhenChainsDisagree) {
  Chains chains = ar1_chains(0.0, 4, 10000, 33);
  const double together = ess_bulk(chains);
  for (double& x : chains[0]) x += 3.0;
  EXPECT_LT(ess_bulk(chains), 20);
  EXPECT_GT(together, 30000);
}

// A planted error: without the split, a drift that all chains share goes unseen.
TEST(Ess, PlantedMissingSplitIsCaught) {
  Chains chains = ar1_chains(0.0, 2, 1000, 34);
  for (auto& chain : chains) {
    for (std::size_t t = 0; t < 500; ++t) chain[t] += 4.0;
  }
  const ChainsView view(chains);
  Autocovariance whole(1000);
  const double unsplit = ess_of_split(view, whole);
  EXPECT_LT(ess_mean(chains), 0.8 * unsplit);
}

}  // namespace
}  // namespace nhot
