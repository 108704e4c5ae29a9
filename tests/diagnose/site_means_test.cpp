#include "nhot/diagnose/site_means.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

// Chains of independent states; site i is 1 with probability i / (sites - 1).
std::vector<std::vector<PackedBits>> independent_states(std::size_t chains, std::size_t states,
                                                        std::size_t sites, std::uint64_t seed) {
  std::vector<std::vector<PackedBits>> result(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    Xoshiro256 stream = make_stream(seed, c, 0, Purpose::start);
    for (std::size_t s = 0; s < states; ++s) {
      Bits bits(sites);
      for (std::size_t i = 0; i < sites; ++i)
        bits[i] = static_cast<double>(stream() >> 11) * 0x1p-53 <
                  static_cast<double>(i) / static_cast<double>(sites - 1);
      result[c].emplace_back(bits);
    }
  }
  return result;
}

TEST(SiteMeans, AreTheShareOfOnes) {
  const auto states = independent_states(3, 37, 600, 1);
  const SiteMeans means = site_means(states);
  ASSERT_EQ(means.mean.size(), 600u);
  for (std::size_t i = 0; i < 600; ++i) {
    double ones = 0;
    for (const auto& own : states)
      for (const PackedBits& state : own) ones += state[i];
    EXPECT_DOUBLE_EQ(means.mean[i], ones / (3 * 37)) << i;
  }
  EXPECT_NEAR(means.error[0], std::sqrt(2.0) / (3 * 37), 0.5 / (3 * 37));  // never 1 in 111 states
  EXPECT_EQ(means.mean[599], 1);
}

// Chains in which every site is a chain of its own that is drawn anew with probability 1/8 a state:
// effective states are a fifteenth of all. Site i is 1 with probability rare(i).
double rare(std::size_t i) { return 0.001 + 0.0002 * static_cast<double>(i); }

std::vector<std::vector<PackedBits>> correlated_states(std::size_t chains, std::size_t states,
                                                       std::size_t sites, std::uint64_t seed) {
  std::vector<std::vector<PackedBits>> result(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    Xoshiro256 stream = make_stream(seed, c, 0, Purpose::start);
    const auto uniform = [&] { return static_cast<double>(stream() >> 11) * 0x1p-53; };
    Bits bits(sites);
    for (std::size_t s = 0; s < states; ++s) {
      for (std::size_t i = 0; i < sites; ++i)
        if (s == 0 || uniform() < 0.125) bits[i] = uniform() < rare(i);
      result[c].emplace_back(bits);
    }
  }
  return result;
}

// 200 sites with probabilities of 0.001 to 0.041, met about 1 to 40 times: 0.7% are beyond three
// errors (0.3% of normal ones), of the errors of batches alone 2.7%, as a site that was met too
// rarely has too small an error with it. Of 4000 values the limit is four standard deviations away.
TEST(SiteMeans, OfRareSitesHaveHonestErrors) {
  std::size_t beyond = 0;
  std::size_t count = 0;
  double squares = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SiteMeans means = site_means(correlated_states(4, 4000, 200, seed));
    for (std::size_t i = 0; i < 200; ++i) {
      const double z = (means.mean[i] - rare(i)) / means.error[i];
      beyond += std::abs(z) > 3;
      squares += z * z;
      ++count;
    }
  }
  EXPECT_LT(static_cast<double>(beyond), 0.012 * static_cast<double>(count));
  EXPECT_NEAR(squares / static_cast<double>(count), 1, 0.15);
}

// Over sites and seeds, the mean square of (mean - p) / error is 1 for independent batches but for
// the estimate of the spread; far from it when an error is off by a tenth.
TEST(SiteMeans, HaveHonestErrors) {
  double squares = 0;
  std::size_t count = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SiteMeans means = site_means(independent_states(4, 160, 301, seed));
    for (std::size_t i = 30; i <= 270; ++i) {
      const double z = (means.mean[i] - static_cast<double>(i) / 300) / means.error[i];
      squares += z * z;
      ++count;
    }
  }
  const double mean = squares / static_cast<double>(count);
  EXPECT_NEAR(mean, 63.0 / 61.0, 4 * std::sqrt(2.0 / static_cast<double>(count)) + 0.01);
}

TEST(SiteMeans, OfFewStatesHaveNoErrors) {
  EXPECT_TRUE(site_means({}).mean.empty());
  EXPECT_TRUE(site_means({{}, {}}).mean.empty());
  const SiteMeans one = site_means(independent_states(4, 1, 5, 1));
  ASSERT_EQ(one.error.size(), 5u);
  for (const double error : one.error) EXPECT_TRUE(std::isnan(error));
}

}  // namespace
}  // namespace nhot
