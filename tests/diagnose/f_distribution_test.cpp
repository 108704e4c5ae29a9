#include "nhot/diagnose/f_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace nhot {
namespace {

void expect_tail(double ratio, double numerator, double denominator, double expected) {
  EXPECT_NEAR(f_tail(ratio, numerator, denominator) / expected, 1, 1e-10)
      << ratio << " " << numerator << " " << denominator;
}

/// Computed with scipy.stats.f.sf.
TEST(FTail, EqualsTheValuesOfSciPy) {
  expect_tail(4.964602744, 1, 10, 0.04999999999487748);
  expect_tail(1, 1, 1, 0.5);
  expect_tail(2, 7, 56, 0.07122704112541157);
  expect_tail(9, 7, 56, 2.1815411461427263e-07);
  expect_tail(30, 7, 56, 9.285328495851154e-17);
  expect_tail(0.3, 7, 56, 0.9509409309578172);
  expect_tail(1.5, 63, 448, 0.011140949997865982);
}

TEST(FTail, HasItsEnds) {
  EXPECT_EQ(f_tail(0, 3, 5), 1);
  EXPECT_EQ(f_tail(-1, 3, 5), 1);
  EXPECT_EQ(f_tail(std::numeric_limits<double>::infinity(), 3, 5), 0);
  EXPECT_TRUE(std::isnan(f_tail(std::nan(""), 3, 5)));
}

}  // namespace
}  // namespace nhot
