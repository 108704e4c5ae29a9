#include "nhot/diagnose/moments.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nhot {
namespace {

TEST(Moments, SmallCases) {
  const std::vector<double> x = {1, 2, 3, 4, 10};
  EXPECT_DOUBLE_EQ(mean(x), 4.0);
  EXPECT_DOUBLE_EQ(sample_variance(x), (9 + 4 + 1 + 0 + 36) / 4.0);
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(sample_variance(std::vector<double>{1.0})));
  const std::vector<std::vector<double>> chains = {{1, 2}, {3, 4}, {10, 4}};
  EXPECT_DOUBLE_EQ(pooled_mean(chains), 4.0);
  EXPECT_DOUBLE_EQ(pooled_variance(chains), 50.0 / 5.0);
}

TEST(Moments, KeepDigitsUnderALargeOffset) {
  std::vector<double> x;
  for (int i = 0; i < 1001; ++i) x.push_back(1e12 + (i % 2 == 0 ? 0.5 : -0.5));
  EXPECT_EQ(mean(x), 1e12 + 0.5 / 1001);
  EXPECT_NEAR(sample_variance(x), (0.25 * 1001 - 0.25 / 1001) / 1000, 1e-9);
}

TEST(Moments, ConstantsAreExact) {
  const std::vector<double> x(77, 0.1);
  EXPECT_EQ(mean(x), 0.1);
  EXPECT_EQ(sample_variance(x), 0.0);
}

}  // namespace
}  // namespace nhot
