#include "nhot/run/population.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "run/small_problems.hpp"

namespace nhot {
namespace {

TEST(SystematicOffspring, GivesFloorOrCeilingAndTheRightMean) {
  const std::vector<double> weights = {0.05, 0.4, 0.0, 0.25, 0.3};
  std::vector<double> means(weights.size(), 0.0);
  constexpr int points = 1000;  // u runs evenly over [0, 1), so means are exact to 1 / points
  for (int k = 0; k < points; ++k) {
    const auto offspring = systematic_offspring(weights, (k + 0.5) / points);
    EXPECT_EQ(std::accumulate(offspring.begin(), offspring.end(), std::size_t{0}), 5U);
    for (std::size_t w = 0; w < weights.size(); ++w) {
      const double share = 5 * weights[w];
      EXPECT_GE(static_cast<double>(offspring[w]), std::floor(share));
      EXPECT_LE(static_cast<double>(offspring[w]), std::ceil(share));
      means[w] += static_cast<double>(offspring[w]) / points;
    }
  }
  for (std::size_t w = 0; w < weights.size(); ++w) EXPECT_NEAR(means[w], 5 * weights[w], 1e-9);
}

TEST(SystematicOffspring, SurvivesRoundingOfTheSum) {
  std::vector<double> weights(10, 0.1 - 1e-12);
  const auto offspring = systematic_offspring(weights, 1 - 1e-15);
  EXPECT_EQ(std::accumulate(offspring.begin(), offspring.end(), std::size_t{0}), 10U);
}

class SmallPopulation : public ::testing::Test {
 protected:
  const Model model = test::random_model(10, 0.6, 8);
  const ChainFactory factory{model, test::zero_shell(model, 4), "im", 1.0};
  Population population{factory, 3, 1, 50};
};

TEST_F(SmallPopulation, StepsAsFarAsItIsTold) {
  const double beta = population.next_beta(1.0, 0.9);
  ASSERT_LT(beta, 1.0);
  EXPECT_NEAR(population.share_left(beta), 0.9, 1e-4);
  EXPECT_EQ(population.next_beta(1e-9, 0.9), 1e-9);
  EXPECT_NEAR(population.share_left(0), 1.0, 1e-12);
}

TEST_F(SmallPopulation, WeighsByTheEnergy) {
  population.reweight(0.3);
  double sum = 0;
  double plain = 0;
  for (std::size_t k = 0; k < 50; ++k) {
    sum += population.weights()[k];
    plain += std::exp(-0.3 * population.member(k).energy()) / 50;
    EXPECT_NEAR(std::log(population.weights()[k] / population.weights()[0]),
                -0.3 * (population.member(k).energy() - population.member(0).energy()), 1e-9);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(population.log_ratio(), std::log(plain), 1e-12);
  // In two steps without moves it is the same.
  Population again(factory, 3, 1, 50);
  again.reweight(0.1);
  again.reweight(0.3);
  EXPECT_NEAR(again.log_ratio(), population.log_ratio(), 1e-12);
  EXPECT_NEAR(again.effective_share(), population.effective_share(), 1e-12);
}

TEST_F(SmallPopulation, ResamplingCopiesStatesAndEqualisesWeights) {
  std::vector<Bits> before;
  for (std::size_t k = 0; k < 50; ++k) before.push_back(population.member(k).bits());
  population.reweight(2.0);
  const double ratio = population.log_ratio();
  EXPECT_EQ(population.families(), 50U);
  population.resample();
  EXPECT_LT(population.families(), 50U);
  EXPECT_NEAR(population.effective_share(), 1, 1e-12);
  EXPECT_EQ(population.log_ratio(), ratio);
  for (std::size_t k = 0; k < 50; ++k) {
    const Bits now = population.member(k).bits();
    EXPECT_NE(std::find(before.begin(), before.end(), now), before.end());
    EXPECT_EQ(population.member(k).energy(), model.energy(now));
  }
  // Copies go their own ways.
  population.advance(50);
  EXPECT_EQ(population.member(0).beta(), 2.0);
}

}  // namespace
}  // namespace nhot
