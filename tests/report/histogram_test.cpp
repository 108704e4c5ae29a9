#include "nhot/report/histogram.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace nhot {
namespace {

Histogram of(const std::vector<double>& values) {
  const std::vector<std::vector<double>> chains = {values};
  return histogram_of(ChainsView(chains));
}

double sum(const Histogram& histogram) {
  return std::accumulate(histogram.share.begin(), histogram.share.end(), 0.0);
}

TEST(Histogram, GivesEveryLevelABinOfItsOwn) {
  std::vector<double> values;
  for (int k = 0; k < 900; ++k) values.push_back(-100 + 4 * (k % 9));
  const Histogram histogram = of(values);
  ASSERT_EQ(histogram.share.size(), 9U);
  for (const double share : histogram.share) EXPECT_NEAR(share, 1.0 / 9, 1e-12);
  EXPECT_DOUBLE_EQ(histogram.edges.front(), -102);
  EXPECT_DOUBLE_EQ(histogram.edges.back(), -66);
}

TEST(Histogram, PutsAsManyLevelsInEveryBin) {
  std::vector<double> values;
  for (int k = 0; k < 10'000; ++k) values.push_back(k % 200);
  const Histogram histogram = of(values);
  EXPECT_LE(histogram.share.size(), 61U);
  EXPECT_NEAR(sum(histogram), 1, 1e-9);
  for (std::size_t k = 0; k + 1 < histogram.share.size(); ++k)
    EXPECT_NEAR(histogram.share[k], histogram.share[0], 1e-9);
}

TEST(Histogram, HandlesAnyNumbers) {
  EXPECT_TRUE(of({}).edges.empty());
  EXPECT_TRUE(of({std::nan(""), std::numeric_limits<double>::infinity()}).share.empty());
  EXPECT_EQ(of({5, 5, 5}).share, std::vector<double>{1.0});
  for (const std::vector<double>& values : {std::vector<double>{1e-12, 1e12, 3},
                                            {-1e300, 1e300},
                                            {1e-300, 2e-300, 5e-300},
                                            {0, 1e-15, 1}}) {
    const Histogram histogram = of(values);
    EXPECT_NEAR(sum(histogram), 1, 1e-9);
    EXPECT_EQ(histogram.edges.size(), histogram.share.size() + 1);
    EXPECT_LE(histogram.share.size(), 62U);
    for (const double edge : histogram.edges) EXPECT_TRUE(std::isfinite(edge));
  }
}

}  // namespace
}  // namespace nhot
