// Mixtures of moves, chains of two moves, and which states can be reached.
#include <gtest/gtest.h>

#include <set>

#include "exact/instances.hpp"
#include "nhot/base/error.hpp"
#include "nhot/run/tune/tuning.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

ExactCase middle_case(const Instance& instance) {
  return ExactCase(instance.model, instance.kernel, mixed_reference(instance.model.sites()), 2,
                   0.7);
}

TEST(Mixtures, KeepTheLaw) {
  for (const Instance& instance : exact_instances()) {
    const ExactCase with = middle_case(instance);
    for (const std::string& engine : engines_for(instance.kernel))
      for (const std::string move :
           {"0.7*im:length=1..2,engine=E + 0.3*swap",
            "im:length=1,gamma=0.3,engine=E + 2*im:length=2,gamma=beta,bias=exp,engine=E",
            "im:length=1,gamma-up=0.2,gamma-down=beta,engine=E + swap + kawasaki",
            "1e-3*swap + kawasaki + 1e+1*im:length=1,gamma=0.5beta/beta,engine=E"}) {
        std::string text = move;
        for (std::size_t at; (at = text.find("=E")) != std::string::npos;)
          text.replace(at, 2, "=" + engine);
        const ExactErrors errors = with.check(text);
        EXPECT_TRUE(errors.passed())
            << instance.name << " " << text << ": " << errors.stationarity << " " << errors.row_sum;
      }
  }
}

// Whatever a search may end with is an ordinary move: all that it has tried keep the law.
TEST(Mixtures, ThatASearchTriesKeepTheLaw) {
  std::size_t checked = 0;
  std::size_t mixtures = 0;
  for (const Instance& instance : exact_instances()) {
    const ExactCase with = middle_case(instance);
    TuningPlan plan;
    plan.seconds = 0.01;
    plan.objective = TuneObjective::count;
    const TuningResult result = run_tuning(instance.model, *with.shell(), 0.7, plan);
    std::set<std::string> moves = {result.move};
    for (const TrialEntry& trial : result.search.trials) moves.insert(trial.move);
    for (const std::string& move : moves) {
      ExactErrors errors;
      try {
        errors = with.check(move);
      } catch (const InputError&) {
        continue;  // an engine that this kernel does not have
      }
      ++checked;
      if (move.find('*') != std::string::npos) ++mixtures;
      EXPECT_TRUE(errors.passed())
          << instance.name << " " << move << ": " << errors.stationarity << " " << errors.row_sum;
    }
  }
  EXPECT_GE(checked, 100u);
  EXPECT_GE(mixtures, 20u);
}

TEST(Mixtures, AreTheWeightedMeanOfTheirMoves) {
  const ExactCase with(ring_model(), "integer", mixed_reference(6), 2, 0.7);
  const TransitionMatrix im = with.matrix("im:length=1..2");
  const TransitionMatrix swap = with.matrix("swap");
  TransitionMatrix mean(im.size());
  for (std::size_t i = 0; i < im.size(); ++i)
    for (std::size_t j = 0; j < im.size(); ++j) mean(i, j) = 0.7 * im(i, j) + 0.3 * swap(i, j);
  EXPECT_LE(largest_difference(with.matrix("0.7*im:length=1..2 + 0.3*swap"), mean), 1e-14);
  EXPECT_LE(largest_difference(with.matrix("7*im:length=1..2 + 3*swap"), mean), 1e-14);
  // A set of moves is a move: half a mixture and half one of its moves.
  for (std::size_t i = 0; i < im.size(); ++i)
    for (std::size_t j = 0; j < im.size(); ++j) mean(i, j) = (mean(i, j) + swap(i, j)) / 2;
  EXPECT_LE(largest_difference(with.matrix("(7*im:length=1..2 + 3*swap) + swap"), mean), 1e-14);
}

// Two moves in a row, without rebuilding in between: what an accepted or a taken-back move leaves
// behind serves the next one as a fresh state would.
TEST(TwoMoves, AreTheSquareOfOne) {
  for (const Instance& instance : exact_instances()) {
    const ExactCase with = middle_case(instance);
    const auto check = [&](const std::string& move) {
      const TransitionMatrix one = with.matrix(move);
      EXPECT_LE(largest_difference(with.matrix(move, 2), product(one, one)), exact_tolerance)
          << instance.name << "/" << instance.kernel << " " << move;
    };
    check("swap");
    check("kawasaki");
    for (const std::string& engine : engines_for(instance.kernel)) {
      check("im:length=1,gamma=0.3,order=up-down,engine=" + engine);
      check("im:length=1,gamma-up=0.2,gamma-down=beta,bias=exp,order=down-up,engine=" + engine);
      check("im:length=1,bias=min,order=up-down,engine=" + engine + " + swap");
    }
  }
}

TEST(Reach, SwapAndIntraclusterReachEveryState) {
  for (const Instance& instance : exact_instances()) {
    const ExactCase with = middle_case(instance);
    EXPECT_TRUE(is_irreducible(with.matrix("swap")));
    for (const char* move : {"im:length=1,order=up-down", "im:length=1,order=down-up,bias=exp",
                             "im:length=2,order=random", "im:length=2,order=up-down,bias=min"})
      EXPECT_TRUE(is_irreducible(with.matrix(move))) << instance.name << " " << move;
  }
}

TEST(Reach, KawasakiReachesEveryStateOfAConnectedGraph) {
  for (const Instance& instance : exact_instances()) {
    const ExactCase with = middle_case(instance);
    const ChainSetup setup = with.setup("kawasaki");
    EXPECT_EQ(setup.unreachable_reason().empty(), instance.connected) << instance.name;
    EXPECT_EQ(is_irreducible(with.matrix("kawasaki")), instance.connected) << instance.name;
    if (instance.connected) continue;
    EXPECT_NE(setup.unreachable_reason().find("not irreducible"), std::string::npos);
    EXPECT_NE(setup.unreachable_reason().find("3 connected components"), std::string::npos);
    // Mixed with swap, as it advises, it does.
    EXPECT_TRUE(is_irreducible(with.matrix("kawasaki + swap")));
    EXPECT_EQ(with.setup("kawasaki + swap").unreachable_reason(), "");
  }
}

}  // namespace
}  // namespace nhot::test
