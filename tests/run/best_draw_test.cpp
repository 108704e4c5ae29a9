// The best draw of a run that was stopped and went on: the best of both parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "nhot/model/generators.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {
namespace {

RunPlan plan_of(std::uint64_t seed, std::uint64_t moves) {
  RunPlan plan;
  plan.chains = 2;
  plan.threads = 1;
  plan.seed = seed;
  plan.moves = moves;
  plan.warmup = 20;
  plan.thin = 3;
  plan.states = 0;  // so that no kept state stands in for it
  return plan;
}

double lowest_draw(const Trace& trace, std::size_t begin, std::size_t end) {
  double least = std::numeric_limits<double>::infinity();
  for (const ChainColumns& chain : trace.chains)
    for (std::size_t d = begin; d < end; ++d) least = std::min(least, chain.energy[d]);
  return least;
}

void expect_best(const RunCheckpoint& checkpoint, const ChainFactory& factory, double energy) {
  EXPECT_EQ(checkpoint.best_draw_energy, energy);
  ASSERT_EQ(checkpoint.best_draw.size(), factory.model().sites());
  EXPECT_EQ(factory.model().energy(checkpoint.best_draw.unpacked()), energy);
}

TEST(BestDraw, OfAResumedRunIsTheBestOfBothParts) {
  const ChainFactory factory(model_from_spec("spin-glass:4x5,couplings=gaussian,seed=2"),
                             Shell(Bits(20, 1), 9), "im:length=1..3", 0.3);
  int in_first = 0;
  int in_second = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    for (const bool as_text : {false, true}) {  // in one process, and as a file has it
      SCOPED_TRACE(std::to_string(seed) + (as_text ? " as text" : ""));
      const RunResult first = run_independent(factory, plan_of(seed, 60));
      const double before = lowest_draw(first.trace, 0, 20);
      expect_best(first.checkpoint, factory, before);
      RunPlan plan = plan_of(seed, 60);
      RunCheckpoint from = first.checkpoint;
      if (as_text) from = checkpoint_from(to_metadata(from), from.chains);
      plan.resume = std::make_shared<const StoppedRun>(
          StoppedRun{std::move(from), first.warmup, first.trace});
      const RunResult both = run_independent(factory, plan);
      ASSERT_EQ(both.trace.draws(), 40U);
      const double after = lowest_draw(both.trace, 20, 40);
      expect_best(both.checkpoint, factory, std::min(before, after));
      in_first += before < after;
      in_second += after < before;
    }
    const RunResult whole = run_independent(factory, plan_of(seed, 120));
    expect_best(whole.checkpoint, factory, lowest_draw(whole.trace, 0, 40));
  }
  EXPECT_GT(in_first, 10);
  EXPECT_GT(in_second, 10);
}

TEST(BestDraw, IsNoneBeforeTheFirstDrawAndIsNotLostByARunThatAddsNone) {
  const ChainFactory factory(model_from_spec("field:12,seed=3"), Shell(Bits(12, 0), 5), "swap", 1);
  RunPlan plan = plan_of(1, 30);
  RunHooks hooks;
  hooks.stop = [] { return true; };
  const RunResult warming = run_independent(factory, plan, hooks);
  ASSERT_TRUE(warming.interrupted);
  ASSERT_EQ(warming.trace.draws(), 0U);
  EXPECT_TRUE(warming.checkpoint.best_draw.empty());
  const RunResult first = run_independent(factory, plan);
  plan.moves = 2;
  plan.resume =
      std::make_shared<const StoppedRun>(StoppedRun{first.checkpoint, first.warmup, first.trace});
  const RunResult both = run_independent(factory, plan);
  ASSERT_EQ(both.trace.draws(), 10U);
  expect_best(both.checkpoint, factory, lowest_draw(first.trace, 0, 10));
}

}  // namespace
}  // namespace nhot
