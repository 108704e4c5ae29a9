// The best states of a walk, and of all walks of nhot anneal --keep.
#include "nhot/run/visited_states.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "run/small_problems.hpp"

namespace nhot {
namespace {

/// A random walk of single flips on few sites, whose every third state counts as visited.
struct Walk {
  explicit Walk(Site sites, std::uint64_t seed)
      : model(test::random_model(sites, 0.5, seed, true)), bits(sites, 0) {}

  template <class Flip, class Visit>
  void run(int steps, Xoshiro256& engine, Flip&& flip, Visit&& visit) {
    for (int step = 0; step < steps; ++step) {
      const auto i = static_cast<Site>(engine() % bits.size());
      bits[i] ^= 1;
      flip(i);
      if (step % 3 == 0) visit(model.energy(bits));
    }
  }

  Model model;
  Bits bits;
};

std::vector<FoundState> sorted(VisitedStates& visited, const Model& model, std::size_t size) {
  BestStates best(size);
  visited.for_each([&](const Bits& bits) { best.offer(model.energy(bits), bits); });
  return best.list();
}

TEST(VisitedStates, AreTheBestOfAllThatWereVisited) {
  const std::atomic<double> no_bound{std::numeric_limits<double>::infinity()};
  for (const std::size_t size : {1, 2, 7, 100}) {
    Walk walk(10, 3);
    BestStates all(size);
    VisitedStates late(size, no_bound);
    VisitedStates at_once(size, no_bound);
    Xoshiro256 engine = make_stream(size, 0, 0, Purpose::test);
    for (int part = 0; part < 3; ++part) {  // three walks, one after the other
      late.begin(walk.bits);
      walk.run(
          500, engine, [&](Site i) { late.flip(i); },
          [&](double energy) {
            late.visit(energy);
            at_once.visit(energy, walk.bits);
            all.offer(energy, walk.bits);
          });
      walk.bits = Bits(10, static_cast<Bit>(part % 2));
    }
    for (VisitedStates* visited : {&late, &at_once}) {
      const std::vector<FoundState> found = sorted(*visited, walk.model, size);
      ASSERT_EQ(found.size(), all.list().size());
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].bits, all.list()[k].bits);
    }
  }
}

TEST(VisitedStates, ABoundLeavesOutWhatNobodyWants) {
  std::atomic<double> bound{std::numeric_limits<double>::infinity()};
  VisitedStates visited(10, bound);
  visited.visit(5, {1, 0, 0});
  bound = 3;
  visited.visit(4, {0, 1, 0});
  visited.visit(3, {0, 0, 1});
  std::vector<Bits> kept;
  visited.for_each([&](const Bits& bits) { kept.push_back(bits); });
  std::sort(kept.begin(), kept.end());
  EXPECT_EQ(kept, (std::vector<Bits>{{0, 0, 1}, {1, 0, 0}}));
}

AnnealingPlan plan_with_reads(std::uint64_t reads) {
  AnnealingPlan plan;
  plan.reads = reads;
  return plan;
}

/// The energies of the `count` lowest states of a shell, by enumeration.
std::vector<double> lowest_energies(const Model& model, const Shell& shell, std::size_t count) {
  std::vector<double> energies = test::ExactLaw(model, shell, 0).energies;
  std::sort(energies.begin(), energies.end());
  energies.resize(std::min(count, energies.size()));
  return energies;
}

/// The states are distinct, on the shell, in order, and have the energies.
void expect_states(const Model& model, const Shell& shell, const std::vector<FoundState>& states,
                   const std::vector<double>& energies) {
  ASSERT_EQ(states.size(), energies.size());
  for (std::size_t k = 0; k < states.size(); ++k) {
    EXPECT_TRUE(shell.contains(states[k].bits));
    EXPECT_EQ(model.energy(states[k].bits), states[k].energy);
    EXPECT_NEAR(states[k].energy, energies[k], 1e-9) << "state " << k;
    for (std::size_t j = 0; j < k; ++j) EXPECT_NE(states[j].bits, states[k].bits);
  }
}

TEST(Anneal, KeepsTheLowestStatesOfTheShell) {
  // The searches are so long and so warm that they visit every low state of these shells many times
  // over.
  struct Case {
    Model model;
    Site distance;
  };
  const std::vector<Case> cases = {{test::random_model(12, 0.5, 5, true), 6},
                                   {test::random_model(12, 0.5, 5), 6},
                                   {model_from_spec("ferromagnet:3x4"), 4},
                                   {model_from_spec("field:14,seed=2"), 3},
                                   {model_from_spec("rbm:7x5,seed=3"), 5}};
  for (const Case& c : cases) {
    const Shell shell(test::zero_shell(c.model, 3).relative(Bits(c.model.sites(), 1)), c.distance);
    for (const std::size_t keep : {2, 5, 40}) {
      SCOPED_TRACE(c.model.name() + ", keep " + std::to_string(keep));
      const std::vector<double> wanted = lowest_energies(c.model, shell, keep);
      for (const char* move : {"auto", "swap", "im:length=1..2"}) {
        AnnealingPlan plan = plan_with_reads(200);
        plan.sweeps = 100;
        plan.coldest = 0.3;
        plan.keep = keep;
        plan.move = move;
        SCOPED_TRACE(move);
        expect_states(c.model, shell, anneal(c.model, shell, plan).states, wanted);
      }
      AnnealingPlan plan = plan_with_reads(40);
      plan.coldest = 0.3;
      plan.keep = keep;
      plan.population = 64;
      SCOPED_TRACE("population");
      expect_states(c.model, shell, anneal(c.model, shell, plan).states, wanted);
    }
  }
}

TEST(Anneal, KeepsAllStatesOfAShellThatHasFewer) {
  const Model model = test::random_model(6, 0.5, 5);
  for (const Site distance : {0, 1, 5, 6}) {
    const Shell shell = test::zero_shell(model, distance);
    AnnealingPlan plan = plan_with_reads(32);
    plan.keep = 20;
    expect_states(model, shell, anneal(model, shell, plan).states,
                  lowest_energies(model, shell, 20));
  }
}

TEST(Anneal, FillsTheListWithGoodStatesOnLargeShells) {
  // Every read ends in the one lowest state, so the others must have been met on the way: a few
  // exchanges from it, where a start is about nine exchanges away.
  const Model model = model_from_spec("field:100,seed=1");
  const Shell shell = test::zero_shell(model, 10);
  AnnealingPlan plan = plan_with_reads(16);
  plan.keep = 5;
  const AnnealingResult result = anneal(model, shell, plan);
  ASSERT_EQ(result.states.size(), 5U);
  const Bits& best = result.states.front().bits;
  for (const FoundState& state : result.states)
    EXPECT_LE(Shell(best, 0).distance_of(state.bits), 4U) << "two exchanges";
  plan.keep = 1;
  EXPECT_EQ(anneal(model, shell, plan).states.front().bits, best);
}

}  // namespace
}  // namespace nhot
