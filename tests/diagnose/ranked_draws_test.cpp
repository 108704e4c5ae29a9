#include "nhot/diagnose/ranked_draws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diagnose/known_chains.hpp"

namespace nhot {
namespace {

using Values = std::vector<double>;

// Average rank by counting, O(S^2).
Values scores_by_counting(const Values& values) {
  const auto count = static_cast<double>(values.size());
  Values scores;
  for (const double x : values) {
    double less = 0, equal = 0;
    for (const double y : values) {
      less += y < x ? 1 : 0;
      equal += y == x ? 1 : 0;
    }
    const double rank = less + (equal + 1) / 2;
    scores.push_back(normal_quantile((rank - 0.375) / (count + 0.25)));
  }
  return scores;
}

double median_of(Values values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Values flat(const ChainsView& view) {
  Values all;
  for (const auto chain : view) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

TEST(RankedDraws, QuantilesInterpolate) {
  const testing::Chains chains = {{5, 1, 3}, {2, 4, 6}};
  const RankedDraws ranked(chains);
  EXPECT_EQ(ranked.smallest(), 1);
  EXPECT_EQ(ranked.largest(), 6);
  EXPECT_DOUBLE_EQ(ranked.quantile(0.0), 1.0);
  EXPECT_DOUBLE_EQ(ranked.quantile(0.05), 1.25);
  EXPECT_DOUBLE_EQ(ranked.quantile(0.5), 3.5);
  EXPECT_DOUBLE_EQ(ranked.quantile(0.95), 5.75);
  EXPECT_DOUBLE_EQ(ranked.quantile(1.0), 6.0);
}

TEST(RankedDraws, TiesShareTheirAverageRank) {
  const testing::Chains chains = {{2, 1, 2, 0}};
  const Scores scores = RankedDraws(chains).normal_scores();
  EXPECT_EQ(scores.values, (Values{normal_quantile(3.125 / 4.25), normal_quantile(1.625 / 4.25),
                                   normal_quantile(3.125 / 4.25), normal_quantile(0.625 / 4.25)}));
}

TEST(RankedDraws, ScoresEqualCounting) {
  for (const std::size_t draws : {4u, 5u, 30u, 31u}) {
    for (const bool discrete : {false, true}) {
      auto chains = testing::ar1_chains(0.5, 3, draws, 9);
      if (discrete) {
        for (auto& chain : chains) {
          for (double& x : chain) x = std::round(2 * x) * 0.1;
        }
      }
      const ChainsView view(chains);
      const RankedDraws ranked(view);
      const Values split = flat(view.split());
      EXPECT_EQ(flat(ranked.normal_scores().view().split()), scores_by_counting(split));

      Values folded = split;
      const double median = median_of(split);
      for (double& x : folded) x = std::abs(x - median);
      EXPECT_EQ(flat(ranked.folded_scores().view().split()), scores_by_counting(folded));
    }
  }
}

}  // namespace
}  // namespace nhot
