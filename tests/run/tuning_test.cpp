// Searches on models: what they end with, and what the run that follows owes them.
#include "nhot/run/tune/tuning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "nhot/base/error.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

Shell half_shell(const Model& model) { return {Bits(model.sites(), 0), model.sites() / 2}; }

TuningPlan counted(double seconds, std::uint64_t seed = 1) {
  TuningPlan plan;
  plan.seconds = seconds;
  plan.seed = seed;
  plan.objective = TuneObjective::count;
  return plan;
}

// Costs are nominal, so that a search is a function of its seed.
TEST(Tuning, ByCountsIsTheSameForAnyNumberOfThreads) {
  const Model model = model_from_spec("spin-glass:6x6,seed=2");
  TuningPlan plan = counted(0.3);
  plan.threads = 1;
  const TuningResult one = run_tuning(model, half_shell(model), 0.7, plan);
  plan.threads = 3;
  const TuningResult three = run_tuning(model, half_shell(model), 0.7, plan);
  EXPECT_EQ(one.move, three.move);
  ASSERT_EQ(one.values.size(), three.values.size());
  for (std::size_t k = 0; k < one.values.size(); ++k)
    EXPECT_EQ(one.values[k].log_rate, three.values[k].log_rate) << one.search.trials[k].move;
}

TEST(Tuning, ChoosesAMoveThatFitsAnyModel) {
  for (const char* const name : {"ferromagnet:6x6", "spin-glass:3x3x3,couplings=gaussian,seed=1",
                                 "field:40,seed=1", "rbm:6x4,seed=1", "ferromagnet:2x2"}) {
    const Model model = model_from_spec(name);
    for (const double beta : {0.0, 0.5, 3.0}) {
      const TuningResult result = run_tuning(model, half_shell(model), beta, counted(0.02));
      const ChainFactory factory(model, half_shell(model), result.move, beta);
      EXPECT_EQ(factory.move(), result.move) << name;
      EXPECT_TRUE(factory.unreachable_reason().empty()) << name << " " << result.move;
    }
  }
}

TEST(Tuning, WorksOnShellsWithNothingToChoose) {
  const Model model = model_from_spec("field:10,seed=1");
  for (const Site distance : {0, 1, 9, 10}) {
    const Shell shell(Bits(10, 0), distance);
    const TuningResult result = run_tuning(model, shell, 1, counted(0.02));
    EXPECT_NO_THROW(ChainFactory(model, shell, result.move, 1)) << distance << " " << result.move;
  }
}

TEST(Tuning, SaysWhenChainsDoNotMix) {
  // Valleys of a cold glass; a lattice whose slowest mode takes as long as a trial; easy sites.
  const Model glass = model_from_spec("spin-glass:5x5x5,seed=1");
  const Model lattice = model_from_spec("ferromagnet:30x30");
  const Model easy = model_from_spec("field:60,seed=1");
  int missed = 0;
  int false_alarms = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const TuningResult cold = run_tuning(glass, half_shell(glass), 4, counted(0.1, seed));
    if (cold.trapped.empty()) ++missed;
    EXPECT_TRUE(std::isnan(cold.ess_per_second())) << seed;
    const TuningResult slow = run_tuning(lattice, half_shell(lattice), 0.44, counted(0.1, seed));
    if (!slow.trapped.empty()) ++false_alarms;
    const TuningResult warm = run_tuning(easy, half_shell(easy), 1, counted(0.1, seed));
    if (!warm.trapped.empty()) ++false_alarms;
    EXPECT_GT(warm.ess_per_second(), 0) << seed;
  }
  std::printf("trapped: missed %d of 8, called so without being %d of 16\n", missed, false_alarms);
  EXPECT_EQ(missed, 0);
  EXPECT_LE(false_alarms, 1);  // one in a hundred of such short searches on the lattice
}

TEST(Tuning, EndsWhenAsked) {
  const Model model = model_from_spec("ferromagnet:10x10");
  TuningHooks hooks;
  int asked = 0;
  hooks.stop = [&] { return ++asked > 6; };
  double last = 0;
  hooks.progress = [&](const TuningProgress& now) {
    EXPECT_GE(now.fraction, last);
    EXPECT_LE(now.fraction, 1);
    last = now.fraction;
  };
  const TuningResult result = run_tuning(model, half_shell(model), 0.4, counted(100), hooks);
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(last, 1);
  EXPECT_NO_THROW(ChainFactory(model, half_shell(model), result.move, 0.4));
}

// A budget of less than a move: nothing is known, and nothing is chosen.
TEST(Tuning, LeavesTheDefaultWhereTimeIsTooShort) {
  const Model model = model_from_spec("ferromagnet:60x60");
  const TuningResult result = run_tuning(model, half_shell(model), 0.4, counted(1e-9));
  EXPECT_TRUE(result.search.last.empty());
  EXPECT_EQ(result.move, ChainFactory(model, half_shell(model), untuned_move, 0.4).move());
  EXPECT_TRUE(std::isnan(result.ess_per_second()));
}

TEST(Tuning, RefusesPlansThatMeasureNothing) {
  const Model model = model_from_spec("field:10,seed=1");
  TuningPlan plan;
  plan.seconds = 0;
  EXPECT_THROW(run_tuning(model, half_shell(model), 1, plan), InputError);
  plan.seconds = 1;
  plan.chains = 1;
  EXPECT_THROW(run_tuning(model, half_shell(model), 1, plan), InputError);
}

}  // namespace
}  // namespace nhot
