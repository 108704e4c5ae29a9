#include "nhot/shell/shell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>

#include "nhot/base/error.hpp"
#include "support/draw_doubles.hpp"
#include "support/enumerating_draws.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

std::size_t choose(unsigned m, unsigned n) {
  std::size_t result = 1;
  for (unsigned k = 1; k <= n; ++k) result = result * (m - n + k) / k;
  return result;
}

Bits striped(Site sites) {
  Bits bits(sites);
  for (Site i = 0; i < sites; ++i) bits[i] = i % 3 == 1;
  return bits;
}

/// A state as a key: '0' and '1'.
std::string text(const Bits& bits) {
  std::string result;
  for (const Bit bit : bits) result += bit ? '1' : '0';
  return result;
}

TEST(Shell, EnumerationHasEveryStateOnce) {
  for (Site sites = 1; sites <= 9; ++sites)
    for (Site distance = 0; distance <= sites; ++distance) {
      const Shell shell(striped(sites), distance);
      const std::vector<Bits> states = enumerate(shell);
      EXPECT_EQ(states.size(), choose(sites, distance));
      EXPECT_NEAR(shell.log_states(), std::log(double(states.size())), 1e-12);
      std::set<std::string> distinct;
      for (const Bits& bits : states) {
        EXPECT_TRUE(shell.contains(bits));
        distinct.insert(text(bits));
      }
      EXPECT_EQ(distinct.size(), states.size());
    }
}

TEST(Shell, EnumerationRefusesLargeShells) {
  const Shell shell(Bits(40, 0), 20);
  EXPECT_EQ(test::message_of(test::refusal([&] { enumerate(shell); })),
            "the shell has more than 2000000 states");
  EXPECT_EQ(enumerate(Shell(Bits(6, 0), 3), 20).size(), 20u);
  EXPECT_THROW(enumerate(Shell(Bits(6, 0), 3), 19), InputError);
}

TEST(Shell, DistancesCountDifferences) {
  const Shell shell({0, 1, 1, 0, 1}, 2);
  EXPECT_EQ(shell.distance_of({0, 1, 1, 0, 1}), 0u);
  EXPECT_EQ(shell.distance_of({1, 0, 0, 1, 0}), 5u);
  EXPECT_EQ(shell.distance_of({1, 1, 1, 0, 0}), 2u);
  EXPECT_TRUE(shell.contains({1, 1, 1, 0, 0}));
  EXPECT_FALSE(shell.contains({1, 1, 1, 0, 1}));
  EXPECT_FALSE(shell.contains({1, 1, 1, 0}));
  EXPECT_EQ(shell.relative({1, 1, 1, 0, 0}), (Bits{1, 0, 0, 0, 1}));
  EXPECT_EQ(shell.relative(shell.relative({1, 1, 1, 0, 0})), (Bits{1, 1, 1, 0, 0}));
}

TEST(Shell, SidesHaveTheirSizes) {
  const Shell shell(striped(7), 3);
  EXPECT_EQ(shell.side_size(differing(0)), 3u);
  EXPECT_EQ(shell.side_size(agreeing(0)), 4u);
  EXPECT_EQ(opposite(differing(0)), agreeing(0));
  EXPECT_EQ(opposite(agreeing(0)), differing(0));
}

TEST(Shell, LongestWalkIsWhatTheFirstSideHolds) {
  const Shell shell(striped(7), 2);
  EXPECT_EQ(shell.longest_walk(Shell::Start::up), 2u);
  EXPECT_EQ(shell.longest_walk(Shell::Start::down), 5u);
  EXPECT_EQ(shell.longest_walk(Shell::Start::both), 2u);
  EXPECT_EQ(Shell(striped(7), 0).longest_walk(Shell::Start::down), 7u);
  EXPECT_EQ(Shell(striped(7), 7).longest_walk(Shell::Start::up), 7u);
  EXPECT_EQ(Shell(striped(7), 7).longest_walk(Shell::Start::both), 0u);
}

TEST(Shell, ADistanceBeyondTheSitesIsRefused) {
  const auto refused = test::refusal([] { Shell(Bits(5, 0), 6); });
  EXPECT_EQ(test::message_of(refused), "distance 6 is larger than the number of sites, 5");
  EXPECT_EQ(test::hint_of(refused), "choose {distance} between 0 and 5");
}

// Every branch of the draws is walked: each state comes with probability 1 / C(M, n) exactly.
TEST(Shell, DrawsEveryStateWithTheSameProbability) {
  for (const Site sites : {Site{1}, Site{4}, Site{6}})
    for (Site distance = 0; distance <= sites; ++distance) {
      const Shell shell(striped(sites), distance);
      test::BranchScript script;
      test::EnumeratingDraws draws(script);
      std::map<std::string, double> mass;
      test::for_each_branch(script, [&] {
        const Bits bits = shell.draw_uniform(draws);
        EXPECT_TRUE(shell.contains(bits));
        mass[text(bits)] += script.probability();
      });
      ASSERT_EQ(mass.size(), choose(sites, distance));
      for (const auto& [bits, p] : mass) EXPECT_NEAR(p * double(mass.size()), 1, 1e-13) << bits;
    }
}

TEST(Shell, TakesOneDrawPerDifferingSite) {
  test::DrawCounts counts;
  test::CountingDraws draws(test::ScriptedDraws(std::vector<double>(100, 0.37)), counts);
  Shell(Bits(1000, 0), 100).draw_uniform(draws);
  EXPECT_EQ(counts.below, 100u);
  EXPECT_EQ(counts.all(), 100u);
}

}  // namespace
}  // namespace nhot
