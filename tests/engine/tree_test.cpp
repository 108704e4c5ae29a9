#include "nhot/engine/tree.hpp"

#include <gtest/gtest.h>

#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot {
namespace {

TEST(SumTree, FindsEachLeafInProportionToItsWeight) {
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  for (std::size_t size = 1; size <= 20; ++size) {
    SumTree tree(size);
    std::vector<double> weights(size);
    double total = 0;
    for (std::size_t i = 0; i < size; ++i) {
      weights[i] = engine() % 3 == 0 ? 0.0 : uniform(engine);
      if (i + 1 == size && total == 0) weights[i] = 1;
      total += weights[i];
      tree.set(i, weights[i]);
    }
    EXPECT_NEAR(tree.total(), total, 1e-14);
    std::vector<test::BranchScript::Outcome> found;
    test::measure_steps(
        tree.total(), [&](double t) { return tree.find(t); }, found);
    std::vector<double> mass(size, 0.0);
    for (const auto& outcome : found) mass.at(outcome.value) += outcome.probability;
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(mass[i], weights[i] / total, 1e-15);
  }
}

TEST(SumTree, NeverFindsALeafOfWeightZero) {
  for (std::size_t only = 0; only < 9; ++only) {
    SumTree tree(9);
    tree.set(only, 2.5);
    for (const double t : {0.0, 1.0, 2.5, std::nextafter(2.5, 0.0), 3.0, 1e9})
      EXPECT_EQ(tree.find(t), only);
  }
}

TEST(SumTree, FillAndSetAgree) {
  SumTree one(13);
  SumTree other(13);
  for (std::size_t i = 0; i < 13; ++i) one.set(i, 0.1 * double(i * i % 7));
  other.fill(13, [](std::size_t i) { return 0.1 * double(i * i % 7); });
  EXPECT_EQ(one.total(), other.total());
  for (double t = 0; t <= one.total(); t += 0.01) EXPECT_EQ(one.find(t), other.find(t));
}

TEST(SumTree, SumsDoNotDrift) {
  Xoshiro256 engine = make_stream(2, 0, 0, Purpose::test);
  SumTree tree(100);
  std::vector<double> weights(100);
  for (int k = 0; k < 200'000; ++k) {
    const std::size_t i = engine() % 100;
    // Over twelve orders of magnitude: an updated sum would keep the roundings of the large ones.
    weights[i] = std::pow(10.0, 12 * uniform(engine) - 12);
    tree.set(i, weights[i]);
  }
  for (std::size_t i = 0; i < 100; ++i) tree.set(i, weights[i] = 1e-12 * double(i));
  double total = 0;
  for (const double w : weights) total += w;
  EXPECT_NEAR(tree.total() / total, 1, 1e-14);
}

}  // namespace
}  // namespace nhot
