#include "nhot/diagnose/decorrelation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr std::array<std::size_t, 12> lags = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};

/// Autoregressive, of variance 1 and correlation phi from draw to draw.
std::vector<double> ar1(double phi, std::size_t draws, std::uint64_t seed) {
  Xoshiro256 random = make_stream(seed, 0, 0, Purpose::test);
  const auto normal = [&] {
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random() >> 11) * 0x1p-53;
    return sum;
  };
  std::vector<double> series(draws);
  double x = normal();
  for (double& value : series) value = x = phi * x + std::sqrt(1 - phi * phi) * normal();
  return series;
}

double exact_time(double phi) { return (1 + phi) / (1 - phi); }

TEST(Decorrelation, IsTheIntegratedTimeOfAnAutoregressiveSeries) {
  for (const double phi : {0.0, 0.3, 0.7, 0.9}) {
    Variogram variogram;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) variogram.add(ar1(phi, 20'000, seed), lags, 1);
    EXPECT_NEAR(decorrelation_time(variogram, 1, 0.02) / exact_time(phi), 1, 0.05) << phi;
  }
}

// Correlations of an exponential decay give the same time wherever the sum ends.
TEST(Decorrelation, HardlyDependsOnTheLevelWhereDecayIsExponential) {
  Variogram variogram;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) variogram.add(ar1(0.9, 20'000, seed), lags, 1);
  for (const double level : {0.1, 0.3, 0.6, 0.85})
    EXPECT_NEAR(decorrelation_time(variogram, 1, level) / exact_time(0.9), 1, 0.08) << level;
}

// The longest lag is a third of the time: the rest is guessed.
TEST(Decorrelation, GoesBeyondTheLongestLag) {
  Variogram variogram;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) variogram.add(ar1(0.99, 20'000, seed), lags, 1);
  EXPECT_NEAR(decorrelation_time(variogram, 1, 0.02) / exact_time(0.99), 1, 0.1);
}

TEST(Decorrelation, IsInTheUnitOfTheSpacing) {
  Variogram close;
  Variogram far;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    close.add(ar1(0.8, 5000, seed), lags, 1);
    far.add(ar1(0.8, 5000, seed), lags, 7);
  }
  EXPECT_DOUBLE_EQ(decorrelation_time(far, 1, 0.1), 7 * decorrelation_time(close, 1, 0.1));
}

TEST(Decorrelation, SitesAreOneSeries) {
  // Every site is redrawn with probability 1/5: the correlation from draw to draw is 4/5.
  constexpr std::size_t sites = 500;
  Xoshiro256 random = make_stream(3, 0, 0, Purpose::test);
  Bits bits(sites);
  std::vector<PackedBits> states;
  for (int d = 0; d < 2000; ++d) {
    for (Bit& bit : bits)
      if (random() % 5 == 0) bit = static_cast<Bit>(random() % 2);
    states.emplace_back(bits);
  }
  Variogram variogram;
  variogram.add(std::span(states).subspan(100), lags, 1);
  EXPECT_NEAR(decorrelation_time(variogram, 0.25 * sites, 0.05) / exact_time(0.8), 1, 0.05);
}

TEST(Decorrelation, OfWhatDoesNotChange) {
  const std::vector<double> same(100, 3.5);
  Variogram variogram;
  EXPECT_TRUE(std::isinf(decorrelation_time(variogram, 1, 0.1)));
  variogram.add(same, lags, 1);
  EXPECT_TRUE(std::isinf(decorrelation_time(variogram, 1, 0.1)));  // others do change
  EXPECT_EQ(decorrelation_time(variogram, 0, 0.1), 1);             // a constant
}

TEST(Decorrelation, NoiseIsNoLowCorrelation) {
  // 200 differences at lag 1: their correlation is known to 0.1, and often below zero.
  int below = 0;
  int at_the_noise = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Variogram variogram;
    variogram.add(ar1(0.0, 200, seed), lags, 1);
    const double lowest = lowest_correlation(variogram, 1);
    EXPECT_GE(lowest, 0.3);
    if (variogram.entries().front().half_square() > 1) ++below;
    if (lowest == 3 * variogram.entries().front().noise(1)) ++at_the_noise;
  }
  EXPECT_GE(below, 10);
  EXPECT_GE(at_the_noise, 40);
  EXPECT_EQ(lowest_correlation(Variogram(), 1), 1);
}

// The tail of a short series never falls to a low level: its noise ends the sum.
TEST(Decorrelation, NoiseOfTheTailIsNotSummed) {
  double sum = 0;
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Variogram variogram;
    for (std::uint64_t part = 0; part < 16; ++part)
      variogram.add(ar1(0.5, 128, 100 * seed + part), lags, 1);
    const double off = std::log(decorrelation_time(variogram, 1, 0.01) / exact_time(0.5));
    sum += off;
    worst = std::max(worst, std::abs(off));
  }
  EXPECT_LT(std::abs(sum / 100), 0.05);
  EXPECT_LT(worst, 0.6);
}

}  // namespace
}  // namespace nhot
