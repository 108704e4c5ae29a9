#include "nhot/diagnose/normal_quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace nhot {
namespace {

double phi(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

TEST(NormalQuantile, KnownValues) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 4e-16 * 2);
  EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514729, 4e-16 * 2);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 4e-15);
  EXPECT_NEAR(normal_quantile(1e-300), -37.0471, 1e-4);
}

TEST(NormalQuantile, InvertsTheNormalLaw) {
  for (double p = 1e-14; p < 0.5; p *= 1.07) {
    // Error of z in units of what the rounding of p allows: dp = density * dz.
    const double z = normal_quantile(p);
    const double density = std::exp(-z * z / 2.0) / std::sqrt(2.0 * std::numbers::pi);
    EXPECT_NEAR(z, z - (phi(z) - p) / density, 2e-15 * std::max(1.0, std::abs(z))) << p;
  }
}

TEST(NormalQuantile, IsOdd) {
  for (int k = 1; k < 1024; ++k) {
    const double p = k / 1024.0;
    EXPECT_EQ(normal_quantile(p), -normal_quantile(1.0 - p));
  }
}

TEST(NormalQuantile, Ends) {
  EXPECT_EQ(normal_quantile(0.0), -INFINITY);
  EXPECT_EQ(normal_quantile(1.0), INFINITY);
  EXPECT_TRUE(std::isnan(normal_quantile(-0.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
  EXPECT_TRUE(std::isnan(normal_quantile(NAN)));
}

}  // namespace
}  // namespace nhot
