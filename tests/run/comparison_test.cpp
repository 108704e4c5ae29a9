#include "nhot/run/compare/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "support/clocks.hpp"

namespace nhot {
namespace {

/// CPU time of a block of draws, whatever is in it. A slice is longer than that.
constexpr double block_seconds = 0.004;

class Comparison : public ::testing::Test {
 protected:
  Comparison() : model_(ferromagnet({{8, 8}, true})), shell_(Bits(64, 0), 32) {}

  ChainFactory factory(const char* move) const { return {model_, shell_, move, 0.4}; }

  Model model_;
  Shell shell_;
};

TEST_F(Comparison, OthersGetTheTimeOfTheFirst) {
  const test::SteppingClock clock(block_seconds);
  const ChainFactory im = factory("im:length=1..8");
  const ChainFactory swap = factory("swap");
  ComparisonPlan plan;
  plan.chains = 3;
  plan.threads = 1;
  const auto results = run_comparison({{"im", &im, 20000}, {"swap", &swap, 0}}, plan);
  ASSERT_EQ(results.size(), 2U);
  for (std::size_t c = 0; c < 3; ++c) {
    // Chain by chain, to the block that is on the way when the time is up.
    const double first = results[0].chain_seconds.at(c);
    EXPECT_GT(first, 20 * block_seconds);
    EXPECT_GE(results[1].chain_seconds.at(c), first * (1 - 1e-12));
    EXPECT_LE(results[1].chain_seconds.at(c), first + block_seconds);
    for (const ContestantResult& r : results)
      EXPECT_LE(r.draw_seconds(c, r.warmup_draws() + r.run.trace.draws() - 1),
                r.chain_seconds.at(c) * (1 + 1e-12));
  }
}

TEST_F(Comparison, SecondsAreOfEveryContestant) {
  const test::SteppingClock clock(block_seconds);
  const ChainFactory im = factory("im:length=1..8");
  const ChainFactory swap = factory("swap");
  const ChainFactory kawasaki = factory("kawasaki");
  ComparisonPlan plan;
  plan.chains = 2;
  plan.threads = 1;
  plan.seconds = 4;
  const auto results =
      run_comparison({{"im", &im, 0}, {"swap", &swap, 0}, {"kawasaki", &kawasaki, 0}}, plan);
  const std::vector<double>& first = results[0].chain_seconds;
  EXPECT_GT(first.at(0), 20 * block_seconds);
  for (const ContestantResult& result : results)
    for (std::size_t c = 0; c < 2; ++c)
      EXPECT_NEAR(result.chain_seconds.at(c), first.at(c), block_seconds) << result.name;
}

TEST_F(Comparison, NumbersOfMovesGiveTheSameDrawsOnAnyThreads) {
  const ChainFactory im = factory("im:length=2,engine=classes");  // takes turns on one thread
  const ChainFactory swap = factory("swap");
  ComparisonPlan plan;
  plan.chains = 4;
  plan.max_draws = 128;
  plan.threads = 1;
  const auto once = run_comparison({{"im", &im, 3001}, {"swap", &swap, 700}}, plan);
  plan.threads = 3;
  const auto again = run_comparison({{"im", &im, 3001}, {"swap", &swap, 700}}, plan);
  for (std::size_t k = 0; k < 2; ++k) {
    const RunResult& a = once[k].run;
    const RunResult& b = again[k].run;
    EXPECT_EQ(a.moves + a.warmup_moves, k == 0 ? 3001U : 700U);
    EXPECT_EQ(a.accepted, b.accepted);
    EXPECT_EQ(a.steps, b.steps);
    ASSERT_EQ(a.trace.draws(), b.trace.draws());
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(a.trace.chains[c].energy, b.trace.chains[c].energy);
      EXPECT_EQ(a.trace.states[c], b.trace.states[c]);
    }
  }
}

TEST_F(Comparison, TheChainIsTheOneThatItsStreamMakes) {
  const ChainFactory swap = factory("swap");
  ComparisonPlan plan;
  plan.chains = 2;
  plan.seed = 9;
  plan.max_draws = 64;
  const auto results = run_comparison({{"swap", &swap, 640}}, plan);
  RandomDraws draws(make_stream(9, 0, 1, Purpose::start));
  const auto chain = swap.make(make_stream(9, 0, 1, Purpose::moves), shell_.draw_uniform(draws));
  const RunResult& run = results[0].run;
  ASSERT_EQ(run.trace.thin, 10U);
  for (std::size_t d = 0; d < 64; ++d) {
    chain->advance(10);
    const std::size_t warm = run.warmup.draws();
    EXPECT_EQ(d < warm ? run.warmup.chains[1].energy[d] : run.trace.chains[1].energy[d - warm],
              chain->energy());
  }
  EXPECT_NEAR(static_cast<double>(run.warmup.draws()), 6.4, 1);
}

TEST_F(Comparison, StatesAndObservablesBelongToTheirDraws) {
  const ChainFactory swap = factory("swap");
  ComparisonPlan plan;
  plan.chains = 2;
  plan.max_states = 20;
  const auto results = run_comparison({{"swap", &swap, 5000}}, plan);
  const Trace& trace = results[0].run.trace;
  ASSERT_FALSE(trace.state_draws.empty());
  ASSERT_EQ(trace.observables.size(), 2U);  // slowest_mode and overlap
  EXPECT_EQ(trace.observables[0].series[0].size(), trace.states[0].size());
  EXPECT_EQ(trace.observables[1].series.size(), 1U);
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t s = 0; s < trace.state_draws.size(); ++s)
      EXPECT_DOUBLE_EQ(model_.energy(trace.states[c][s].unpacked()),
                       trace.chains[c].energy[trace.state_draws[s]]);
}

TEST_F(Comparison, StopsWhenAsked) {
  const ChainFactory swap = factory("swap");
  ComparisonPlan plan;
  plan.seconds = 600;
  int looks = 0;
  ComparisonHooks hooks;
  hooks.stop = [&] { return ++looks > 2; };
  const auto results = run_comparison({{"swap", &swap, 0}}, plan, hooks);
  EXPECT_TRUE(results[0].run.interrupted);
  EXPECT_GT(results[0].run.moves, 0U);

  hooks.stop = [] { return true; };  // before anything was done
  const auto nothing = run_comparison({{"swap", &swap, 0}}, plan, hooks);
  EXPECT_TRUE(nothing[0].run.interrupted);
  EXPECT_EQ(nothing[0].run.moves, 0U);
  EXPECT_EQ(nothing[0].run.trace.draws(), 0U);
}

TEST_F(Comparison, RefusesWhatCannotEnd) {
  const ChainFactory swap = factory("swap");
  EXPECT_THROW(run_comparison({}, {}), InputError);
  EXPECT_THROW(run_comparison({{"swap", &swap, 0}}, {}), InputError);
  ComparisonPlan plan;
  plan.chains = 0;
  EXPECT_THROW(run_comparison({{"swap", &swap, 10}}, plan), InputError);
}

}  // namespace
}  // namespace nhot
