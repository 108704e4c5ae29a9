#include "nhot/run/temper/exchange.hpp"

#include <gtest/gtest.h>

#include "run/small_problems.hpp"
#include "support/draw_doubles.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot {
namespace {

using test::BranchScript;
using test::EnumeratingDraws;
using test::ExactLaw;
using test::ScriptedDraws;

// Replicas of a small shell on three rungs. A joint state is one state per replica.
class ExactExchange : public ::testing::Test {
 protected:
  const Model model = test::random_model(4, 1.0, 5);
  const Shell shell = test::zero_shell(model, 2);
  const std::vector<double> betas = {0.2, 0.7, 1.5};
  const std::vector<ExactLaw> laws = {
      {model, shell, betas[0]}, {model, shell, betas[1]}, {model, shell, betas[2]}};
  const std::size_t size = laws[0].states.size();

  double joint(const std::vector<ExactLaw>& by_rung, std::size_t a, std::size_t b,
               std::size_t c) const {
    return by_rung[0].probabilities[a] * by_rung[1].probabilities[b] * by_rung[2].probabilities[c];
  }

  // Largest change of the joint law by `rounds` rounds of exchange.
  double change(const std::vector<ExactLaw>& by_rung, int rounds) const {
    std::vector<double> before;
    std::vector<double> after(size * size * size, 0.0);
    for (std::size_t a = 0; a < size; ++a)
      for (std::size_t b = 0; b < size; ++b)
        for (std::size_t c = 0; c < size; ++c) {
          const double mass = joint(by_rung, a, b, c);
          before.push_back(mass);
          const std::vector<std::size_t> states = {a, b, c};  // replica k begins on rung k
          std::vector<double> energies;
          for (const std::size_t s : states) energies.push_back(laws[0].energies[s]);
          BranchScript script;
          EnumeratingDraws draws(script);
          do {
            ReplicaLadder ladder(betas);
            for (int round = 0; round < rounds; ++round) ladder.exchange(energies, draws);
            std::size_t index = 0;
            for (std::size_t rung = 0; rung < 3; ++rung)
              index = index * size + states[ladder.replica_at(rung)];
            after[index] += mass * script.probability();
          } while (script.next());
        }
    double largest = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
      largest = std::max(largest, std::abs(before[k] - after[k]));
    return largest;
  }
};

TEST_F(ExactExchange, KeepsTheProductLaw) {
  EXPECT_LT(change(laws, 1), 1e-14);  // even pairs
  EXPECT_LT(change(laws, 2), 1e-14);  // then odd pairs
  EXPECT_LT(change(laws, 3), 1e-14);
}

TEST_F(ExactExchange, NoticesALadderThatIsOffByTwoPercent) {
  std::vector<ExactLaw> wrong = laws;
  wrong[1] = ExactLaw(model, shell, 1.02 * betas[1]);
  EXPECT_GT(change(wrong, 1), 1e-5);
}

TEST(ReplicaLadder, TakesTurnsBetweenEvenAndOddPairs) {
  ReplicaLadder ladder({0, 1, 2, 3});
  const std::vector<double> equal(4, 0.0);
  ScriptedDraws draws(std::vector<double>(32, 0.5));
  // With equal energies every exchange is accepted, so a replica drifts to the end and back.
  std::vector<std::size_t> path;
  for (int round = 0; round < 8; ++round) {
    ladder.exchange(equal, draws);
    path.push_back(ladder.rung_of(0));
  }
  EXPECT_EQ(path, (std::vector<std::size_t>{1, 2, 3, 3, 2, 1, 0, 0}));
  EXPECT_EQ(ladder.tried(0), 4U);
  EXPECT_EQ(ladder.swapped(0), 4U);
  EXPECT_EQ(ladder.tried(1), 4U);
  EXPECT_EQ(ladder.rejection_sum(1), 0);
  for (std::size_t rung = 0; rung < 4; ++rung)
    EXPECT_EQ(ladder.rung_of(ladder.replica_at(rung)), rung);
}

TEST(ReplicaLadder, AddsUpTheProbabilityOfRejection) {
  ReplicaLadder ladder({1, 2});
  ScriptedDraws draws({0.9, 0.9, 0.9, 0.9});
  const std::vector<double> energies = {0.0, -2.0};  // the hot one is higher: no wish to exchange
  ladder.exchange(energies, draws);
  EXPECT_NEAR(ladder.rejection_sum(0), 1 - std::exp(-2.0), 1e-15);
  EXPECT_EQ(ladder.swapped(0), 0U);
  ladder.exchange(energies, draws);  // odd pairs: there are none
  EXPECT_EQ(ladder.tried(0), 1U);
}

TEST(RoundTrips, CountsAScriptedHistory) {
  RoundTrips trips(4);
  const auto walk = [&](std::size_t replica, std::initializer_list<std::size_t> rungs) {
    for (const std::size_t rung : rungs) trips.visit(replica, rung);
  };
  // Before the first time at the hot end nothing counts.
  walk(0, {2, 3, 2, 1, 0});
  for (std::size_t rung = 0; rung < 4; ++rung) EXPECT_EQ(trips.trips(rung), 0U);
  // To the cold end and back, lingering on the way: one trip.
  walk(0, {0, 1, 2, 2, 3, 3, 2, 3, 2, 1, 0, 0});
  EXPECT_EQ(trips.trips(3), 1U);
  EXPECT_EQ(trips.trips(1), 1U);
  // Half way and back twice.
  walk(0, {1, 2, 1, 0, 1, 2, 1, 0});
  EXPECT_EQ(trips.trips(3), 1U);
  EXPECT_EQ(trips.trips(2), 3U);
  EXPECT_EQ(trips.trips(1), 3U);
  // Another replica that has not come back yet.
  walk(1, {0, 1, 2, 3});
  EXPECT_EQ(trips.trips(3), 1U);
  walk(1, {2, 1, 0});
  EXPECT_EQ(trips.trips(3), 2U);
  EXPECT_EQ(trips.trips(0), 4U);
}

}  // namespace
}  // namespace nhot
