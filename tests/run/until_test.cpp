// Runs that end when they are good enough: where they are looked at, and that neither threads nor
// clocks nor stops leave a trace in where they end.
#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/sample/looks.hpp"
#include "support/clocks.hpp"

namespace nhot {
namespace {

ChainFactory until_factory() {
  return {model_from_spec("spin-glass:4x4,seed=3"), Shell(Bits(16, 0), 6), "im:length=1..3", 0.8};
}

RunPlan plan_until() {
  RunPlan plan;
  plan.chains = 3;
  plan.threads = 1;
  plan.moves = 1'000'000;
  plan.max_draws = 500;  // so that draws are dropped before the end
  plan.until = StopRule{};
  return plan;
}

/// Answers looks from a script, and notes where they were; after its end, yes.
struct Script {
  std::string answers;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> looks = {};  // kept draws, moves

  RunHooks hooks() {
    RunHooks hooks;
    hooks.enough = [this](const RunResult& now) {
      looks.emplace_back(now.trace.draws(), now.moves);
      EXPECT_EQ(now.moves, now.trace.draws() * now.trace.thin);
      return looks.size() > answers.size() || answers[looks.size() - 1] == 'y';
    };
    return hooks;
  }
};

void expect_same_run(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.moves, b.moves);
  EXPECT_EQ(a.warmup_moves, b.warmup_moves);
  EXPECT_EQ(a.trace.thin, b.trace.thin);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.enough, b.enough);
  ASSERT_EQ(a.trace.chains.size(), b.trace.chains.size());
  for (std::size_t c = 0; c < a.trace.chains.size(); ++c) {
    EXPECT_EQ(a.trace.chains[c].energy, b.trace.chains[c].energy);
    EXPECT_EQ(a.warmup.chains[c].energy, b.warmup.chains[c].energy);
  }
  EXPECT_EQ(a.trace.state_draws, b.trace.state_draws);
}

TEST(Looks, GrowByTheRootOfTwo) {
  std::vector<std::uint64_t> looks;
  for (std::uint64_t draws = 0; looks.size() < 8;) looks.push_back(draws = look_after(draws));
  EXPECT_EQ(looks, (std::vector<std::uint64_t>{150, 213, 300, 424, 600, 849, 1200, 1697}));
  EXPECT_TRUE(is_look(424));
  EXPECT_FALSE(is_look(0) || is_look(423) || is_look(425));
  EXPECT_EQ(stage_end(0), 32U);
  EXPECT_EQ(stage_end(31), 32U);
  EXPECT_EQ(stage_end(32), 96U);
  EXPECT_EQ(stage_end(95), 96U);
  EXPECT_EQ(stage_end(96), 224U);
}

TEST(Looks, AStageThatFallsIsNotLevel) {
  Trace warmup;
  warmup.chains.resize(2);
  for (ChainColumns& chain : warmup.chains)
    for (int d = 0; d < 96; ++d) chain.energy.push_back(d % 2);
  EXPECT_TRUE(is_level(warmup));
  Trace falling = warmup;  // by one standard deviation from half to half of the last stage
  for (ChainColumns& chain : falling.chains)
    for (std::size_t d = 64; d < 96; ++d) chain.energy[d] -= 0.5;
  EXPECT_FALSE(is_level(falling));
  Trace before = warmup;  // the stage before does not count
  for (ChainColumns& chain : before.chains)
    for (std::size_t d = 0; d < 32; ++d) chain.energy[d] += 100;
  EXPECT_TRUE(is_level(before));
}

TEST(UntilEnough, EndsAtTheSecondYesInARow) {
  for (const auto& [answers, looks] : {std::pair{"nyny", 5U}, {"yny", 4U}, {"yy", 2U}}) {
    Script script{answers};
    const RunResult result = run_independent(until_factory(), plan_until(), script.hooks());
    EXPECT_TRUE(result.enough);
    EXPECT_EQ(result.looks, looks) << answers;
    EXPECT_EQ(script.looks.size(), looks);
    EXPECT_EQ(script.looks.back().second, result.moves);
  }
}

TEST(UntilEnough, EndsAtItsLimitOtherwise) {
  RunPlan plan = plan_until();
  plan.moves = 7001;
  Script script{std::string(100, 'n')};
  const RunResult result = run_independent(until_factory(), plan, script.hooks());
  EXPECT_FALSE(result.enough);
  EXPECT_EQ(result.moves, 7001U);
  EXPECT_LE(result.warmup_moves, 716U);  // a tenth, and the moves that count steps
  EXPECT_LT(result.trace.draws(), 500U);
  EXPECT_GT(result.trace.thin, 1U);
}

TEST(UntilEnough, DoesNotDependOnThreadsOrTheClock) {
  RunPlan plan = plan_until();
  Script script{"nnnnnnn"};
  const RunResult one = run_independent(until_factory(), plan, script.hooks());
  ASSERT_TRUE(one.enough);
  ASSERT_GT(one.trace.thin, 1U);
  plan.threads = 3;
  Script again{script.answers};
  expect_same_run(one, run_independent(until_factory(), plan, again.hooks()));
  EXPECT_EQ(script.looks, again.looks);
  plan.moves.reset();
  plan.seconds = 1e6;
  for (const double step : {1e-4, 0.07}) {  // how long rounds are
    const test::SteppingClock clock(step);
    Script by_time{script.answers};
    expect_same_run(one, run_independent(until_factory(), plan, by_time.hooks()));
    EXPECT_EQ(script.looks, by_time.looks);
  }
}

TEST(UntilEnough, AResumedRunEndsWhereTheWholeOneDoes) {
  Script whole_script{"nyny"};  // and yes from then on: the fifth look ends it
  const RunPlan plan = plan_until();
  const RunResult whole = run_independent(until_factory(), plan, whole_script.hooks());
  ASSERT_TRUE(whole.enough);
  for (int stop_after = 0; stop_after < 60; stop_after += 3) {
    SCOPED_TRACE(stop_after);
    const test::SteppingClock clock(0.02);  // rounds of a few draws
    Script script{whole_script.answers};
    RunHooks hooks = script.hooks();
    int asked = 0;
    hooks.stop = [&] { return ++asked > stop_after; };
    RunResult part = run_independent(until_factory(), plan, hooks);
    ASSERT_TRUE(part.interrupted || part.enough);
    for (int parts = 0; part.interrupted && parts < 1000; ++parts) {
      RunPlan rest = plan;
      RunCheckpoint checkpoint =
          checkpoint_from(to_metadata(part.checkpoint), part.checkpoint.chains);
      rest.resume = std::make_shared<const StoppedRun>(
          StoppedRun{std::move(checkpoint), part.warmup, part.trace});
      asked = parts % 2 ? -40 : 0;
      part = run_independent(until_factory(), rest, hooks);
    }
    expect_same_run(whole, part);
    EXPECT_EQ(whole_script.looks, script.looks);
  }
}

}  // namespace
}  // namespace nhot
