// Tempering runs that are stopped and go on: half and half is the whole, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "nhot/base/bytes.hpp"
#include "nhot/run/temper/tempered_ladder.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "run/tempering_runs.hpp"

namespace nhot::tempering_resume {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
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
    EXPECT_EQ(a.observables[k].series, b.observables[k].series) << a.observables[k].name;
  EXPECT_EQ(a.state_draws, b.state_draws);
  EXPECT_EQ(a.states, b.states);
}

/// Everything but times.
void expect_same(const TemperingResult& a, const TemperingResult& b) {
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.ladder_trips, b.ladder_trips);
  EXPECT_EQ(a.moves, b.moves);
  EXPECT_EQ(a.warmup_moves, b.warmup_moves);
  EXPECT_EQ(a.sweep, b.sweep);
  EXPECT_EQ(a.exchanges, b.exchanges);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.best_energy, b.best_energy);
  ASSERT_EQ(a.rungs.size(), b.rungs.size());
  for (std::size_t k = 0; k < a.rungs.size(); ++k) {
    SCOPED_TRACE("rung " + std::to_string(k));
    EXPECT_EQ(a.rungs[k].beta, b.rungs[k].beta);
    EXPECT_EQ(a.rungs[k].acceptance, b.rungs[k].acceptance);
    EXPECT_EQ(a.rungs[k].barrier, b.rungs[k].barrier);
    EXPECT_EQ(a.rungs[k].round_trips, b.rungs[k].round_trips);
    EXPECT_TRUE(same_bits(a.rungs[k].swap_rate, b.rungs[k].swap_rate));
    EXPECT_TRUE(same_bits(a.rungs[k].cluster_rate, b.rungs[k].cluster_rate));
    expect_same(a.rungs[k].trace, b.rungs[k].trace);
  }
}

struct Kind {
  bool placed;
  bool isocluster;
  bool weights = false;
};

ChainFactory factory_of(const Kind& kind, const std::string& move) {
  if (!kind.weights) return make_factory(move);
  const Model model = test::random_rbm(12, 8, 3, 4);
  return {model, test::zero_shell(model, 7), move, 0.5};
}

TemperingPlan plan_of(const Kind& kind, std::uint64_t moves) {
  TemperingPlan plan = make_plan(moves, kind.placed, kind.isocluster);
  if (kind.weights) plan.path = LadderPath::weights;
  return plan;
}

class TemperingKinds : public testing::TestWithParam<Kind> {};

std::string name_of(const testing::TestParamInfo<Kind>& kind) {
  return std::string(kind.param.placed ? "Placed" : "Given") +
         (kind.param.isocluster ? "WithClusters" : "") + (kind.param.weights ? "Weights" : "");
}

INSTANTIATE_TEST_SUITE_P(Resume, TemperingKinds,
                         testing::Values(Kind{false, false}, Kind{false, true}, Kind{true, false},
                                         Kind{true, true}, Kind{false, false, true},
                                         Kind{true, false, true}),
                         name_of);

TEST_P(TemperingKinds, HalfAndHalfIsTheWhole) {
  const ChainFactory factory = factory_of(GetParam(), "im:length=1..3");
  TemperingPlan plan = plan_of(GetParam(), 1500);
  const TemperingResult whole = run_tempering(factory, plan);
  ASSERT_GT(whole.rungs.size(), 2U);
  ASSERT_GT(whole.ladder_trips.front(), 0U);
  for (const std::uint64_t half : {1U, 70U, 750U, 1498U}) {
    SCOPED_TRACE(half);
    plan.moves = half;
    plan.threads = 1;
    TemperingResult result = run_tempering(factory, plan);
    plan.threads = 2;
    result = go_on(factory, plan, result, 1500 - half);
    expect_same(whole, result);
  }
}

// A run that was resumed measures no pace at first, so it does one round and asks whether to stop.
// Here it always is: the run is broken after every round of warm-up and sampling.
TEST_P(TemperingKinds, BrokenAfterEveryRoundItIsTheWhole) {
  const ChainFactory factory = factory_of(GetParam(), "0.7*im:length=1..3 + 0.3*swap");
  TemperingPlan plan = plan_of(GetParam(), 400);
  const TemperingResult whole = run_tempering(factory, plan);
  TemperingResult result;
  std::size_t calls = 0;
  do {
    int asked = 0;
    TemperingHooks hooks;
    hooks.stop = [&] { return ++asked > 1; };
    plan.threads = 1 + calls % 2;
    plan.moves = 400 - (calls > 0 ? result.checkpoint.moves : 0);
    plan.resume = calls > 0 ? stopped(result) : nullptr;
    result = run_tempering(factory, plan, hooks);
    ++calls;
    ASSERT_LT(calls, 300U);
  } while (result.interrupted);
  EXPECT_EQ(calls, 120U + 58U);
  expect_same(whole, result);
}

TEST(TemperingResume, ComparisonsCanFail) {
  const ChainFactory factory = make_factory();
  const TemperingPlan plan = make_plan(700, false, true);
  const TemperingResult whole = run_tempering(factory, plan);
  TemperingPlan half = plan;
  half.moves = 350;
  const TemperingResult part = run_tempering(factory, half);
  EXPECT_EQ(go_on(factory, plan, part, 350).rungs[1].trace.chains[2].energy,
            whole.rungs[1].trace.chains[2].energy);
  // One bit of the last byte of the run's archive counts the cluster exchanges of the last rung;
  // one of the generator of the choice of clusters changes the draws.
  half.resume = stopped(part);
  auto other = std::make_shared<StoppedTempering>(*half.resume);
  std::vector<std::byte>& archive = other->checkpoint.ladders[2];
  const std::size_t counts = 2 * (8 + 4 * 8);  // of tried and changed
  archive[archive.size() - counts - 1] ^= std::byte{1};
  half.resume = other;
  EXPECT_NE(run_tempering(factory, half).rungs[1].trace.chains[2].energy,
            whole.rungs[1].trace.chains[2].energy);
}

// A ladder that grows after it was restored makes its replicas where the first ones began: their
// energies count for the lowest one.
TEST(TemperedLadder, KnowsWhereItStarted) {
  const ChainFactory factory = make_factory();
  Bits start(36);  // about the highest energy: a checkerboard with one site less
  for (Site i = 0; i < 36; ++i) start[i] = (i / 6 + i) % 2;
  start[1] = 0;
  const RungLaws laws(factory, LadderPath::temperatures);
  TemperedLadder ladder(factory, laws, 1, 0, &start);
  ladder.place({0.5});
  ByteWriter out;
  ladder.save(out);
  TemperedLadder copy(factory, laws, 1, 0, nullptr);
  const std::vector<std::byte> archive = out.take();
  ByteReader in(archive);
  copy.restore(in);
  for (TemperedLadder* each : {&ladder, &copy}) each->place({0.1, 0.5});
  EXPECT_EQ(ladder.best_energy(), factory.model().energy(start));
  EXPECT_EQ(copy.best_energy(), ladder.best_energy());
  TemperedLadder other(factory, laws, 1, 0, nullptr);
  other.place({0.1, 0.5});
  EXPECT_LT(other.best_energy(), ladder.best_energy());
}

TEST(TemperingResume, TellsNothingOfAWarmUp) {
  const ChainFactory factory = make_factory();
  TemperingHooks hooks;
  hooks.stop = [asked = 0]() mutable { return ++asked > 2; };
  const TemperingResult part = run_tempering(factory, make_plan(100, false, false), hooks);
  ASSERT_TRUE(part.interrupted);
  EXPECT_EQ(part.moves, 0U);
  EXPECT_GT(part.warmup_moves, 0U);
  EXPECT_EQ(part.steps, 0U);
  EXPECT_EQ(part.rungs[0].acceptance, 0);
}

TEST(TemperingResume, LongerRunsAreThinnedAsOneRunWouldBe) {
  const ChainFactory factory = make_factory();
  TemperingPlan plan = make_plan(7 * 400, false, false);
  plan.thin = 0;
  plan.max_draws = 100;
  const TemperingResult whole = run_tempering(factory, plan);
  EXPECT_EQ(whole.rungs[0].trace.thin, 4U * 7);
  plan.moves = 7 * 75;
  TemperingResult part = run_tempering(factory, plan);
  EXPECT_EQ(part.rungs[0].trace.thin, 7U);
  // An odd number of draws is halved on the way; the last of them belongs to the next draw.
  part = go_on(factory, plan, part, 7 * 26);
  EXPECT_EQ(part.rungs[0].trace.thin, 2U * 7);
  part = go_on(factory, plan, part, 7 * 299);
  for (std::size_t k = 0; k < 4; ++k) {
    const Trace& a = whole.rungs[k].trace;
    const Trace& b = part.rungs[k].trace;
    EXPECT_EQ(b.thin, 4U * 7);
    ASSERT_EQ(b.draws(), 100U);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(a.chains[c].energy, b.chains[c].energy);
      for (std::size_t d = 0; d < 100; ++d)
        EXPECT_NEAR(a.chains[c].acceptance_rate[d], b.chains[c].acceptance_rate[d], 1e-12);
    }
  }
}

TEST(TemperingResume, KeepsNoMoreStatesThanAskedFor) {
  const ChainFactory factory = make_factory();
  TemperingPlan plan = make_plan(7 * 200, false, false);
  plan.thin = 7;
  plan.states = 16;
  TemperingResult result = run_tempering(factory, plan);
  for (int k = 0; k < 3; ++k) {
    const Trace& trace = result.rungs[result.target].trace;
    EXPECT_LE(trace.state_draws.size(), 16U);
    EXPECT_GE(trace.state_draws.size(), 8U);
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t s = 0; s < trace.state_draws.size(); ++s)
        EXPECT_EQ(factory.model().energy(trace.states[c][s].unpacked()),
                  trace.chains[c].energy[trace.state_draws[s]]);
    result = go_on(factory, plan, result, 7 * 200);
  }
}

// Ends once a checkpoint has come and some draws after it, however long that takes.
TEST(TemperingResume, HandsOutCheckpointsThatFitTheDraws) {
  struct Sink final : RungSink {
    void append_rungs(const std::vector<Trace>& blocks, std::size_t) override {
      rungs.resize(blocks.size());
      for (std::size_t k = 0; k < blocks.size(); ++k) rungs[k].append(blocks[k]);
    }
    void replace_rungs(const std::vector<Trace>& wholes, std::size_t) override { rungs = wholes; }
    std::vector<Trace> rungs;
  };
  const ChainFactory factory = make_factory("swap");
  TemperingPlan plan = make_plan(1'000'000'000'000, true, false);
  plan.thin = 7 * 500;
  Sink sink;
  auto middle = std::make_shared<StoppedTempering>();
  TemperingHooks hooks;
  hooks.sink = &sink;
  hooks.checkpoint = [&](TemperingCheckpoint checkpoint) {
    if (checkpoint.draws == 0 || !middle->rungs.empty()) return;
    ASSERT_EQ(checkpoint.draws, sink.rungs.front().draws());
    *middle = {std::move(checkpoint), sink.rungs};
  };
  hooks.stop = [&] {
    return !middle->rungs.empty() && sink.rungs[0].draws() > middle->rungs[0].draws() + 3;
  };
  const TemperingResult whole = run_tempering(factory, plan, hooks);
  plan.moves = whole.checkpoint.moves - middle->checkpoint.moves;
  plan.resume = middle;
  Sink again;
  TemperingHooks rest;
  rest.sink = &again;
  const TemperingResult result = run_tempering(factory, plan, rest);
  expect_same(whole, result);
  // The second sink has got everything, the old draws first.
  for (std::size_t k = 0; k < result.rungs.size(); ++k)
    expect_same(again.rungs[k], result.rungs[k].trace);
}

}  // namespace
}  // namespace nhot::tempering_resume
