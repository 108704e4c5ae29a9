// What pages draw beside the text: the best of the kept states, the way to the lowest energy, how
// log Z grows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nhot/model/generators.hpp"
#include "nhot/result/found_states.hpp"
#include "nhot/result/temper.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {
namespace {

ChainFactory field() {
  return {model_from_spec("field:9,seed=2"), Shell(Bits(9, 0), 3), "swap", 1};
}

TEST(BestKeptStates, AreDistinctAndCounted) {
  Trace trace;
  trace.chains.resize(2);
  trace.chains[0].energy = {3, 1, 2};
  trace.chains[1].energy = {1, 1, 5};
  trace.state_draws = {0, 1, 2};
  const Bits a = {1, 0, 0};
  const Bits b = {0, 1, 0};
  const Bits c = {0, 0, 1};
  trace.states = {{PackedBits(b), PackedBits(a), PackedBits(c)},
                  {PackedBits(a), PackedBits(a), PackedBits(b)}};
  const std::vector<KeptState> found = best_kept_states(trace, {0.5, Bits{1, 1, 0}, 0}, 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].found.energy, 0.5);
  EXPECT_EQ(found[0].share, 0);  // only offered
  EXPECT_EQ(found[1].found.bits, a);
  EXPECT_DOUBLE_EQ(found[1].share, 0.5);
  EXPECT_EQ(found[2].found.bits, c);
  EXPECT_DOUBLE_EQ(found[2].share, 1.0 / 6);
  EXPECT_TRUE(best_kept_states(Trace(), {}, 3).empty());
}

TEST(Trajectory, FallsToTheBest) {
  const Model model = model_from_spec("spin-glass:4x4x4,seed=3");
  AnnealingPlan plan;
  plan.reads = 16;
  plan.threads = 2;
  const AnnealingResult result = anneal(model, Shell(Bits(64, 0), 32), plan);
  ASSERT_GE(result.trajectory.size(), 2U);
  for (std::size_t k = 1; k < result.trajectory.size(); ++k) {
    EXPECT_LT(result.trajectory[k].energy, result.trajectory[k - 1].energy);
    EXPECT_GE(result.trajectory[k].seconds, result.trajectory[k - 1].seconds);
  }
  EXPECT_EQ(result.trajectory.back().energy, result.best_energy());
  EXPECT_EQ(result.trajectory.back().seconds, result.seconds_to_best);
}

TEST(Trajectory, GoesOnInARunThatGoesOn) {
  const Model model = model_from_spec("spin-glass:4x4x4,seed=3");
  AnnealingPlan plan;
  plan.reads = 16;
  MemoryStore store;
  RunHooks hooks;
  hooks.store = &store;
  const AnnealingResult first = anneal(model, Shell(Bits(64, 0), 32), plan, hooks);
  plan.reads = 32;
  const AnnealingResult whole = anneal(model, Shell(Bits(64, 0), 32), plan, hooks);
  ASSERT_GE(whole.trajectory.size(), first.trajectory.size());
  EXPECT_EQ(whole.trajectory.front().energy, first.trajectory.front().energy);
  EXPECT_EQ(whole.trajectory.back().energy, whole.best_energy());
}

TEST(LogZAlong, BeginsWithTheStatesAndEndsWithTheEstimates) {
  for (const PartitionMethod method : {PartitionMethod::smc, PartitionMethod::ais}) {
    PartitionPlan plan;
    plan.method = method;
    plan.populations = 4;
    MemoryStore store;
    RunHooks hooks;
    hooks.store = &store;
    const PartitionResult result = estimate_partition(field(), plan, hooks);
    ASSERT_EQ(result.log_z_along.size(), 4U);
    for (std::size_t p = 0; p < 4; ++p) {
      ASSERT_EQ(result.log_z_along[p].size(), result.betas.size());
      EXPECT_DOUBLE_EQ(result.log_z_along[p].front(), result.log_states);
      EXPECT_DOUBLE_EQ(result.log_z_along[p].back(), result.log_z_of[p]);
    }
    // What was saved is what comes back, and a checkpoint without it leaves it open.
    EXPECT_EQ(estimate_partition(field(), plan, hooks).log_z_along, result.log_z_along);
    store.erase("path of population 2");
    const PartitionResult older = estimate_partition(field(), plan, hooks);
    EXPECT_TRUE(older.log_z_along.empty());
    EXPECT_EQ(older.log_z_of, result.log_z_of);
  }
}

TEST(LogZAlong, OfIntegrationAddsUp) {
  PartitionPlan plan;
  plan.method = PartitionMethod::ti;
  plan.populations = 2;
  plan.seconds = 0.05;
  const PartitionResult result = estimate_partition(field(), plan);
  ASSERT_EQ(result.log_z_along.size(), result.log_z_of.size());
  for (std::size_t c = 0; c < result.log_z_of.size(); ++c)
    EXPECT_NEAR(result.log_z_along[c].back(), result.log_z_of[c], 1e-9);
}

TEST(LadderRecord, HasARowForEveryTemperature) {
  TemperingPlan plan;
  plan.moves = 200;
  plan.betas = {0, 0.5, 1};
  const TemperResult result = temper(field(), plan);
  const LadderRecord& ladder = result.report.target.run.ladder;
  const TextRows rows = ladder_rows(ladder, 1);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[3].front(), "1 *");
  EXPECT_EQ(rows[3][2], "-");  // no next row to swap with
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

}  // namespace
}  // namespace nhot
