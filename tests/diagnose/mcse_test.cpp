#include "nhot/diagnose/mcse.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/known_chains.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::Chains;

// What an error bar promises: over many runs, (estimate - truth) / mcse has mean square 1. The
// squared bar has itself a relative variance of at most time_error(25, 4000)^2 = 0.026 here, which
// raises the mean square by as much; 0.05 is granted for it.
TEST(Mcse, IsTheErrorOverManyRuns) {
  constexpr std::size_t runs = 400;
  for (const double phi : {-0.4, 0.0, 0.7}) {
    double of_mean = 0.0, of_sd = 0.0;
    for (std::size_t run = 0; run < runs; ++run) {
      const Chains chains = ar1_chains(phi, 2, 2000, 5000 + run);
      const double mean_error = pooled_mean(chains) / mcse_mean(chains);
      const double sd_error = (std::sqrt(pooled_variance(chains)) - 1.0) / mcse_sd(chains);
      of_mean += mean_error * mean_error / runs;
      of_sd += sd_error * sd_error / runs;
    }
    const testing::MeanSquareRange range(runs);
    for (const double square : {of_mean, of_sd}) {
      EXPECT_GT(square, range.lowest) << phi;
      EXPECT_LT(square, range.highest + 0.05) << phi;
    }
  }
}

// A planted error: bars that ignore correlation are three times too short at phi = 0.8.
TEST(Mcse, PlantedNaiveBarIsCaught) {
  constexpr std::size_t runs = 400;
  double square = 0.0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Chains chains = ar1_chains(0.8, 2, 2000, 5000 + run);
    const double naive = std::sqrt(pooled_variance(chains) / 4000);
    square += std::pow(pooled_mean(chains) / naive, 2) / runs;
  }
  EXPECT_GT(square, testing::MeanSquareRange(runs).highest + 0.05);
}

TEST(Mcse, Edges) {
  const Chains constant(2, std::vector<double>(20, 0.1));
  EXPECT_EQ(mcse_mean(constant), 0.0);
  EXPECT_TRUE(std::isnan(mcse_sd(constant)));
  EXPECT_TRUE(std::isnan(mcse_mean(Chains{{1, 2, 3}})));
  EXPECT_TRUE(std::isnan(mcse_mean(Chains{})));
}

}  // namespace
}  // namespace nhot
