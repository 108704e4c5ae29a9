#include "support/enumerating_draws.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <vector>

#include "support/draw_doubles.hpp"

namespace nhot::test {
namespace {

template <class Run>
std::map<std::vector<std::uint64_t>, double> branches_of(Run&& run) {
  BranchScript script;
  EnumeratingDraws draws(script);
  std::map<std::vector<std::uint64_t>, double> mass;
  for_each_branch(script, [&] {
    const auto result = run(draws);
    mass[result] += script.probability();
  });
  return mass;
}

using Path = std::vector<std::uint64_t>;

TEST(EnumeratingDraws, WalksEveryBranchOfDependentDraws) {
  const auto mass = branches_of([](EnumeratingDraws& draws) {
    const std::uint64_t size = draws.below(3);
    Path path = {size};
    for (std::uint64_t k = 0; k < size; ++k) path.push_back(draws.accept(0.25));
    return path;
  });
  ASSERT_EQ(mass.size(), 7u);
  EXPECT_DOUBLE_EQ(mass.at({0}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(mass.at({1, 1}), 0.25 / 3);
  EXPECT_DOUBLE_EQ(mass.at({2, 0, 1}), 0.75 * 0.25 / 3);
  double total = 0;
  for (const auto& [path, p] : mass) total += p;
  EXPECT_NEAR(total, 1, 1e-15);
}

TEST(EnumeratingDraws, BranchesOfProbabilityZeroAreSkipped) {
  const auto mass = branches_of([](EnumeratingDraws& draws) {
    return Path{draws.accept(0.0), draws.accept(1.0), draws.accept(7.5)};
  });
  ASSERT_EQ(mass.size(), 1u);
  EXPECT_EQ(mass.at({0, 1, 1}), 1.0);
}

TEST(EnumeratingDraws, MeasuresTheStepsOfALocatedOutcome) {
  const std::vector<double> weights = {0.0, 0.3, 1e-14, 0.0, 2.0, 0.7, 0.0};
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto mass = branches_of([&](EnumeratingDraws& draws) {
    return Path{draws.locate(total, [&](double target) {
      std::uint64_t last = 0;
      for (std::uint64_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0) continue;
        last = i;
        if (target < weights[i]) return i;
        target -= weights[i];
      }
      return last;
    })};
  });
  ASSERT_EQ(mass.size(), 4u);
  for (const auto& [path, p] : mass) EXPECT_NEAR(p, weights[path[0]] / total, 4e-16);
}

TEST(EnumeratingDraws, LocatesAtTheEndsOfTheInterval) {
  // A last piece of one rounding is found because the largest draw is probed.
  const auto mass = branches_of([](EnumeratingDraws& draws) {
    return Path{draws.locate(3.0, [](double t) -> std::uint64_t { return t >= 3 - 4e-16; })};
  });
  EXPECT_EQ(mass.size(), 2u);
}

TEST(EnumeratingDraws, ThinningIsOneDrawFromItsLimit) {
  const std::vector<double> keep = {1.0, 0.0, 0.5, 0.02};
  const auto mass = branches_of([&](EnumeratingDraws& draws) {
    return Path{draws.thin(keep.size(), [&](std::uint64_t i) { return keep[i]; })};
  });
  ASSERT_EQ(mass.size(), 3u);
  for (const auto& [path, p] : mass) EXPECT_DOUBLE_EQ(p, keep[path[0]] / 1.52);
}

TEST(EnumeratingDraws, RefusesWhatASourceMayNotBeAsked) {
  const auto refused = [](auto run) {
    BranchScript script;
    EnumeratingDraws draws(script);
    EXPECT_THROW(for_each_branch(script, [&] { run(draws); }), DrawError);
  };
  refused([](EnumeratingDraws& d) { d.below(0); });
  refused([](EnumeratingDraws& d) { d.accept(std::nan("")); });
  refused([](EnumeratingDraws& d) { d.locate(0.0, [](double) { return 0u; }); });
  refused([](EnumeratingDraws& d) { d.locate(INFINITY, [](double) { return 0u; }); });
  // An outcome in two pieces.
  refused([](EnumeratingDraws& d) {
    d.locate(1.0, [](double t) { return t < 0.3 || t > 0.9 ? 0u : 1u; });
  });
  refused([](EnumeratingDraws& d) {
    d.locate(1.0, [](double t) { return t < 0.6 ? (t < 0.3 ? 0u : 1u) : (t < 0.8 ? 0u : 2u); });
  });
  // An answer at the closed end that lies before others.
  refused([](EnumeratingDraws& d) {
    d.locate(1.0, [](double t) { return t < 0.5 || t >= 1 ? 0u : 1u; });
  });
  // A rejection loop that should keep with more than certainty does not have the law it claims.
  refused([](EnumeratingDraws& d) {
    d.thin(2, [](std::uint64_t i) { return 1.0 + 0.1 * double(i); });
  });
  // Draws that depend on something else than earlier draws.
  std::uint64_t calls = 0;
  refused([&](EnumeratingDraws& d) {
    d.below(2 + calls++);
    d.below(2);
  });
}

TEST(ScriptedDraws, AnswersFromItsList) {
  ScriptedDraws draws({0.5, 0.2, 0.3, 1.0, 0.9, 0.8, 0.1, 0.1});
  EXPECT_EQ(draws.below(4), 2u);
  EXPECT_TRUE(draws.accept(0.21));
  EXPECT_FALSE(draws.accept(0.3));
  EXPECT_EQ(draws.locate(8.0, [](double t) { return t; }), 8.0);
  // Index 1 is not kept, index 0 is.
  EXPECT_EQ(draws.thin(2, [](std::uint64_t) { return 0.5; }), 0u);
  EXPECT_EQ(draws.left(), 0u);
  EXPECT_THROW(draws.below(2), std::out_of_range);
}

TEST(CountingDraws, CountsWhatItPassesOn) {
  DrawCounts counts;
  CountingDraws draws(ScriptedDraws({0.5, 0.5, 0.5}), counts);
  EXPECT_EQ(draws.below(4), 2u);
  EXPECT_TRUE(draws.accept(0.6));
  EXPECT_EQ(draws.locate(4.0, [](double t) { return t; }), 2.0);
  EXPECT_EQ(counts.below, 1u);
  EXPECT_EQ(counts.accept, 1u);
  EXPECT_EQ(counts.locate, 1u);
  EXPECT_EQ(counts.thin, 0u);
  EXPECT_EQ(counts.all(), 3u);
}

}  // namespace
}  // namespace nhot::test
