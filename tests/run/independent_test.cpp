// Runs of independent chains: what they keep, that threads and stops leave no trace in the numbers.
#include "nhot/run/sample/independent.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "support/clocks.hpp"

namespace nhot {
namespace {

/// Of the clock by hand: a run of four seconds looks at it often enough for ten rounds or so.
constexpr double seconds_per_look = 0.05;

ChainFactory make_factory(const std::string& move = "im:length=1..3") {
  Model model = model_from_spec("spin-glass:4x4,seed=3");
  Shell shell(Bits(16, 0), 6);
  return {std::move(model), std::move(shell), move, 0.8};
}

RunPlan make_plan(std::uint64_t moves, std::uint64_t thin) {
  RunPlan plan;
  plan.chains = 3;
  plan.threads = 1;
  plan.moves = moves;
  plan.warmup = 50;
  plan.thin = thin;
  return plan;
}

void expect_same(const Trace& a, const Trace& b) {
  EXPECT_EQ(a.thin, b.thin);
  ASSERT_EQ(a.chains.size(), b.chains.size());
  for (std::size_t c = 0; c < a.chains.size(); ++c) {
    EXPECT_EQ(a.chains[c].energy, b.chains[c].energy);
    EXPECT_EQ(a.chains[c].accepted, b.chains[c].accepted);
    EXPECT_EQ(a.chains[c].acceptance_rate, b.chains[c].acceptance_rate);
    EXPECT_EQ(a.chains[c].saw_length, b.chains[c].saw_length);
    EXPECT_EQ(a.chains[c].hamming_move, b.chains[c].hamming_move);
  }
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t k = 0; k < a.observables.size(); ++k)
    EXPECT_EQ(a.observables[k].series, b.observables[k].series);
}

std::shared_ptr<const StoppedRun> stopped(const RunResult& result) {
  // Through the texts of a file, as the command line does it.
  RunCheckpoint checkpoint =
      checkpoint_from(to_metadata(result.checkpoint), result.checkpoint.chains);
  return std::make_shared<const StoppedRun>(
      StoppedRun{std::move(checkpoint), result.warmup, result.trace});
}

TEST(IndependentRun, KeepsTheDrawsItWasAskedFor) {
  const RunResult result = run_independent(make_factory(), make_plan(103, 10));
  EXPECT_EQ(result.moves, 103U);
  EXPECT_EQ(result.warmup_moves, 50U);
  EXPECT_EQ(result.trace.draws(), 10U);
  EXPECT_EQ(result.warmup.draws(), 5U);
  EXPECT_EQ(result.checkpoint.since_draw, 3U);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.chain_acceptance.size(), 3U);
}

TEST(IndependentRun, DoesNotDependOnThreads) {
  RunPlan plan = make_plan(400, 3);
  plan.chains = 5;
  const RunResult one = run_independent(make_factory(), plan);
  for (const std::uint64_t threads : {2U, 3U, 5U}) {
    plan.threads = threads;
    const RunResult other = run_independent(make_factory(), plan);
    expect_same(one.trace, other.trace);
    EXPECT_EQ(one.steps, other.steps);
    EXPECT_EQ(one.best_energy, other.best_energy);
  }
}

TEST(IndependentRun, HalfAndHalfIsTheWhole) {
  for (const char* move : {"swap", "kawasaki", "im:length=1..3", "im:length=2,engine=tree",
                           "0.5*im:length=1 + 0.5*swap"}) {
    for (const std::uint64_t thin : {1U, 7U}) {
      SCOPED_TRACE(std::string(move) + " thin " + std::to_string(thin));
      const ChainFactory factory = make_factory(move);
      const RunResult whole = run_independent(factory, make_plan(300, thin));
      RunPlan plan = make_plan(100, thin);
      RunResult part = run_independent(factory, plan);
      // 100 is no multiple of 7, and 2 + 198 leaves a part shorter than a draw.
      for (const std::uint64_t moves : {2U, 198U}) {
        plan.moves = moves;
        plan.resume = stopped(part);
        part = run_independent(factory, plan);
      }
      expect_same(whole.trace, part.trace);
      expect_same(whole.warmup, part.warmup);
      EXPECT_EQ(whole.moves, part.moves);
      EXPECT_EQ(whole.steps, part.steps);
      EXPECT_EQ(whole.accepted, part.accepted);
      EXPECT_EQ(whole.best_energy, part.best_energy);
    }
  }
}

TEST(IndependentRun, ADroppedMoveIsSeen) {
  // The comparison above can fail: a run resumed one move late has other draws.
  const ChainFactory factory = make_factory();
  const RunResult whole = run_independent(factory, make_plan(300, 7));
  RunPlan plan = make_plan(100, 7);
  const RunResult part = run_independent(factory, plan);
  auto late = std::make_shared<StoppedRun>(*stopped(part));
  ++late->checkpoint.since_draw;
  plan.moves = 199;
  plan.resume = late;
  EXPECT_NE(run_independent(factory, plan).trace.chains[0].energy, whole.trace.chains[0].energy);
}

TEST(IndependentRun, StoppedAnywhereItGoesOn) {
  const ChainFactory factory = make_factory();
  const RunPlan plan = make_plan(2000, 4);
  const RunResult whole = run_independent(factory, plan);
  for (const int rounds : {0, 1, 2, 3}) {  // in the warm-up, and at its end
    SCOPED_TRACE(rounds);
    int asked = 0;
    RunHooks hooks;
    hooks.stop = [&] { return ++asked > rounds; };
    RunResult result = run_independent(factory, plan, hooks);
    ASSERT_TRUE(result.interrupted);
    RunPlan rest = plan;
    rest.moves = *plan.moves - result.moves;
    rest.resume = stopped(result);
    result = run_independent(factory, rest);
    expect_same(whole.trace, result.trace);
    expect_same(whole.warmup, result.warmup);
    EXPECT_EQ(whole.moves, result.moves);
    EXPECT_EQ(whole.warmup_moves, result.warmup_moves);
  }
}

/// What the warm-up says of the moves decides how a run is thinned: all of it, not the part since
/// it was resumed.
TEST(IndependentRun, AResumedWarmupLeadsToTheSameDraws) {
  const ChainFactory factory = make_factory("im:length=3");
  RunPlan plan = make_plan(20'000, 0);
  plan.warmup = 2000;
  const RunResult whole = run_independent(factory, plan);
  EXPECT_EQ(whole.trace.thin, 2U);
  bool enough = false;
  RunHooks hooks;
  hooks.progress = [&](const RunProgress& p) { enough = p.warming && p.moves >= 1000; };
  hooks.stop = [&] { return enough; };
  RunResult result = [&] {
    const test::SteppingClock clock(seconds_per_look);
    return run_independent(factory, plan, hooks);
  }();
  ASSERT_TRUE(result.interrupted);
  ASSERT_EQ(result.moves, 0U);
  ASSERT_LT(result.warmup_moves, 2000U);
  RunPlan rest = plan;
  rest.resume = stopped(result);
  result = run_independent(factory, rest);
  expect_same(whole.trace, result.trace);
}

TEST(IndependentRun, ThinsALongerRunAsOneRunWouldBe) {
  const ChainFactory factory = make_factory();
  RunPlan plan = make_plan(400, 0);
  plan.max_draws = 100;
  const RunResult whole = run_independent(factory, plan);
  EXPECT_EQ(whole.trace.thin, 4U);
  plan.moves = 75;
  RunResult part = run_independent(factory, plan);
  EXPECT_EQ(part.trace.thin, 1U);
  for (const std::uint64_t moves : {26U, 299U}) {
    plan.moves = moves;
    plan.resume = stopped(part);
    part = run_independent(factory, plan);
  }
  // An odd number of draws was halved on the way; the last of them belongs to the next draw.
  EXPECT_EQ(part.trace.thin, 4U);
  ASSERT_EQ(part.trace.draws(), whole.trace.draws());
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_EQ(part.trace.chains[c].energy, whole.trace.chains[c].energy);
    for (std::size_t d = 0; d < 100; ++d)
      EXPECT_NEAR(part.trace.chains[c].acceptance_rate[d], whole.trace.chains[c].acceptance_rate[d],
                  1e-12);
  }
}

TEST(IndependentRun, ClockedRunsKeepEvenlySpacedDraws) {
  // Thinned again and again while they go on, they end with what a run by moves keeps. By this
  // clock recording takes as long as moving, so that there are fewer draws than there is room for.
  const ChainFactory factory = make_factory("swap");
  RunPlan plan = make_plan(0, 0);
  plan.moves.reset();
  plan.seconds = 100;
  plan.warmup = 0;
  plan.max_draws = 50;
  const RunResult clocked = [&] {
    const test::SteppingClock clock(seconds_per_look);
    return run_independent(factory, plan);
  }();
  EXPECT_GE(clocked.seconds, 100);
  EXPECT_LT(clocked.seconds, 100 + 100 * seconds_per_look);
  EXPECT_GT(clocked.trace.thin, 4U);
  EXPECT_LT(clocked.trace.draws(), 50U);
  EXPECT_GE(clocked.trace.draws(), 8U);
  EXPECT_GT(clocked.recording_seconds, 0);
  EXPECT_LT(clocked.recording_seconds, 0.1 * clocked.cpu_seconds);
  RunPlan counted = make_plan(clocked.trace.draws() * clocked.trace.thin, clocked.trace.thin);
  counted.warmup = 0;
  expect_same(run_independent(factory, counted).trace, clocked.trace);
}

TEST(IndependentRun, KeepsNoMoreStatesThanAskedFor) {
  const ChainFactory factory = make_factory();
  RunPlan plan = make_plan(1000, 1);
  plan.states = 16;
  RunResult result = run_independent(factory, plan);
  EXPECT_GT(result.trace.state_draws.size(), 8U);
  for (int k = 0; k < 3; ++k) {
    plan.resume = stopped(result);
    result = run_independent(factory, plan);
    EXPECT_LE(result.trace.state_draws.size(), 16U);
    EXPECT_GE(result.trace.state_draws.size(), 8U);
  }
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t s = 0; s < result.trace.state_draws.size(); ++s)
      EXPECT_EQ(factory.model().energy(result.trace.states[c][s].unpacked()),
                result.trace.chains[c].energy[result.trace.state_draws[s]]);
}

TEST(IndependentRun, HandsOutCheckpointsThatFitTheDraws) {
  struct Sink final : TraceSink {
    void append_warmup(const Trace& block) override { warmup.append(block); }
    void append(const Trace& block) override { trace.append(block); }
    void replace(const Trace& whole) override { trace = whole; }
    Trace warmup;
    Trace trace;
  };
  const ChainFactory factory = make_factory("swap");
  RunPlan plan = make_plan(1, 7);
  plan.moves.reset();
  plan.seconds = 8;
  Sink sink;
  std::shared_ptr<const StoppedRun> middle;
  RunHooks hooks;
  hooks.sink = &sink;
  hooks.checkpoint = [&](RunCheckpoint checkpoint) {
    if (middle || sink.trace.draws() == 0) return;
    EXPECT_EQ(checkpoint.moves, sink.trace.draws() * sink.trace.thin + checkpoint.since_draw);
    middle = std::make_shared<const StoppedRun>(
        StoppedRun{std::move(checkpoint), sink.warmup, sink.trace});
  };
  const RunResult whole = [&] {
    const test::SteppingClock clock(seconds_per_look);
    return run_independent(factory, plan, hooks);
  }();
  ASSERT_TRUE(middle);
  EXPECT_LT(middle->checkpoint.moves, whole.moves);
  RunPlan rest = make_plan(whole.moves - middle->checkpoint.moves, 7);
  rest.resume = middle;
  expect_same(run_independent(factory, rest).trace, whole.trace);
}

TEST(IndependentRun, RefusesPlansThatMakeNoSense) {
  const ChainFactory factory = make_factory();
  RunPlan plan = make_plan(10, 1);
  plan.seconds = 1;
  EXPECT_THROW(run_independent(factory, plan), InputError);
  plan.moves.reset();
  plan.seconds.reset();
  EXPECT_THROW(run_independent(factory, plan), InputError);
  plan = make_plan(10, 1);
  plan.chains = 0;
  EXPECT_THROW(run_independent(factory, plan), InputError);
  plan = make_plan(10, 1);
  plan.resume = stopped(run_independent(factory, plan));
  plan.chains = 2;
  EXPECT_THROW(run_independent(factory, plan), InputError);
}

TEST(RunCheckpoint, RefusesWhatIsNotOne) {
  const RunResult result = run_independent(make_factory(), make_plan(10, 3));
  Metadata metadata = to_metadata(result.checkpoint);
  for (std::size_t k = 0; k < metadata.size(); ++k) {
    Metadata cut = metadata;
    cut.erase(cut.begin() + static_cast<std::ptrdiff_t>(k));
    if (metadata[k].first != "best_draw") {  // files of earlier versions have none
      EXPECT_THROW(checkpoint_from(cut, result.checkpoint.chains), InputError) << metadata[k].first;
    }
    Metadata wrong = metadata;
    wrong[k].second = "-x";
    EXPECT_THROW(checkpoint_from(wrong, result.checkpoint.chains), InputError) << metadata[k].first;
  }
  EXPECT_THROW(checkpoint_from(metadata, {}), InputError);
}

}  // namespace
}  // namespace nhot
