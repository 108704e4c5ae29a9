#include "nhot/report/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

double uniform(RandomDraws& draws) { return draws.uniform(); }

/// x_t = phi x_{t-1} + noise, started in the middle of its law.
std::vector<double> autoregression(double phi, std::size_t count, std::uint64_t number) {
  RandomDraws draws(make_stream(3, 0, number, Purpose::test));
  std::vector<double> values;
  double x = 0;
  for (std::size_t t = 0; t < count; ++t) {
    double noise = -6;
    for (int k = 0; k < 12; ++k) noise += uniform(draws);
    x = phi * x + noise;
    values.push_back(x);
  }
  return values;
}

/// A result whose draws take 2 ms of CPU time each, all of them sampled.
ContestantResult result_of(std::vector<std::vector<double>> chains, std::uint64_t stride) {
  ContestantResult result;
  result.stride = stride;
  result.run.trace.thin = 5;
  result.run.warmup.thin = 5;
  for (std::vector<double>& chain : chains) {
    const std::size_t draws = chain.size();
    std::vector<Stamp> stamps;
    for (std::size_t d = stride; d <= draws; d += stride)
      stamps.push_back({0.002 * static_cast<double>(d), 0, 0});
    result.stamps.push_back(std::move(stamps));
    result.run.moves = draws * 5;
    result.run.cpu_seconds += 0.002 * static_cast<double>(draws);
    ChainColumns columns;
    columns.energy = std::move(chain);
    result.run.trace.chains.push_back(std::move(columns));
    result.run.warmup.chains.emplace_back();
  }
  return result;
}

TEST(TwoWayGrid, GoesFromEndToEnd) {
  const std::vector<double> grid = two_way_grid(1e-4, 3.0, 100);
  EXPECT_DOUBLE_EQ(grid.front(), 1e-4);
  EXPECT_DOUBLE_EQ(grid.back(), 3.0);
  for (std::size_t k = 1; k < grid.size(); ++k) EXPECT_LT(grid[k - 1], grid[k]);
  EXPECT_EQ(two_way_grid(0, 0, 10).size(), 1U);
}

TEST(EnergyAgainstTime, TakesTheLatestDrawAndEndsWithTheChain) {
  const ContestantResult result = result_of({{1, 2, 3, 4}, {5, 6, 7, 8}}, 2);
  EXPECT_NEAR(result.draw_seconds(0, 0), 0.002, 1e-15);
  EXPECT_NEAR(result.draw_seconds(0, 3), 0.008, 1e-15);
  const Band band = energy_against_time(result, {0.001, 0.0021, 0.0079, 0.008, 0.1});
  EXPECT_TRUE(std::isnan(band.mean[0]));
  EXPECT_DOUBLE_EQ(band.mean[1], 3);
  EXPECT_DOUBLE_EQ(band.mean[2], 5);
  EXPECT_DOUBLE_EQ(band.mean[3], 6);
  EXPECT_TRUE(std::isnan(band.mean[4]));
  EXPECT_DOUBLE_EQ(band.sd[1], std::sqrt(8.0));
}

TEST(Autocorrelation, IsThatOfEachChainAndNotOfTheirMean) {
  // Chains at different heights: pooled about one mean they would look correlated at every lag.
  std::vector<std::vector<double>> chains;
  for (std::uint64_t c = 0; c < 8; ++c) {
    chains.push_back(autoregression(0.8, 20000, c));
    for (double& value : chains.back()) value += 100.0 * static_cast<double>(c);
  }
  const ContestantResult result = result_of(chains, 100);
  const Band band = autocorrelation_against_time(result, {0, 0.002, 0.010, 0.011, 0.2, 60});
  EXPECT_DOUBLE_EQ(band.mean[0], 1);
  // Standard error of rho_l of AR(1) over 8 x 20000 draws: below 0.006.
  EXPECT_NEAR(band.mean[1], 0.8, 0.02);
  EXPECT_NEAR(band.mean[2], std::pow(0.8, 5), 0.025);
  EXPECT_NEAR(band.mean[3], 0.5 * (std::pow(0.8, 5) + std::pow(0.8, 6)), 0.025);
  EXPECT_NEAR(band.mean[4], 0, 0.03);
  EXPECT_TRUE(std::isnan(band.mean[5]));
}

TEST(Autocorrelation, OfAFrozenChainIsOne) {
  const Band band =
      autocorrelation_band(ChainsView(std::vector<std::vector<double>>{{2, 2, 2, 2}}), 2, 1);
  EXPECT_DOUBLE_EQ(band.mean[1], 1);
}

TEST(RankHistograms, CountEveryDrawOnce) {
  const std::vector<std::vector<double>> chains = {autoregression(0, 997, 1),
                                                   autoregression(0, 997, 2)};
  const auto counts = rank_histograms(chains, 20);
  ASSERT_EQ(counts.size(), 2U);
  for (const auto& chain : counts)
    EXPECT_NEAR(std::accumulate(chain.begin(), chain.end(), 0.0), 997, 1e-6);
  for (std::size_t b = 0; b < 20; ++b) EXPECT_NEAR(counts[0][b] + counts[1][b], 99.7, 1e-6);
}

TEST(RankHistograms, EqualDrawsAreSpreadEvenly) {
  // Two values only, equally often in both chains: flat all the same.
  const std::vector<std::vector<double>> same = {{1, 2, 1, 2}, {2, 1, 2, 1}};
  for (const auto& chain : rank_histograms(same, 8))
    for (const double count : chain) EXPECT_DOUBLE_EQ(count, 0.5);
  // One chain always low, the other always high.
  const auto apart = rank_histograms(std::vector<std::vector<double>>{{1, 1}, {2, 2}}, 4);
  EXPECT_EQ(apart[0], (std::vector<double>{1, 1, 0, 0}));
  EXPECT_EQ(apart[1], (std::vector<double>{0, 0, 1, 1}));
}

TEST(EssGrowth, GrowsInProportionForIndependentDraws) {
  const std::vector<std::vector<double>> chains = {autoregression(0, 4000, 1),
                                                   autoregression(0, 4000, 2)};
  const EssGrowth growth = ess_growth(chains, 4);
  ASSERT_EQ(growth.draws, (std::vector<std::size_t>{1000, 2000, 3000, 4000}));
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(growth.bulk[k] / (2.0 * static_cast<double>(growth.draws[k])), 1, 0.2);
}

TEST(AcceptanceByLength, CountsAndGroups) {
  Trace trace;
  trace.chains.resize(1);
  ChainColumns& chain = trace.chains[0];
  for (int k = 0; k < 40; ++k) {
    chain.energy.push_back(0);
    chain.saw_length.push_back(1 + k % 4);
    chain.accepted.push_back(k % 4 == 0);
  }
  const auto rows = acceptance_by_length(trace, 10);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].first, 1);
  EXPECT_EQ(rows[0].tried, 10U);
  EXPECT_EQ(rows[0].accepted, 10U);
  EXPECT_EQ(rows[1].accepted, 0U);
  const auto grouped = acceptance_by_length(trace, 2);
  ASSERT_EQ(grouped.size(), 2U);
  EXPECT_EQ(grouped[1].first, 3);
  EXPECT_EQ(grouped[1].last, 4);
  EXPECT_EQ(grouped[1].tried, 20U);
}

TEST(OverlapDensity, TellsTrappedChainsApart) {
  // Each chain stays where it is; the two are opposite.
  const Bits up(10, 1);
  const Bits down(10, 0);
  const OverlapDensity trapped = overlap_density({{up, up, up, up}, {down, down, down, down}}, 10);
  EXPECT_DOUBLE_EQ(trapped.between_mean, -1);
  EXPECT_DOUBLE_EQ(trapped.within_mean, 1);
  double mass = 0;
  for (const double value : trapped.between) mass += value * 0.2;
  EXPECT_NEAR(mass, 1, 1e-12);
  EXPECT_TRUE(overlap_density({}, 10).centre.empty());
}

}  // namespace
}  // namespace nhot
