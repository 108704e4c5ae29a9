// The best state of a report: the lowest of all draws, on the shell, with the energy it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "nhot/model/generators.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/temper.hpp"

namespace nhot {
namespace {

/// Neither all zeros nor all ones.
Bits striped(Site sites) {
  Bits bits(sites, 0);
  for (Site i = 0; i < sites; ++i) bits[i] = i % 3 == 1;
  return bits;
}

/// Energies above zero, so that no default of zero passes for one of them.
Model raised() {
  QuadraticTerms terms = model_from_spec("field:12,seed=4").quadratic()->terms();
  terms.offset = 100;
  return {"raised", QuadraticModel(std::move(terms))};
}

std::vector<ChainFactory> problems() {
  std::vector<ChainFactory> list;
  const auto add = [&](const Model& model, const std::string& move) {
    const Site sites = model.sites();
    list.emplace_back(model, Shell(striped(sites), sites / 2 - 1), move, 0.6);
  };
  add(model_from_spec("ferromagnet:4x4"), "im:length=1..3");
  add(model_from_spec("spin-glass:4x4,couplings=gaussian,seed=3"), "swap");
  add(model_from_spec("spin-glass:4x4,couplings=gaussian,seed=3"), "im:length=1..4");
  add(model_from_spec("rbm:9x7,seed=2"), "im:length=1..3");
  add(model_from_spec("field:14,seed=5"), "0.5*im:length=1..2 + 0.5*swap");
  add(raised(), "swap");
  return list;
}

double lowest(const Trace& trace) {
  double least = std::numeric_limits<double>::infinity();
  for (const ChainColumns& chain : trace.chains)
    for (const double energy : chain.energy) least = std::min(least, energy);
  return least;
}

void expect_state(const FoundState& found, const ChainFactory& factory) {
  const Shell& shell = factory.shell();
  ASSERT_EQ(found.bits.size(), shell.sites());
  Site apart = 0;
  for (Site i = 0; i < shell.sites(); ++i) apart += found.bits[i] != shell.reference()[i];
  EXPECT_EQ(apart, shell.distance());
  EXPECT_EQ(found.energy, factory.model().energy(found.bits));
}

RunPlan plan_of(std::uint64_t seed) {
  RunPlan plan;
  plan.chains = 2;
  plan.threads = 1;
  plan.seed = seed;
  plan.moves = 90;
  plan.warmup = 0;
  plan.thin = 1;
  plan.states = 90;
  return plan;
}

/// The lowest of all draws that a run has taken, also of those that thinning drops later.
struct LowestDraw final : TraceSink {
  void append_warmup(const Trace&) override {}
  void append(const Trace& block) override { energy = std::min(energy, lowest(block)); }
  void replace(const Trace&) override { ++replaced; }
  double energy = std::numeric_limits<double>::infinity();
  int replaced = 0;
};

TEST(BestState, IsTheLowestOfAllDraws) {
  for (const ChainFactory& factory : problems())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(factory.model().name() + " " + factory.move() + " seed " + std::to_string(seed));
      RunPlan plan = plan_of(seed);
      const SampleResult all = sample(factory, plan);
      ASSERT_EQ(all.run.trace.state_draws.size(), 90U);
      EXPECT_EQ(all.report.best_state.energy, lowest(all.run.trace));
      expect_state(all.report.best_state, factory);
      for (const std::uint64_t states : {0U, 4U}) {  // whichever states are kept besides
        plan.states = states;
        const SampleResult some = sample(factory, plan);
        ASSERT_LE(some.run.trace.state_draws.size(), states);
        EXPECT_EQ(some.report.best_state.energy, all.report.best_state.energy);
        expect_state(some.report.best_state, factory);
      }
    }
}

TEST(BestState, IsKeptWhenThinningDropsItsDraw) {
  int dropped = 0;
  for (const ChainFactory& factory : problems())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(factory.model().name() + " " + factory.move() + " seed " + std::to_string(seed));
      // Two parts: most draws of the first make room for those of the second.
      RunPlan plan = plan_of(seed);
      plan.thin = 0;
      plan.max_draws = 60;
      plan.moves = 60;
      LowestDraw drawn;
      RunHooks hooks;
      hooks.sink = &drawn;
      const SampleResult first = sample(factory, plan, hooks);
      EXPECT_EQ(first.report.best_state.energy, drawn.energy);
      plan.resume = std::make_shared<const StoppedRun>(
          StoppedRun{first.run.checkpoint, first.run.warmup, first.run.trace});
      plan.moves = 200;
      const SampleResult both = sample(factory, plan, hooks);
      ASSERT_GT(drawn.replaced, 0);
      ASSERT_EQ(both.run.trace.thin, 8U);
      EXPECT_EQ(both.report.best_state.energy, drawn.energy);
      EXPECT_LE(both.report.best_state.energy, lowest(both.run.trace));
      expect_state(both.report.best_state, factory);
      dropped += both.report.best_state.energy < lowest(both.run.trace);
    }
  EXPECT_GT(dropped, 10);
}

TEST(BestState, OfTemperIsTheLowestAtTheTarget) {
  int lower_elsewhere = 0;
  for (const ChainFactory& factory : problems())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(factory.model().name() + " " + factory.move() + " seed " + std::to_string(seed));
      TemperingPlan plan;
      plan.chains = 2;
      plan.threads = 1;
      plan.seed = seed;
      plan.moves = 40;
      plan.warmup = 0;
      plan.sweep = 2;
      plan.thin = 2;
      plan.states = 20;
      plan.betas = {0.1, 0.6, 1.5};  // the target is in the middle
      const TemperResult result = temper(factory, plan);
      ASSERT_EQ(result.run.target, 1U);
      const Trace& target = result.run.rungs[1].trace;
      ASSERT_EQ(target.draws(), 20U);
      ASSERT_EQ(target.state_draws.size(), 20U);
      EXPECT_EQ(result.report.target.best_state.energy, lowest(target));
      expect_state(result.report.target.best_state, factory);
      lower_elsewhere += lowest(result.run.rungs[2].trace) < lowest(target);
    }
  EXPECT_GT(lower_elsewhere, 10);
}

}  // namespace
}  // namespace nhot
