#include "support/exact.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

// With beta = 0 every exchange is accepted, so P is the random walk on pairs of sites.
TEST(TransitionMatrix, OfASwapAtInfiniteTemperature) {
  const Model model = model_from_spec("field:5,seed=3");
  const auto shell = std::make_shared<const Shell>(Bits{0, 1, 1, 0, 1}, 2);
  const StateIndex states(*shell);
  ASSERT_EQ(states.size(), 10u);
  const TransitionMatrix p = transition_matrix(ChainSetup(model, shell, "swap", 0.0), states);
  for (std::size_t x = 0; x < states.size(); ++x)
    for (std::size_t y = 0; y < states.size(); ++y) {
      Site apart = 0;
      for (std::size_t i = 0; i < 5; ++i) apart += states[x][i] != states[y][i];
      EXPECT_NEAR(p(x, y), apart == 2 ? 1.0 / 6 : 0.0, 1e-15);
    }
  EXPECT_LT(row_sum_error(p), 1e-15);
  EXPECT_LT(stationarity_error(p, boltzmann_law(model, states, 0.0)), 1e-15);
  EXPECT_TRUE(is_irreducible(p));
}

TEST(TransitionMatrix, ErrorsAreSeen) {
  TransitionMatrix p(2);
  p(0, 0) = 0.5;
  p(0, 1) = 0.5;
  p(1, 1) = 1;
  EXPECT_EQ(row_sum_error(p), 0);
  EXPECT_NEAR(stationarity_error(p, {0.5, 0.5}), 0.25, 1e-15);
  EXPECT_NEAR(detailed_balance_error(p, {0.5, 0.5}), 0.25, 1e-15);
  EXPECT_EQ(stationarity_error(p, {0, 1}), 0);
  EXPECT_FALSE(is_irreducible(p));
  p(1, 0) = std::nan("");
  EXPECT_EQ(row_sum_error(p), INFINITY);
  EXPECT_EQ(stationarity_error(p, {0.5, 0.5}), INFINITY);
}

}  // namespace
}  // namespace nhot::test
