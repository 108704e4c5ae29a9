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

// --- several groups ------------------------------------------------------------------------------

/// Sites 0, 4, 2 with one that differs, 1 and 5 with both, 3 with none; 6 and 7 are free.
Shell mixed_groups() { return {striped(8), {{{0, 4, 2}, 1}, {{1, 5}, 2}, {{3}, 0}}}; }

TEST(GroupedShell, EnumerationHasEveryStateOnce) {
  for (const Shell& shell : {mixed_groups(), Shell(striped(6), {{{0, 1, 2}, 2}, {{5, 3, 4}, 1}}),
                             Shell(striped(5), {})}) {
    const std::vector<Bits> states = enumerate(shell);
    EXPECT_NEAR(shell.log_states(), std::log(double(states.size())), 1e-12);
    std::set<std::string> distinct;
    for (const Bits& bits : states) {
      EXPECT_TRUE(shell.contains(bits));
      distinct.insert(text(bits));
    }
    EXPECT_EQ(distinct.size(), states.size());
  }
  EXPECT_EQ(enumerate(mixed_groups()).size(), 12u);
}

TEST(GroupedShell, HasSidesOfEveryGroup) {
  const Shell shell = mixed_groups();
  EXPECT_TRUE(shell.grouped());
  EXPECT_EQ(shell.groups(), 3u);
  EXPECT_EQ(shell.sides(), 8u);
  EXPECT_EQ(shell.distance(), 3u);
  EXPECT_EQ(shell.free_sites(), 2u);
  EXPECT_EQ(shell.movable_sites(), 3u);
  EXPECT_FALSE(shell.single_state());
  EXPECT_EQ(shell.side_size(differing(0)), 1u);
  EXPECT_EQ(shell.side_size(agreeing(0)), 2u);
  EXPECT_EQ(shell.group_of(4), 0u);
  EXPECT_EQ(shell.group_of(7), shell.groups());
  for (Site i = 0; i < shell.sites(); ++i)
    EXPECT_EQ(shell.members(shell.group_of(i))[shell.place(i)], i);
  EXPECT_EQ(shell.list_groups()[0].sites, (std::vector<Site>{0, 2, 4}));
  EXPECT_EQ(shell.longest_walk(Shell::Start::both), 1u);
  EXPECT_EQ(shell.longest_walk(Shell::Start::down), 2u);
}

TEST(GroupedShell, ContainsStatesWithEveryDistance) {
  const Shell shell(Bits(4, 0), {{{0, 1}, 1}, {{2, 3}, 1}});
  EXPECT_TRUE(shell.contains({1, 0, 0, 1}));
  EXPECT_FALSE(shell.contains({1, 1, 0, 0}));  // two in all, but in one group
}

TEST(GroupedShell, OneGroupOfAllSitesIsTheShellOfThatDistance) {
  const Shell shell(striped(5), {{{4, 3, 2, 1, 0}, 2}});
  EXPECT_FALSE(shell.grouped());
  EXPECT_EQ(enumerate(shell), enumerate(Shell(striped(5), 2)));
}

TEST(GroupedShell, DrawsEveryStateWithTheSameProbability) {
  const Shell shell = mixed_groups();
  test::BranchScript script;
  test::EnumeratingDraws draws(script);
  std::map<std::string, double> mass;
  test::for_each_branch(script, [&] {
    const std::string state = text(shell.draw_uniform(draws));
    mass[state] += script.probability();
  });
  ASSERT_EQ(mass.size(), 12u);
  for (const auto& [bits, p] : mass) EXPECT_NEAR(12 * p, 1, 1e-13) << bits;
}

TEST(GroupedShell, MovesGetMovableGroupsByTheirSites) {
  const Shell shell(Bits(8, 0), {{{0, 1, 2}, 1}, {{3, 4}, 2}, {{5, 6}, 1}});
  test::BranchScript script;
  test::EnumeratingDraws draws(script);
  std::map<Group, double> mass;
  test::for_each_branch(script, [&] {
    const Group group = shell.draw_group(draws);
    mass[group] += script.probability();
  });
  EXPECT_EQ(mass.size(), 2u);
  EXPECT_NEAR(mass[0], 0.6, 1e-13);
  EXPECT_NEAR(mass[2], 0.4, 1e-13);
}

TEST(GroupedShell, RefusesGroupsThatOverlapOrDoNotFit) {
  const auto message = [](const std::vector<SiteGroup>& groups) {
    return test::message_of(test::refusal([&] { Shell(Bits(4, 0), groups); }));
  };
  EXPECT_EQ(message({{{0, 1}, 1}, {{1, 2}, 1}}), "site 1 is in group 1 and in group 2");
  EXPECT_EQ(message({{{0, 0}, 1}}), "site 0 is in group 1 twice");
  EXPECT_EQ(message({{{0, 4}, 1}}), "site 4 of group 1 does not exist");
  EXPECT_EQ(message({{{0, 1}, 3}}), "distance 3 of group 1 is larger than its number of sites, 2");
  EXPECT_EQ(message({{{0}, 1}, {{}, 0}}), "group 2 has no sites");
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
