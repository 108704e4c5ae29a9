#include "nhot/model/model.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

RbmWeights small_weights() {
  RbmWeights weights;
  weights.visible = 3;
  weights.hidden = 2;
  weights.weights = {1, 2, 3, -4, -5, 6.5};
  weights.hidden_bias = {0.25, -0.5};
  weights.visible_bias = {1, 0, -1};
  return weights;
}

TEST(Rbm, EnergyFollowsTheFormula) {
  const RbmWeights w = small_weights();
  const Rbm rbm(w);
  EXPECT_EQ(rbm.sites(), 5u);
  EXPECT_EQ(rbm.couplings(), 6u);
  for (unsigned code = 0; code < 32; ++code) {
    Bits bits(5);
    for (unsigned i = 0; i < 5; ++i) bits[i] = (code >> i) & 1;
    double expected = 0;
    for (unsigned h = 0; h < 2; ++h) {
      expected -= w.hidden_bias[h] * bits[3 + h];
      for (unsigned v = 0; v < 3; ++v) expected -= w.weights[h * 3 + v] * bits[v] * bits[3 + h];
    }
    for (unsigned v = 0; v < 3; ++v) expected -= w.visible_bias[v] * bits[v];
    ASSERT_EQ(rbm.energy(bits), expected);
  }
}

TEST(Rbm, BadWeightsAreRefused) {
  const auto refused = [](auto change) {
    RbmWeights weights = small_weights();
    change(weights);
    EXPECT_THROW(Rbm{weights}, InputError);
  };
  refused([](auto& w) { w.weights.pop_back(); });
  refused([](auto& w) { w.hidden_bias.push_back(0); });
  refused([](auto& w) { w.visible_bias.clear(); });
  refused([](auto& w) { w.visible = 0; });
  refused([](auto& w) { w.weights[3] = std::numeric_limits<double>::quiet_NaN(); });
  refused([](auto& w) { w.visible_bias[0] = -std::numeric_limits<double>::infinity(); });
  refused([](auto& w) { w.weights[0] = 1e308; });
}

QuadraticTerms small_terms() {
  QuadraticTerms terms;
  terms.sites = 3;
  terms.linear = {0.5, 0, -1};
  terms.couplings = {{0, 1, 1}, {1, 2, -2}};
  return terms;
}

std::string hash_of(const QuadraticTerms& terms) {
  return Model("x", QuadraticModel(terms)).hash();
}

TEST(Model, HashSeesEverythingThatEntersTheEnergy) {
  const std::string hash = hash_of(small_terms());
  EXPECT_EQ(hash.size(), 16u);
  const auto changed = [&](auto change) {
    QuadraticTerms terms = small_terms();
    change(terms);
    EXPECT_NE(hash_of(terms), hash);
  };
  changed([](auto& t) { t.offset = 1e-300; });
  changed([](auto& t) { t.linear[1] = 1; });
  changed([](auto& t) { t.couplings[0].value = -1; });
  changed([](auto& t) { t.couplings[0].j = 2; });
  changed([](auto& t) { t.convention = Convention::binary; });
  changed([](auto& t) {
    t.sites = 4;
    t.linear.push_back(0);
  });
}

TEST(Model, HashDoesNotSeeNameOrderDuplicatesOrSignOfZero) {
  QuadraticTerms terms = small_terms();
  terms.linear[1] = -0.0;
  terms.couplings = {{2, 1, -2.5}, {1, 0, 1}, {1, 2, 0.5}, {0, 2, 0}};
  EXPECT_EQ(Model("another", QuadraticModel(terms)).hash(), hash_of(small_terms()));
}

// Hashes go into traces and checkpoints: a change breaks them.
TEST(Model, HashIsFixed) {
  EXPECT_EQ(hash_of(small_terms()), "8da302064c0b7739");
  EXPECT_EQ(Model("x", Rbm(small_weights())).hash(), "3e55a87872522879");
}

TEST(Model, AnRbmIsAQuadraticModel) {
  const Model rbm("r", Rbm(small_weights()));
  const QuadraticModel quadratic(quadratic_terms(rbm));
  EXPECT_EQ(quadratic.convention(), Convention::binary);
  for (unsigned code = 0; code < 32; ++code) {
    Bits bits(5);
    for (unsigned i = 0; i < 5; ++i) bits[i] = (code >> i) & 1;
    ASSERT_EQ(quadratic.energy(bits), rbm.energy(bits));
  }
}

TEST(Model, KnowsItsKind) {
  const Model quadratic("q", QuadraticModel(small_terms()), {{3}, false});
  EXPECT_NE(quadratic.quadratic(), nullptr);
  EXPECT_EQ(quadratic.rbm(), nullptr);
  EXPECT_EQ(quadratic.lattice().sides.size(), 1u);
  const Model rbm("r", Rbm(small_weights()));
  EXPECT_EQ(rbm.quadratic(), nullptr);
  EXPECT_EQ(rbm.sites(), 5u);
  EXPECT_EQ(rbm.energy(Bits{1, 0, 0, 1, 0}), -2.25);
}

}  // namespace
}  // namespace nhot
