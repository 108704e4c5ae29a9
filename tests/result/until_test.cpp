// sample() with a stop rule, and what is advised where a run has not converged.
#include <gtest/gtest.h>

#include <algorithm>

#include "nhot/model/generators.hpp"
#include "nhot/result/sample.hpp"

namespace nhot {
namespace {

RunPlan limited_plan(std::uint64_t moves) {
  RunPlan plan;
  plan.threads = 1;
  plan.moves = moves;
  return plan;
}

/// All chosen sites in one clique or in the other: chains stay where they begin.
ChainFactory two_cliques() {
  QuadraticTerms terms;
  terms.sites = 24;
  terms.convention = Convention::binary;
  for (Site i = 0; i < 24; ++i)
    for (Site j = i + 1; j < 24; ++j)
      if (i / 12 == j / 12) terms.couplings.push_back({i, j, -1.0});
  return {Model("cliques", QuadraticModel(std::move(terms))), Shell(Bits(24, 0), 12), "swap", 2};
}

TEST(StopRule, EndsWithTheEffectiveDrawsAskedFor) {
  const ChainFactory factory(model_from_spec("field:40,seed=2"), Shell(Bits(40, 0), 8), "im", 1);
  RunPlan plan = limited_plan(10'000'000);
  std::uint64_t moves = 0;
  for (const double ess : {0.0, 2500.0}) {
    plan.until = StopRule{ess};
    const SampleResult result = sample(factory, plan);
    ASSERT_TRUE(result.report.stop && result.report.stop->reached);
    EXPECT_TRUE(result.report.verdict.converged);
    EXPECT_GE(result.report.stop->looks, 2U);
    for (const ObservableReport& observable : result.report.observables)
      EXPECT_GE(std::min(observable.summary.ess_bulk, observable.summary.ess_tail),
                std::max(ess, 200.0))
          << observable.name;
    EXPECT_GT(result.run.moves, moves);
    moves = result.run.moves;
    EXPECT_LT(moves, 1'000'000U);
    EXPECT_TRUE(result.report.advice.empty());
    EXPECT_NE(find_fact(facts_of(result.report), "stop"), nullptr);
    EXPECT_NE(to_text(result.report, TextLayout()).find("when it had converged"),
              std::string::npos);
  }
}

TEST(StopRule, ATrapIsNotConverged) {
  RunPlan plan = limited_plan(8'000);
  plan.until = StopRule{};
  int split = 0;
  for (plan.seed = 1; plan.seed <= 5; ++plan.seed) {
    const SampleResult result = sample(two_cliques(), plan);
    int first = 0;  // chains in the first clique
    for (const auto& states : result.run.trace.states) {
      const Bits bits = states.back().unpacked();
      first += std::count(bits.begin(), bits.begin() + 12, Bit{1}) > 6;
    }
    if (first == 0 || first == 4) continue;
    ++split;
    EXPECT_FALSE(result.report.stop->reached);
    EXPECT_EQ(result.run.moves, 8'000U);
    EXPECT_NE(result.report.advice.find("Longer chains will not help"), std::string::npos)
        << result.report.advice;
    EXPECT_TRUE(result.report.verdict.trapped);
  }
  EXPECT_GE(split, 2);
}

TEST(Advice, SaysAboutHowMuchLonger) {
  const ChainFactory factory(model_from_spec("ferromagnet:12x12"), Shell(Bits(144, 0), 72), "swap",
                             0.35);
  const SampleResult brief = sample(factory, limited_plan(60'000));
  ASSERT_FALSE(brief.report.verdict.converged);
  ASSERT_FALSE(brief.report.verdict.trapped);
  const double times = brief.report.verdict.longer;
  EXPECT_GT(times, 1);
  EXPECT_LT(times, 100);
  EXPECT_NE(brief.report.advice.find("times as long would do"), std::string::npos);
  // Twice what is said is enough, a quarter is not.
  const auto moves = [&](double share) {
    return static_cast<std::uint64_t>(share * times * 60'000);
  };
  EXPECT_TRUE(sample(factory, limited_plan(moves(2))).report.verdict.converged);
  if (times > 5) {
    EXPECT_FALSE(sample(factory, limited_plan(moves(0.25))).report.verdict.converged);
  }
}

}  // namespace
}  // namespace nhot
