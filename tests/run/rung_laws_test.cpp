#include "nhot/run/temper/rung_laws.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/temper/exchange.hpp"
#include "nhot/run/temper/tempered_ladder.hpp"
#include "run/small_problems.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot {
namespace {

using test::BranchScript;
using test::EnumeratingDraws;
using test::ExactLaw;

constexpr double target_beta = 1.3;

void one_by_one(std::size_t count, const std::function<void(std::size_t)>& task) {
  for (std::size_t k = 0; k < count; ++k) task(k);
}

// Replicas of a small RBM on three rungs of the path of weights. A joint state is one state per
// rung.
class WeightsPath : public ::testing::Test {
 protected:
  WeightsPath() { laws.place(betas, one_by_one); }

  // What the chain of a rung gives exchanges to compare, in every state of the shell.
  std::vector<double> exchanged(std::size_t rung) const {
    std::vector<double> energies;
    for (const Bits& bits : own[0].states)
      energies.push_back(laws.exchanged_energy(
          *laws.factory(rung).make(make_stream(1, 0, 0, Purpose::test), bits), rung));
    return energies;
  }

  // Largest change of the joint law by `rounds` rounds of exchange that compare these energies.
  double change(const std::vector<std::vector<double>>& by_rung, int rounds) const {
    const std::size_t size = own[0].states.size();
    std::vector<double> before;
    std::vector<double> after(size * size * size, 0.0);
    for (std::size_t joint = 0; joint < after.size(); ++joint) {
      const std::size_t states[] = {joint / size / size, joint / size % size, joint % size};
      double mass = 1;
      std::vector<double> energies;
      for (std::size_t k = 0; k < 3; ++k) {
        mass *= own[k].probabilities[states[k]];
        energies.push_back(by_rung[k][states[k]]);
      }
      before.push_back(mass);
      BranchScript script;
      EnumeratingDraws draws(script);
      do {
        ReplicaLadder ladder(betas);
        for (int round = 0; round < rounds; ++round) ladder.exchange(energies, draws);
        std::size_t index = 0;
        for (std::size_t k = 0; k < 3; ++k) index = index * size + states[ladder.replica_at(k)];
        after[index] += mass * script.probability();
      } while (script.next());
    }
    double largest = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
      largest = std::max(largest, std::abs(before[k] - after[k]));
    return largest;
  }

  const Model model = test::random_rbm(3, 2, 5);
  const Shell shell = test::zero_shell(model, 2);
  const ChainFactory target{model, shell, "swap", target_beta};
  const std::vector<double> betas = {0, 0.4 * target_beta, target_beta};
  const std::vector<ExactLaw> own = {{test::random_rbm(3, 2, 5, 0), shell, target_beta},
                                     {test::random_rbm(3, 2, 5, 0.4), shell, target_beta},
                                     {model, shell, target_beta}};
  RungLaws laws{target, LadderPath::weights};
};

TEST_F(WeightsPath, ExchangesKeepTheProductLaw) {
  const std::vector<std::vector<double>> energies = {exchanged(0), exchanged(1), exchanged(2)};
  EXPECT_LT(change(energies, 1), 1e-14);
  EXPECT_LT(change(energies, 2), 1e-14);
}

TEST_F(WeightsPath, NoticesWholeEnergiesInTheirPlace) {
  const std::vector<std::vector<double>> energies(3, own[2].energies);
  EXPECT_GT(change(energies, 1), 1e-3);
}

TEST_F(WeightsPath, ComparesTheEnergyOfTheWeightsOnEveryRung) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double> energies = exchanged(k);
    for (std::size_t s = 0; s < energies.size(); ++s)
      EXPECT_NEAR(energies[s], own[2].energies[s] - own[0].energies[s], 1e-13) << "rung " << k;
  }
}

TEST_F(WeightsPath, ChainsOfARungHaveItsEnergies) {
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t s = 0; s < own[k].states.size(); ++s) {
      const auto chain =
          laws.factory(k).make(make_stream(1, 0, 0, Purpose::test), own[k].states[s]);
      EXPECT_EQ(chain->energy(), own[k].energies[s]);
      EXPECT_EQ(chain->beta(), target_beta);
    }
}

TEST(RungLaws, AreForRbms) {
  const Model model = test::random_model(5, 1.0, 5);
  const ChainFactory factory(model, test::zero_shell(model, 2), "swap", 1.0);
  TemperingPlan plan;
  plan.moves = 10;
  plan.path = LadderPath::weights;
  EXPECT_THROW(check_tempering(factory, plan), InputError);
  const Model rbm = test::random_rbm(3, 2, 5);
  const ChainFactory of_rbm(rbm, test::zero_shell(rbm, 2), "swap", 1.0);
  EXPECT_NO_THROW(check_tempering(of_rbm, plan));
  plan.isocluster = true;
  EXPECT_THROW(check_tempering(of_rbm, plan), InputError);
}

// Ladders begin at the hot end of their path and at that of the other one, in turns: uniform
// states, and independent units, which here are all hidden.
TEST(TemperedLadder, OfAnRbmBeginAtBothEnds) {
  RbmWeights weights{20, 20, std::vector<double>(400, 0.1), std::vector<double>(20, 20.0),
                     std::vector<double>(20, -20.0)};
  const ChainFactory factory(Model("rbm", Rbm(std::move(weights))), Shell(Bits(40, 0), 10), "swap",
                             1.0);
  const std::vector<double> betas = {0.5, 1.0};
  for (const LadderPath path : {LadderPath::temperatures, LadderPath::weights}) {
    RungLaws both(factory, path);
    both.place(betas, one_by_one);
    for (const std::uint64_t number : {0, 1, 2, 3}) {
      TemperedLadder ladder(factory, both, 1, number, nullptr);
      ladder.place(betas);
      const bool free = (path == LadderPath::weights) == (number % 2 == 0);
      int hidden = 0;
      for (std::size_t rung = 0; rung < 2; ++rung) {
        const Bits bits = ladder.at(rung).bits();
        hidden += static_cast<int>(std::count(bits.begin() + 20, bits.end(), 1));
      }
      EXPECT_EQ(hidden == 20, free) << "ladder " << number << ": " << hidden << " of 20";
    }
  }
}

}  // namespace
}  // namespace nhot
