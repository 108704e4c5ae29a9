#include "nhot/run/tune/gaussian_process.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nhot {
namespace {

TEST(GaussianProcess, GoesThroughValuesWithoutNoise) {
  std::vector<NoisyValue> values;
  for (const double x : {0.0, 1.0, 2.0, 3.0, 4.0}) values.push_back({{x}, std::sin(x), 0});
  const GaussianProcess process(values);
  for (const NoisyValue& value : values) {
    EXPECT_NEAR(process.at(value.place).mean, value.value, 1e-3);
    EXPECT_LT(process.at(value.place).error, 1e-2);
  }
  EXPECT_NEAR(process.at({1.5}).mean, std::sin(1.5), 0.05);
  EXPECT_LT(std::abs(process.at({1.5}).mean - std::sin(1.5)), 4 * process.at({1.5}).error);
}

TEST(GaussianProcess, KnowsNothingFarAway) {
  const GaussianProcess process({{{0, 0}, 1, 0.1}, {{1, 0}, 2, 0.1}, {{0, 1}, 3, 0.1}});
  EXPECT_NEAR(process.at({100, 100}).error, process.height(), 1e-9);
}

// Twenty values of one place are known better than each of them.
TEST(GaussianProcess, AveragesNoise) {
  std::vector<NoisyValue> values;
  for (int k = 0; k < 20; ++k) values.push_back({{0}, k % 2 ? 1.3 : 0.7, 0.3});
  values.push_back({{3}, 0, 0.3});
  const Prediction at = GaussianProcess(values).at({0});
  EXPECT_NEAR(at.mean, 1, 0.05);
  EXPECT_NEAR(at.error, 0.3 / std::sqrt(20), 0.02);
}

TEST(ExpectedImprovement, IsThatOfANormalVariable) {
  // Of N(0, 1) above 0: 1 / sqrt(2 pi).
  EXPECT_NEAR(expected_improvement({0, 1}, 0), 0.39894228, 1e-8);
  EXPECT_NEAR(expected_improvement({2, 0.5}, 2), 0.19947114, 1e-8);
  EXPECT_NEAR(expected_improvement({5, 1}, 0), 5, 1e-6);  // surely better
  EXPECT_LT(expected_improvement({-5, 1}, 0), 1e-6);      // surely not
  EXPECT_EQ(expected_improvement({2, 0}, 1), 1);
  EXPECT_EQ(expected_improvement({1, 0}, 2), 0);
}

}  // namespace
}  // namespace nhot
