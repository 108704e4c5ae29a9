#include "nhot/run/anneal/annealing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/run/anneal/quench.hpp"
#include "nhot/run/anneal/recombine.hpp"
#include "nhot/run/walker_source.hpp"
#include "run/small_problems.hpp"
#include "support/clocks.hpp"

namespace nhot {
namespace {

using test::ExactLaw;

AnnealingPlan few_reads(std::uint64_t reads = 32) {
  AnnealingPlan plan;
  plan.reads = reads;
  return plan;
}

TEST(Anneal, FindsEnumeratedGroundStates) {
  struct Case {
    Model model;
    Site distance;
  };
  const std::vector<Case> cases = {
      {test::random_model(18, 0.5, 1), 9},       {test::random_model(20, 0.2, 2), 3},
      {test::random_model(16, 1.0, 3, true), 8}, {test::random_model(18, 0.3, 4, true, false), 7},
      {model_from_spec("rbm:9x7,seed=3"), 6},    {model_from_spec("field:18,seed=2"), 5}};
  for (const Case& c : cases) {
    const Shell shell(test::zero_shell(c.model, 4).relative(Bits(c.model.sites(), 1)), c.distance);
    const double lowest = ExactLaw(c.model, shell, 0).lowest;
    for (const Cooling cooling : {Cooling::adaptive, Cooling::linear, Cooling::geometric}) {
      AnnealingPlan plan = few_reads();
      plan.cooling = cooling;
      const AnnealingResult result = anneal(c.model, shell, plan);
      EXPECT_NEAR(result.best_energy(), lowest, 1e-9);
      EXPECT_TRUE(shell.contains(result.states.front().bits));
      EXPECT_EQ(c.model.energy(result.states.front().bits), result.best_energy());
      EXPECT_EQ(result.reads, 32U);
    }
    for (const char* move : {"swap", "im:length=1..2"}) {
      AnnealingPlan plan = few_reads();
      plan.move = move;
      EXPECT_NEAR(anneal(c.model, shell, plan).best_energy(), lowest, 1e-9) << move;
    }
    AnnealingPlan plan = few_reads(4);
    plan.population = 32;
    EXPECT_NEAR(anneal(c.model, shell, plan).best_energy(), lowest, 1e-9) << "population";
  }
}

TEST(Anneal, DoesNotDependOnTheNumberOfThreads) {
  const Model model = spin_glass({{4, 4, 4}, true}, CouplingLaw::plus_minus, 3);
  const Shell shell = test::zero_shell(model, 30);
  for (const std::size_t population : {0, 8}) {
    AnnealingPlan plan = few_reads(population ? 3 : 16);
    plan.population = population;
    plan.keep = 4;
    plan.threads = 1;
    const AnnealingResult one = anneal(model, shell, plan);
    for (const std::uint64_t threads : {2, 4}) {
      plan.threads = threads;
      const AnnealingResult other = anneal(model, shell, plan);
      ASSERT_EQ(other.states.size(), one.states.size());
      for (std::size_t k = 0; k < one.states.size(); ++k)
        EXPECT_EQ(other.states[k].energy, one.states[k].energy);
      EXPECT_EQ(other.states.front().energy, one.states.front().energy);
      EXPECT_EQ(other.sweeps, one.sweeps);
    }
  }
}

TEST(Anneal, StopsAtTheTarget) {
  const Model model = test::random_model(16, 0.5, 6);
  const Shell shell = test::zero_shell(model, 8);
  const test::SteppingClock clock(1e-4);
  AnnealingPlan plan;
  plan.seconds = 100;
  plan.threads = 1;
  plan.target = ExactLaw(model, shell, 0).lowest + 1e-9;
  const AnnealingResult result = anneal(model, shell, plan);
  EXPECT_TRUE(result.reached_target);
  EXPECT_LT(result.seconds, 50);
  EXPECT_LE(result.seconds_to_best, result.seconds);
}

TEST(Anneal, EndsWhenItsTimeIsUp) {
  const Model model = test::random_model(16, 0.5, 6);
  const test::SteppingClock clock(1e-3);
  AnnealingPlan plan;
  plan.seconds = 1;
  plan.threads = 1;
  const AnnealingResult result = anneal(model, test::zero_shell(model, 8), plan);
  EXPECT_FALSE(result.interrupted);
  EXPECT_GE(result.seconds, 1);
  // What is left when the time is up is no more than the end of one read.
  EXPECT_LT(result.seconds, 1.05);
}

TEST(Anneal, HandlesShellsOfOneState) {
  const Model model = test::random_model(6, 0.5, 6);
  for (const Site n : {0U, 6U}) {
    const AnnealingResult result = anneal(model, test::zero_shell(model, n), few_reads(2));
    EXPECT_EQ(result.best_energy(), model.energy(Bits(6, n ? 1 : 0)));
  }
}

TEST(Anneal, HandlesModelsWithoutEnergyAndExtremeScales) {
  QuadraticTerms flat;
  flat.sites = 8;
  const Model none("flat", QuadraticModel(flat));
  EXPECT_EQ(anneal(none, test::zero_shell(none, 4), few_reads(2)).best_energy(), 0);
  for (const double scale : {1e-200, 1e200}) {
    QuadraticTerms terms = test::random_model(12, 0.5, 7).quadratic()->terms();
    for (double& value : terms.linear) value *= scale;
    for (Coupling& coupling : terms.couplings) coupling.value *= scale;
    const Model model("scaled", QuadraticModel(terms));
    const Shell shell = test::zero_shell(model, 6);
    EXPECT_NEAR(anneal(model, shell, few_reads()).best_energy() / scale,
                ExactLaw(model, shell, 0).lowest / scale, 1e-9);
  }
}

// Free spins, and the price of leaving the shell, must not look like steps up for ever; nor must a
// few quiet tries of a small model look frozen.
TEST(Anneal, EndsReadsWhereTheModelFreezes) {
  const Model glass = spin_glass({{8, 8, 8}, true}, CouplingLaw::plus_minus, 1);
  for (const Site n : {100U, 256U}) {
    const AnnealingResult result = anneal(glass, test::zero_shell(glass, n), few_reads(1));
    // A step up costs at least 4: at the end less than one try in 1000 takes it.
    EXPECT_GT(std::exp(-4 * result.coldest), 1e-7) << n;
    EXPECT_LT(std::exp(-4 * result.coldest), 1e-2) << n;
  }
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Model small = test::random_model(30, 1.0, seed);
    AnnealingPlan plan = few_reads(1);
    plan.seed = seed;
    const AnnealingResult result = anneal(small, test::zero_shell(small, 5), plan);
    EXPECT_GT(result.coldest, 5 * result.hottest);
    EXPECT_LT(result.coldest, 500 * result.hottest);
  }
}

TEST(Anneal, RefusesPlansThatCannotEnd) {
  const Model model = test::random_model(6, 0.5, 6);
  const Shell shell = test::zero_shell(model, 3);
  EXPECT_THROW(anneal(model, shell, {}), InputError);
  AnnealingPlan plan = few_reads();
  plan.keep = 0;
  EXPECT_THROW(anneal(model, shell, plan), InputError);
  plan = few_reads();
  plan.hottest = 2;
  plan.coldest = 1;
  EXPECT_THROW(anneal(model, shell, plan), InputError);
  plan = few_reads();
  plan.move = "nonsense";
  EXPECT_THROW(anneal(model, shell, plan), InputError);
}

TEST(BandWalk, KeepsTrackOfEnergyAndBest) {
  for (const Model& model : {test::random_model(40, 0.2, 9, true), test::random_model(40, 0.2, 9),
                             test::random_model(40, 0.9, 9), model_from_spec("rbm:25x15,seed=1")}) {
    const Shell shell = test::zero_shell(model, 12);
    const WalkerSource source(model, shell, "auto", 1);
    const auto walker = source.make(make_stream(1, 0, 0, Purpose::test));
    RandomDraws draws(make_stream(2, 0, 0, Purpose::test));
    walker->start(shell.draw_uniform(draws));
    double lowest = walker->best_energy();
    for (int k = 0; k < 200; ++k) {
      walker->sweep(0.02 * k, 1);
      const Bits best = walker->best_bits();
      ASSERT_TRUE(shell.contains(best));
      EXPECT_NEAR(model.energy(best), walker->best_energy(), 1e-9);
      EXPECT_LE(walker->best_energy(), lowest + 1e-9);
      lowest = std::min(lowest, walker->energy());
      EXPECT_LE(walker->best_energy(), lowest + 1e-9);
    }
  }
}

TEST(Quench, StopsWhenTold) {
  const Model model = ferromagnet({{8, 8}, true});
  const Shell shell = test::zero_shell(model, 32);
  RandomDraws draws(make_stream(4, 0, 0, Purpose::test));
  const Bits start = shell.draw_uniform(draws);
  Bits bits = start;
  int rounds = 0;
  const double energy = quench(model, shell, bits, [&] { return ++rounds == 2; });
  EXPECT_EQ(rounds, 2);
  EXPECT_DOUBLE_EQ(energy, model.energy(bits));
  int changed = 0;
  for (Site i = 0; i < 64; ++i) changed += bits[i] != start[i];
  EXPECT_GT(changed, 0);
  EXPECT_LE(changed, 4) << "two exchanges";
}

TEST(Quench, EndsWhereNoExchangeHelps) {
  for (const Model& model :
       {test::random_model(24, 0.3, 10), model_from_spec("rbm:14x10,seed=1")}) {
    const Shell shell(Bits(24, 1), 9);
    RandomDraws draws(make_stream(3, 0, 0, Purpose::test));
    Bits bits = shell.draw_uniform(draws);
    const double before = model.energy(bits);
    const double energy = quench(model, shell, bits);
    EXPECT_LT(energy, before);
    EXPECT_TRUE(shell.contains(bits));
    for (Site i = 0; i < 24; ++i)
      for (Site j = 0; j < i; ++j) {
        if (bits[i] == bits[j]) continue;
        std::swap(bits[i], bits[j]);
        EXPECT_GE(model.energy(bits), energy - 1e-9);
        std::swap(bits[i], bits[j]);
      }
  }
}

TEST(Recombine, FindsTheBestChoiceOfParts) {
  RandomDraws draws(make_stream(4, 0, 0, Purpose::test));
  int improved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Model model = test::random_model(14, 0.12, 100 + seed);
    const Shell shell = test::zero_shell(model, 6);
    const Bits a = shell.draw_uniform(draws);
    Bits b = a;
    for (Bit& bit : b) bit = static_cast<Bit>(draws.below(2));  // anywhere, also off the shell
    // All choices of connected parts, by brute force: part labels by flooding.
    std::vector<int> part(14, -1);
    int parts = 0;
    for (Site i = 0; i < 14; ++i) {
      if (a[i] == b[i] || part[i] >= 0) continue;
      std::vector<Site> queue = {i};
      part[i] = parts;
      for (std::size_t q = 0; q < queue.size(); ++q)
        for (const Site j : model.quadratic()->row(queue[q]).sites)
          if (a[j] != b[j] && part[j] < 0) {
            part[j] = parts;
            queue.push_back(j);
          }
      ++parts;
    }
    double least = model.energy(a);
    for (int choice = 0; choice < 1 << parts; ++choice) {
      Bits state = a;
      for (Site i = 0; i < 14; ++i)
        if (part[i] >= 0 && (choice >> part[i] & 1)) state[i] ^= 1;
      if (shell.contains(state)) least = std::min(least, model.energy(state));
    }
    Bits result = a;
    const double gain = recombine(model, shell, result, b);
    EXPECT_TRUE(shell.contains(result));
    EXPECT_NEAR(model.energy(result), least, 1e-9);
    EXPECT_NEAR(model.energy(result) - model.energy(a), gain, 1e-9);
    improved += gain < 0;
  }
  EXPECT_GT(improved, 10);  // so that the test has seen something
}

TEST(BestStates, KeepsTheLowestInOrder) {
  BestStates best(2);
  best.offer(3, {1, 0});
  best.offer(1, {0, 1});
  best.offer(1, {0, 1});  // there already
  best.offer(2, {1, 1});
  best.offer(5, {0, 0});
  ASSERT_EQ(best.list().size(), 2U);
  EXPECT_EQ(best.list()[0].energy, 1);
  EXPECT_EQ(best.list()[1].energy, 2);
}

}  // namespace
}  // namespace nhot
