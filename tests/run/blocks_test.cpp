#include "nhot/run/anneal/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"
#include "run/small_problems.hpp"

namespace nhot {
namespace {

/// A model of 14 sites, a few states of it, and their blocks.
struct BlockCase {
  BlockCase(std::uint64_t seed, bool spins)
      : model("random", QuadraticModel(terms(seed, spins))),
        shell(test::zero_shell(model, 4).relative(Bits(14, 1)), 6) {
    RandomDraws draws(make_stream(seed, 0, 0, Purpose::test));
    states.push_back(shell.draw_uniform(draws));
    for (int k = 0; k < 2; ++k) {
      states.push_back(states.front());
      for (Bit& bit : states.back()) bit ^= static_cast<Bit>(draws.below(4) == 0);
    }
    blocks = merge_sites(*model.quadratic(), {&states[0], &states[1], &states[2]});
  }
  Bits with_blocks_flipped(unsigned choice) const {
    Bits bits = states.front();
    for (Site i = 0; i < bits.size(); ++i)
      bits[i] ^= static_cast<Bit>(choice >> blocks.of_site[i] & 1U);
    return bits;
  }

  static QuadraticTerms terms(std::uint64_t seed, bool spins) {
    QuadraticTerms terms = test::random_model(14, 0.25, 200 + seed).quadratic()->terms();
    terms.convention = spins ? Convention::spin : Convention::binary;
    return terms;
  }

  Model model;
  Shell shell;
  std::vector<Bits> states;
  Blocks blocks;
};

long distance(const Shell& shell, const Bits& bits) {
  long count = 0;
  for (Site i = 0; i < bits.size(); ++i) count += bits[i] != shell.reference()[i];
  return count;
}

TEST(Blocks, JoinSitesThatAllStatesOrientAlike) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BlockCase c(seed, true);
    const auto pattern = [&](Site i) {
      return 2 * (c.states[0][i] ^ c.states[1][i]) + (c.states[0][i] ^ c.states[2][i]);
    };
    // Labels by relaxation: the least site that can be reached over sites of the same pattern.
    std::vector<Site> least(14);
    for (Site i = 0; i < 14; ++i) least[i] = i;
    for (int round = 0; round < 14; ++round)
      for (Site i = 0; i < 14; ++i)
        for (const Site j : c.model.quadratic()->row(i).sites)
          if (pattern(i) == pattern(j)) least[i] = std::min(least[i], least[j]);
    for (Site i = 0; i < 14; ++i)
      for (Site j = 0; j < 14; ++j)
        EXPECT_EQ(c.blocks.of_site[i] == c.blocks.of_site[j], least[i] == least[j]);
    Bits opposite = c.states[1];
    for (Bit& bit : opposite) bit ^= 1;
    EXPECT_EQ(merge_sites(*c.model.quadratic(), {&c.states[2], &opposite, &c.states[0]}).of_site,
              c.blocks.of_site);
  }
}

TEST(BlockWalk, KnowsItsEnergyAndItsExcess) {
  for (const bool spins : {true, false})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const BlockCase c(seed, spins);
      BlockWalk walk(c.model, c.shell, c.states[0], c.blocks,
                     make_stream(seed, 1, 0, Purpose::test));
      const double base = c.model.energy(c.states[0]);
      bool moved = false;
      for (int k = 0; k < 50; ++k) {
        walk.sweep(0.3, 3);
        const Bits bits = walk.state();
        moved |= bits != c.states[0];
        EXPECT_NEAR(c.model.energy(bits) - base, walk.energy(), 1e-9);
        EXPECT_EQ(distance(c.shell, bits) - 6, walk.excess());
      }
      EXPECT_TRUE(moved);
    }
}

// Cooled a few times, the blocks find the lowest of all their states with the right distance.
TEST(BlockWalk, FindsTheLowestStateOfTheBlocks) {
  for (const bool spins : {true, false})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const BlockCase c(seed, spins);
      double least = std::numeric_limits<double>::infinity();
      for (unsigned choice = 0; choice < 1U << c.blocks.count; ++choice) {
        const Bits bits = c.with_blocks_flipped(choice);
        if (c.shell.contains(bits)) least = std::min(least, c.model.energy(bits));
      }
      double found = std::numeric_limits<double>::infinity();
      for (std::uint64_t read = 0; read < 8; ++read) {
        BlockWalk walk(c.model, c.shell, c.states[0], c.blocks,
                       make_stream(seed, 2, read, Purpose::test));
        for (int k = 0; k < 300; ++k) {
          walk.sweep(0.02 * k, 2);
          if (walk.excess() == 0) found = std::min(found, c.model.energy(walk.state()));
        }
      }
      EXPECT_NEAR(found, least, 1e-9) << seed;
    }
}

TEST(Blocks, SearchesEndOnTheShell) {
  const CoolingSchedule schedule({0.1, 1, 5});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const BlockCase c(seed, seed % 2 == 0);
    const Bits found =
        search_blocks(c.model, c.shell, c.states[0], c.blocks, schedule, 0, 64,
                      make_stream(seed, 3, 0, Purpose::test), [](double) { return true; });
    EXPECT_TRUE(c.shell.contains(found));
    const Bits stopped =
        search_blocks(c.model, c.shell, c.states[0], c.blocks, schedule, 0, 64,
                      make_stream(seed, 3, 0, Purpose::test), [](double) { return false; });
    EXPECT_EQ(stopped, c.states[0]);
  }
}

TEST(Blocks, ReturnsToTheShellByTheCheapestFlips) {
  for (const bool spins : {true, false})
    for (const Site many : {2U, 7U, 12U}) {
      const BlockCase c(5, spins);
      Bits bits = c.shell.reference();
      for (Site i = 0; i < many; ++i) bits[i] ^= 1;
      Bits expected = bits;
      while (!c.shell.contains(expected)) {
        Bits best;
        for (Site i = 0; i < 14; ++i) {
          Bits other = expected;
          other[i] ^= 1;
          if (std::abs(distance(c.shell, other) - 6) > std::abs(distance(c.shell, expected) - 6))
            continue;
          if (best.empty() || c.model.energy(other) < c.model.energy(best)) best = other;
        }
        expected = best;
      }
      return_to_shell(c.model, c.shell, bits);
      EXPECT_EQ(bits, expected);
    }
}

}  // namespace
}  // namespace nhot
