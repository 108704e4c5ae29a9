#include "nhot/diagnose/rhat.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/known_chains.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::Chains;

TEST(Rhat, PlainByHand) {
  // Means 2 and 4, variances 1 and 1: B/n = 2, W = 1, n = 3.
  const Chains chains = {{1, 2, 3}, {3, 4, 5}};
  EXPECT_DOUBLE_EQ(plain_rhat(chains), std::sqrt(2.0 / 3.0 + 2.0));
}

// For independent draws n (R-hat^2 - 1) + 1 is the F ratio of the 2C halves, with 2C - 1 and
// 2C (n - 1) degrees of freedom: in effect a mean of 2C - 1 squares of normals. The ranks change
// that only in lower order.
TEST(Rhat, OfWhiteNoiseIsAnFRatio) {
  constexpr std::size_t runs = 400, count = 4, draws = 200;
  double sum = 0.0, folded_sum = 0.0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Rhat rhat = rank_rhat(ar1_chains(0.0, count, draws, 100 + run));
    const double n = draws / 2;
    sum += n * (rhat.bulk * rhat.bulk - 1.0) + 1.0;
    folded_sum += n * (rhat.folded * rhat.folded - 1.0) + 1.0;
  }
  const testing::MeanSquareRange range((2 * count - 1) * runs);
  for (const double ratio : {sum / runs, folded_sum / runs}) {
    EXPECT_GT(ratio, range.lowest);
    EXPECT_LT(ratio, range.highest);
  }
}

TEST(Rhat, SeesShiftedChain) {
  Chains chains = ar1_chains(0.0, 4, 2000, 40);
  EXPECT_LT(rank_rhat(chains).value(), 1.01);
  for (double& x : chains[2]) x += 0.5;
  EXPECT_GT(rank_rhat(chains).bulk, 1.01);
}

TEST(Rhat, FoldedPartSeesDifferentSpread) {
  Chains chains = ar1_chains(0.0, 4, 2000, 41);
  for (double& x : chains[1]) x *= 2.0;
  const Rhat rhat = rank_rhat(chains);
  EXPECT_LT(rhat.bulk, 1.01);
  EXPECT_GT(rhat.folded, 1.01);
  EXPECT_EQ(rhat.value(), rhat.folded);
}

// A planted error: chains that drift alike agree with one another as wholes; only halves show it.
TEST(Rhat, PlantedMissingSplitIsCaught) {
  Chains chains = ar1_chains(0.0, 4, 2000, 42);
  for (auto& chain : chains) {
    for (std::size_t t = 0; t < chain.size(); ++t) chain[t] += 1e-3 * static_cast<double>(t);
  }
  EXPECT_LT(plain_rhat(chains), 1.01);
  EXPECT_GT(rank_rhat(chains).value(), 1.1);
}

TEST(Rhat, HeavyTailsDoNotHideDisagreement) {
  Chains chains = ar1_chains(0.0, 4, 2000, 43);
  for (auto& chain : chains) {
    for (double& x : chain) x = std::copysign(std::exp(x * x * 4.0), x);  // no finite mean
  }
  for (double& x : chains[0]) x = std::abs(x);
  EXPECT_LT(plain_rhat(ChainsView(chains).split()), 1.01) << "plain R-hat is blind here";
  EXPECT_GT(rank_rhat(chains).value(), 1.01);
}

TEST(Rhat, Edges) {
  EXPECT_TRUE(std::isnan(rank_rhat(ar1_chains(0.0, 1, 100, 44)).value())) << "one chain";
  EXPECT_TRUE(std::isnan(rank_rhat(ar1_chains(0.0, 4, 3, 44)).value())) << "three draws";
  EXPECT_TRUE(std::isnan(rank_rhat(Chains(3, std::vector<double>(9, 0.1))).value())) << "constant";
  EXPECT_TRUE(std::isnan(rank_rhat(Chains{{1, 2, NAN, 4}, {1, 2, 3, 4}}).value()));
  const Chains frozen = {std::vector<double>(50, 0.1), std::vector<double>(50, 0.7)};
  EXPECT_TRUE(std::isinf(rank_rhat(frozen).value())) << "never moved";
  // Two values equally often: folding makes them equal, and only the bulk part is left.
  const Chains signs(2, {-1, 1, -1, 1, 1, -1, 1, -1});
  EXPECT_TRUE(std::isnan(rank_rhat(signs).folded));
  EXPECT_EQ(rank_rhat(signs).value(), rank_rhat(signs).bulk);
}

}  // namespace
}  // namespace nhot
