#include "nhot/state/weight.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nhot/engine/level_weights.hpp"
#include "nhot/move/log_product.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot {
namespace {

constexpr Bias all_biases[] = {Bias::exp, Bias::logistic, Bias::min};

TEST(Weight, FollowsItsDefinition) {
  for (const double t : {-30.0, -1.3, -1e-9, 0.0, 1e-9, 0.4, 2.0, 30.0}) {
    EXPECT_DOUBLE_EQ((WeightFunction{Bias::exp, 1}.weight(t)), std::exp(-t));
    EXPECT_DOUBLE_EQ((WeightFunction{Bias::logistic, 1}.weight(t)), 1 / (1 + std::exp(t)));
    EXPECT_DOUBLE_EQ((WeightFunction{Bias::min, 1}.weight(t)), std::min(1.0, std::exp(-t)));
  }
  EXPECT_DOUBLE_EQ((WeightFunction{Bias::exp, 0.5}.weight(3.0)), std::exp(-1.5));
}

TEST(Weight, TiltsByKappaWhenTheSignChanges) {
  for (const Bias bias : all_biases)
    for (const double t : {1e-12, 0.3, 2.0, 50.0, 1e4, 1e300})
      EXPECT_NEAR(log_bias(bias, -t) - log_bias(bias, t), kappa(bias) * t, 1e-15 * (1 + t));
}

TEST(Weight, LogAndValueAgree) {
  for (const Bias bias : all_biases)
    for (double t = -600; t <= 600; t += 7.3)
      EXPECT_NEAR(std::log(WeightFunction{bias, 1}.weight(t)), log_bias(bias, t),
                  1e-13 * (1 + std::abs(t)));
}

TEST(Weight, IsNeverNan) {
  const double largest = std::numeric_limits<double>::max();
  for (const Bias bias : all_biases)
    for (const double gamma : {0.0, 1e-300, 1.0, 1e6, 1e300})
      for (const double dE : {0.0, 1e-300, 1.0, 1e300, largest, -1e-300, -1.0, -1e300, -largest}) {
        const WeightFunction w{bias, gamma};
        EXPECT_FALSE(std::isnan(w.weight(dE)));
        EXPECT_GE(w.weight(dE), 0);
        EXPECT_TRUE(std::isfinite(w.log_weight(dE)));
      }
}

TEST(WeightSet, SharesEqualFunctions) {
  WeightSet weight_set;
  const WeightFunction a{Bias::logistic, 0.5};
  const WeightFunction b{Bias::logistic, 0.6};
  EXPECT_EQ(weight_set.add(differing(0), a), 0u);
  EXPECT_EQ(weight_set.add(differing(0), b), 1u);
  EXPECT_EQ(weight_set.add(differing(0), a), 0u);
  EXPECT_EQ(weight_set.add(agreeing(0), b), 0u);
  EXPECT_EQ(weight_set.size(differing(0)), 2u);
  EXPECT_EQ(weight_set.size(agreeing(0)), 1u);
  EXPECT_EQ(weight_set(differing(0), 1), b);
  // Sides of other groups are of the same two kinds.
  EXPECT_EQ(weight_set.size(differing(3)), 2u);
}

/// Hides the size from the compiler, which would else warn of levels beyond the stride.
[[gnu::noinline]] const std::int32_t* pointer_to(const std::vector<std::int32_t>& counts) {
  return counts.data();
}

TEST(LevelWeights, TotalsAreSumsOverCounts) {
  WeightSet weight_set;
  const WeightFunction w{Bias::logistic, 0.8};
  weight_set.add(agreeing(0), w);
  const LevelWeights levels(weight_set, 0.5, 3);
  ASSERT_EQ(levels.levels(), 7u);
  const std::vector<std::int32_t> counts = {2, 0, 1, 5, 0, 0, 3, 0};  // padded to the stride
  double expected = 0;
  for (int l = 0; l < 7; ++l) expected += counts[l] * w.weight(0.5 * (l - 3));
  const ScaledWeight total = levels.total(agreeing(0), 0, pointer_to(counts));
  EXPECT_EQ(total.log_scale, 0);
  EXPECT_DOUBLE_EQ(total.value, expected);
  EXPECT_DOUBLE_EQ(levels.largest(agreeing(0), 0, pointer_to(counts), total), w.weight(-1.5));
}

TEST(LevelWeights, OutsideTheRangeOfDoublesAreScaled) {
  WeightSet weight_set;
  weight_set.add(agreeing(0), {Bias::exp, 1});
  const LevelWeights levels(weight_set, 1000.0, 2);
  const std::vector<std::int32_t> counts = {0, 0, 0, 3, 4, 0, 0, 0};  // dE = 1000 and 2000
  const ScaledWeight total = levels.total(agreeing(0), 0, pointer_to(counts));
  EXPECT_NEAR(total.log(), -1000 + std::log(3.0), 1e-10);
  test::BranchScript script;
  test::EnumeratingDraws draws(script);
  test::for_each_branch(script, [&] {
    levels.draw(draws, agreeing(0), 0, pointer_to(counts), total, [](LevelMember m) {
      EXPECT_EQ(m.level, 3u);
      return static_cast<Site>(m.index);
    });
  });
}

TEST(LogProduct, NeitherOverflowsNorUnderflows) {
  LogProduct up_and_down;
  for (int k = 0; k < 50; ++k) up_and_down.multiply({1e99, 0}, {1e-99, 0});
  EXPECT_NEAR(up_and_down.log(), 50 * 198 * std::log(10.0), 1e-8);
  for (int k = 0; k < 50; ++k) up_and_down.multiply({1e-99, 0}, {1e99, 0});
  EXPECT_NEAR(up_and_down.log(), 0, 1e-8);

  LogProduct logs;
  for (int k = 0; k < 10; ++k) logs.multiply({1, 1.5e308}, {2, -1.5e308});
  EXPECT_EQ(logs.log(), INFINITY);
  for (int k = 0; k < 10; ++k) logs.multiply({1, -1.5e308}, {1, 1.5e308});
  EXPECT_NEAR(logs.log(), -10 * std::log(2.0), 1e-12);

  LogProduct product;
  product.add_log(1e200, 1e110);
  product.add_log(-1e110, 1e200);
  product.add_log(-0.25);
  EXPECT_NEAR(product.log(), -0.25, 1e-12);
}

}  // namespace
}  // namespace nhot
