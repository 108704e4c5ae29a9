#include "nhot/move/isocluster.hpp"

#include <gtest/gtest.h>

#include "move/small_models.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

/// The exchange on the product of a shell with itself, as a transition matrix over pairs of states.
class PairMatrix {
 public:
  PairMatrix(const Model& model, std::shared_ptr<const Shell> shell)
      : states_(*shell), matrix_(states_.size() * states_.size()) {
    IsoclusterExchange exchange(model, shell);
    BranchScript script;
    EnumeratingDraws draws(script);
    for (std::size_t x = 0; x < states_.size(); ++x)
      for (std::size_t y = 0; y < states_.size(); ++y)
        for_each_branch(script, [&] {
          Bits a = states_[x];
          Bits b = states_[y];
          exchange_sites(exchange.draw(a, b, draws), a, b);
          matrix_(pair(x, y), pair(states_.row(a), states_.row(b))) += script.probability();
        });
  }

  const TransitionMatrix& matrix() const { return matrix_; }

  /// pi(a) pi(b).
  std::vector<double> law(const Model& model, double beta) const {
    const std::vector<double> single = boltzmann_law(model, states_, beta);
    std::vector<double> result(matrix_.size());
    for (std::size_t x = 0; x < single.size(); ++x)
      for (std::size_t y = 0; y < single.size(); ++y) result[pair(x, y)] = single[x] * single[y];
    return result;
  }

  /// Largest probability of an exchange that changes the set of the two states.
  double largest_change() const {
    double largest = 0;
    for (std::size_t x = 0; x < states_.size(); ++x)
      for (std::size_t y = 0; y < states_.size(); ++y)
        for (std::size_t to = 0; to < matrix_.size(); ++to)
          if (to != pair(x, y) && to != pair(y, x))
            largest = std::max(largest, matrix_(pair(x, y), to));
    return largest;
  }

 private:
  std::size_t pair(std::size_t x, std::size_t y) const { return x * states_.size() + y; }

  StateIndex states_;
  TransitionMatrix matrix_;
};

void expect_exact(const Model& model, const Bits& reference, Site distance) {
  const PairMatrix pairs(model, make_shell(reference, distance));
  EXPECT_LT(row_sum_error(pairs.matrix()), 1e-13) << model.name();
  for (const double beta : {0.0, 0.6, 2.0}) {
    const std::vector<double> law = pairs.law(model, beta);
    EXPECT_LT(stationarity_error(pairs.matrix(), law), 1e-14) << model.name() << " " << beta;
    EXPECT_LT(detailed_balance_error(pairs.matrix(), law), 1e-14) << model.name() << " " << beta;
  }
  EXPECT_GT(pairs.largest_change(), 0.1) << model.name();
}

TEST(Isocluster, KeepsTheLawOfBothReplicas) {
  expect_exact(model_from_spec("ferromagnet:6,open"), Bits(6, 0), 3);
  expect_exact(model_from_spec("spin-glass:2x3,open,seed=3"), {0, 1, 1, 0, 0, 1}, 3);
  expect_exact(model_from_spec("spin-glass:7,seed=2,couplings=gaussian"), Bits(7, 1), 3);
  expect_exact(model_from_spec("field:6,seed=2"), {1, 0, 0, 0, 1, 0}, 2);

  // A star and a pair: clusters of three, two and one site, balanced in many ways.
  QuadraticTerms terms;
  terms.sites = 7;
  terms.convention = Convention::binary;
  terms.linear = {0.3, -0.2, 0.7, 0.1, -0.5, 0.4, 0.9};
  terms.couplings = {{0, 1, -1.1}, {0, 2, 0.6}, {3, 4, 0.8}, {0, 5, 0.35}};
  expect_exact(Model("star", QuadraticModel(std::move(terms))), {0, 1, 0, 0, 1, 0, 1}, 3);
}

// Taking one cluster alone, balanced or not, would leave the shell; taking coupled sites apart
// would not keep the energy. Both are what the rule rules out.
TEST(Isocluster, AWrongUnionWouldBeSeen) {
  const Model model = model_from_spec("spin-glass:2x3,open,seed=3");
  // The graph of another model: the clusters miss couplings of this one.
  const PairMatrix pairs(model_from_spec("field:6,seed=1"), make_shell(Bits(6, 0), 3));
  EXPECT_GT(stationarity_error(pairs.matrix(), pairs.law(model, 0.6)), 1e-4);
}

TEST(Isocluster, KeepsEnergiesAndDistancesOfLargeReplicas) {
  const Model model = model_from_spec("spin-glass:20x20,seed=5");
  const auto shell = make_shell(Bits(400, 0), 150);
  RandomDraws draws(make_stream(8, 0, 0, Purpose::test));
  IsoclusterExchange exchange(model, shell);
  Bits a = shell->draw_uniform(draws);
  Bits b = shell->draw_uniform(draws);
  bool changed = false;
  for (int repeat = 0; repeat < 50; ++repeat) {
    const double before_a = model.energy(a);
    const double before = before_a + model.energy(b);
    exchange_sites(exchange.draw(a, b, draws), a, b);
    EXPECT_GT(exchange.clusters(), 1u);
    EXPECT_TRUE(shell->contains(a));
    EXPECT_TRUE(shell->contains(b));
    EXPECT_EQ(model.energy(a) + model.energy(b), before);
    changed = changed || model.energy(a) != before_a;
  }
  EXPECT_TRUE(changed);
}

TEST(Isocluster, EqualReplicasHaveNothingToExchange) {
  const Model model = model_from_spec("ferromagnet:4x4");
  const auto shell = make_shell(Bits(16, 0), 5);
  RandomDraws draws(make_stream(1, 0, 0, Purpose::test));
  const Bits a = shell->draw_uniform(draws);
  IsoclusterExchange exchange(model, shell);
  EXPECT_TRUE(exchange.draw(a, a, draws).empty());
  EXPECT_EQ(exchange.clusters(), 0u);
}

TEST(Isocluster, RefusesModelsWithASingleCluster) {
  QuadraticTerms terms;
  terms.sites = 5;
  for (Site i = 0; i < 5; ++i)
    for (Site j = i + 1; j < 5; ++j) terms.couplings.push_back({i, j, 1.0});
  EXPECT_THROW(
      IsoclusterExchange(Model("complete", QuadraticModel(terms)), make_shell(Bits(5, 0), 2)),
      InputError);
  EXPECT_THROW(IsoclusterExchange(small_rbm(3, 3, 1), make_shell(Bits(6, 0), 3)), InputError);
}

}  // namespace
}  // namespace nhot::test
