#include "nhot/diagnose/chain_comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "nhot/diagnose/f_distribution.hpp"
#include "nhot/diagnose/overlap_matrix.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

using States = std::vector<std::vector<PackedBits>>;

/// [chain][draw], each drawn by draw(draws, chain, time, last state of the chain).
using DrawState = std::function<Bits(RandomDraws&, std::size_t, std::size_t, const Bits&)>;
States make_states(std::size_t chains, std::size_t count, std::uint64_t seed,
                   const DrawState& draw) {
  States states(chains);
  for (std::size_t c = 0; c < chains; ++c) {
    RandomDraws draws(make_stream(seed, 0, c, Purpose::test));
    Bits last;
    for (std::size_t s = 0; s < count; ++s) states[c].emplace_back(last = draw(draws, c, s, last));
  }
  return states;
}

Bits coin_flips(RandomDraws& draws, std::size_t sites, double p = 0.5) {
  Bits bits(sites);
  for (Bit& bit : bits) bit = draws.accept(p);
  return bits;
}

bool differ(const GroupSpread& spread) { return spread.ratio > 1.5 && spread.probability < 0.001; }

TEST(OverlapMatrix, HoldsProductsOfDeviationsFromTheMean) {
  const States states = make_states(1, 9, 1, [](RandomDraws& draws, auto, auto, const Bits&) {
    return coin_flips(draws, 131, 0.3);
  });
  std::vector<const PackedBits*> list;
  for (const PackedBits& bits : states[0]) list.push_back(&bits);
  const OverlapMatrix overlaps(list);
  std::vector<double> mean(131, 0.0);
  for (const PackedBits& bits : states[0])
    for (std::size_t i = 0; i < 131; ++i) mean[i] += bits[i] / 9.0;
  for (std::size_t s = 0; s < 9; ++s)
    for (std::size_t t = 0; t < 9; ++t) {
      double product = 0;
      for (std::size_t i = 0; i < 131; ++i)
        product += (states[0][s][i] - mean[i]) * (states[0][t][i] - mean[i]);
      EXPECT_NEAR(overlaps(s, t), product, 1e-4);
    }
}

/// The probability is what it says it is: for independent batches of one law it is uniform.
TEST(GroupSpread, IsUniformForBatchesOfOneLaw) {
  constexpr int runs = 400;
  int below_tenth = 0;
  int below_half = 0;
  for (int run = 0; run < runs; ++run) {
    RandomDraws draws(make_stream(2, 0, static_cast<std::uint64_t>(run), Purpose::test));
    BatchProducts products{32, std::vector<double>(32 * 32)};
    std::vector<std::vector<double>> vectors(32, std::vector<double>(5));
    for (auto& vector : vectors)
      for (double& x : vector) x = draws.uniform();
    for (std::size_t a = 0; a < 32; ++a)
      for (std::size_t b = 0; b < 32; ++b)
        for (std::size_t k = 0; k < 5; ++k)
          products.values[a * 32 + b] += vectors[a][k] * vectors[b][k];
    const GroupSpread spread = group_spread(products, 4, 499);
    below_tenth += spread.probability <= 0.1;
    below_half += spread.probability <= 0.5;
  }
  // Four and a half standard deviations.
  EXPECT_NEAR(below_tenth, 0.1 * runs, 4.5 * std::sqrt(0.09 * runs));
  EXPECT_NEAR(below_half, 0.5 * runs, 4.5 * std::sqrt(0.25 * runs));
}

/// Out of 100 runs of chains that do sample one law, with and without memory, none is told apart.
TEST(ChainComparison, FindsNothingInChainsOfOneLaw) {
  for (const double memory : {0.0, 0.3})
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const States states =
          make_states(4, 256, 100 + seed, [&](RandomDraws& draws, auto, auto, const Bits& last) {
            Bits bits = coin_flips(draws, 40, 0.25);
            for (std::size_t i = 0; i < last.size(); ++i)
              if (draws.accept(memory)) bits[i] = last[i];
            return bits;
          });
      const ChainComparison found = compare_chains(states);
      EXPECT_FALSE(differ(found.sites)) << seed;
      EXPECT_FALSE(differ(found.covariance)) << seed;
      EXPECT_GT(found.worst_site.probability, 1e-5) << seed;
      EXPECT_LT(found.site_pattern.rhat, 1.1) << seed;
      EXPECT_GT(found.site_pattern.ess_bulk, 40) << seed;
      EXPECT_LT(found.covariance_pattern.rhat, 1.1) << seed;
    }
}

TEST(ChainComparison, TellsChainsWithOtherMeansApart) {
  const States states =
      make_states(4, 256, 3, [](RandomDraws& draws, std::size_t c, auto, const Bits&) {
        return coin_flips(draws, 40, c == 2 ? 0.35 : 0.25);
      });
  EXPECT_TRUE(differ(compare_chains(states).sites));
}

/// Means are equal in all chains; pairs of sites go together in two of them, and go apart in two.
TEST(ChainComparison, TellsChainsWithOtherCovariancesApart) {
  const States states =
      make_states(4, 256, 4, [](RandomDraws& draws, std::size_t c, auto, const Bits&) {
        Bits bits = coin_flips(draws, 40);
        for (std::size_t i = 0; i < 40; i += 2) bits[i + 1] = c < 2 ? bits[i] : bits[i] ^ 1;
        return bits;
      });
  const ChainComparison found = compare_chains(states);
  EXPECT_FALSE(differ(found.sites));
  EXPECT_TRUE(differ(found.covariance));
}

/// One site that is stuck among two thousand that are free.
TEST(ChainComparison, FindsTheSiteThatIsStuck) {
  const States states =
      make_states(4, 256, 5, [](RandomDraws& draws, std::size_t c, auto, const Bits&) {
        Bits bits = coin_flips(draws, 2000);
        bits[1234] = c == 0;
        return bits;
      });
  const ChainComparison found = compare_chains(states);
  EXPECT_FALSE(differ(found.sites));
  EXPECT_EQ(found.worst_site.site, 1234u);
  EXPECT_LT(found.worst_site.probability, 1e-9);
  EXPECT_EQ(found.worst_site.lowest, 0);
  EXPECT_EQ(found.worst_site.highest, 1);
}

/// The analysis of variance of one site, by its formulas: 8 half-chains of 8 batches of 16 states.
TEST(ChainComparison, RatioOfASiteIsFishersF) {
  const States states =
      make_states(4, 256, 11, [](RandomDraws& draws, std::size_t c, auto, const Bits&) {
        return coin_flips(draws, 1, c < 2 ? 0.35 : 0.6);
      });
  std::vector<std::vector<double>> groups(8);
  for (std::size_t c = 0; c < 4; ++c)
    for (std::size_t b = 0; b < 16; ++b) {
      double sum = 0;
      for (std::size_t s = 0; s < 16; ++s) sum += states[c][16 * b + s][0];
      groups[2 * c + b / 8].push_back(sum / 16);
    }
  double mean = 0;
  for (const auto& group : groups)
    for (const double x : group) mean += x / 64;
  double between = 0;
  double within = 0;
  for (const auto& group : groups) {
    double own = 0;
    for (const double x : group) own += x / 8;
    between += 8 * (own - mean) * (own - mean) / 7;
    for (const double x : group) within += (x - own) * (x - own) / 56;
  }
  const ChainComparison found = compare_chains(states);
  EXPECT_NEAR(found.worst_site.ratio, between / within, 1e-9);
  EXPECT_GT(found.worst_site.ratio, 4);
  EXPECT_NEAR(found.worst_site.probability, f_tail(between / within, 7, 56), 1e-12);
}

/// The largest of many ratios is large: its probability is that of a site times the sites.
TEST(ChainComparison, CountsTheSitesThatTheWorstWasChosenFrom) {
  int surprising = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ChainComparison found = compare_chains(make_states(
        4, 256, 200 + seed,
        [](RandomDraws& draws, auto, auto, const Bits&) { return coin_flips(draws, 500); }));
    const double one = f_tail(found.worst_site.ratio, 7, 56);
    EXPECT_LT(one, 0.05);
    EXPECT_NEAR(found.worst_site.probability, std::min(1.0, 500 * one), 1e-12);
    surprising += found.worst_site.probability < 0.05;
  }
  EXPECT_LE(surprising, 5);  // more than that: one time in 3000
}

/// All chains change valley at the same time, so they agree; each with its own past does not.
TEST(ChainComparison, TellsTheHalvesOfAChainApart) {
  const States states =
      make_states(4, 256, 6, [](RandomDraws& draws, auto, std::size_t s, const Bits&) {
        return coin_flips(draws, 40, s < 128 ? 0.25 : 0.4);
      });
  EXPECT_TRUE(differ(compare_chains(states).sites));
}

/// Rare jumps between two valleys: every chain sees both, but seldom.
TEST(ChainComparison, SeesThatAPatternIsSlow) {
  const States states =
      make_states(4, 256, 7, [](RandomDraws& draws, auto, auto, const Bits& last) {
        const bool valley = last.empty() ? draws.accept(0.5) : (last[0] != 0) != draws.accept(0.02);
        Bits bits = coin_flips(draws, 40, valley ? 0.4 : 0.6);
        bits[0] = valley;
        return bits;
      });
  const ChainComparison found = compare_chains(states);
  EXPECT_LT(found.site_pattern.ess_bulk, 40);
}

TEST(ChainComparison, NeedsSomeStates) {
  const auto few =
      make_states(4, fewest_compared_states - 1, 8,
                  [](RandomDraws& draws, auto, auto, const Bits&) { return coin_flips(draws, 4); });
  EXPECT_EQ(compare_chains(few).states, 0u);
  EXPECT_EQ(compare_chains({}).states, 0u);
  const auto enough =
      make_states(4, fewest_compared_states, 8,
                  [](RandomDraws& draws, auto, auto, const Bits&) { return coin_flips(draws, 4); });
  EXPECT_EQ(compare_chains(enough).states, fewest_compared_states);
}

/// Nothing varies at all: nothing to tell apart.
TEST(ChainComparison, TakesStatesThatAreAllTheSame) {
  const auto same = make_states(4, 64, 9, [](RandomDraws&, auto, auto, const Bits&) {
    return Bits{1, 0, 1};
  });
  const ChainComparison found = compare_chains(same);
  EXPECT_TRUE(std::isnan(found.sites.ratio));
  EXPECT_EQ(found.worst_site.probability, 1);
}

/// Many chains, and more sites than are looked at in one block.
TEST(ChainComparison, TakesManyChainsAndManySites) {
  const auto many =
      make_states(200, 32, 10, [](RandomDraws& draws, std::size_t c, auto, const Bits&) {
        Bits bits = coin_flips(draws, 5000);
        bits[4999] = c == 7;
        return bits;
      });
  const ChainComparison found = compare_chains(many);
  EXPECT_EQ(found.worst_site.site, 4999u);
  EXPECT_LT(found.worst_site.probability, 1e-9);
}

}  // namespace
}  // namespace nhot
