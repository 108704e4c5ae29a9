#include "nhot/model/fixed_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "nhot/model/generators.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

FixedPoint choose(const std::vector<double>& values, double field) {
  FixedPointFacts facts;
  for (const double value : values) facts.add(value);
  facts.add_field(field);
  return facts.choose();
}

void expect_as_given(const std::vector<double>& values, double field, double unit) {
  const FixedPoint found = choose(values, field);
  EXPECT_EQ(found.unit(), unit);
  EXPECT_EQ(found.rounding(), 0);
  for (const double value : values)
    EXPECT_EQ(found.unit() * static_cast<double>(found.units(value)), value);
}

TEST(FixedPoint, TakesTheCommonDivisorOfTheValues) {
  expect_as_given({1, -1, 1}, 8, 1);
  expect_as_given({6, -9, 0, 15}, 60, 3);
  expect_as_given({0.1, -0.1, 0.2}, 0.8, 0.1);
  expect_as_given({0.375, -1.25}, 4, 0.125);
  expect_as_given({1e-280, 2e-280}, 1e-279, 1e-280);
  expect_as_given({0, 0}, 0, 1);
}

/// Decimal fractions are not multiples of each other as doubles, though nearly.
TEST(FixedPoint, DoesNotCallNearMultiplesMultiples) {
  const std::vector<std::vector<double>> lists = {
      {0.1, 0.3}, {0.1, 0.7}, {1.1, 3.3}, {0.3, 0.9, 0.1}, {1, 1 + 0x1p-52}};
  for (const std::vector<double>& values : lists) {
    const FixedPoint found = choose(values, 20);
    EXPECT_GT(found.rounding(), 0) << values.back();
    for (const double value : values)
      EXPECT_LE(std::abs(found.rounded(value) - value), found.rounding());
  }
}

/// Fields that doubles hold are whole numbers of a power of two, so few that sums are exact.
TEST(FixedPoint, HasStepsThatAddUpExactly) {
  for (const double scale : {1e-280, 1e-20, 1.0, 1e20, 1e300}) {
    Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
    NormalSource normal(engine);
    std::vector<double> values;
    double sum = 0;
    for (int k = 0; k < 100; ++k) {
      values.push_back(scale * normal());
      sum += std::abs(values.back());
    }
    const FixedPoint found = choose(values, sum);
    int exponent = 0;
    EXPECT_EQ(std::frexp(found.step(), &exponent), 0.5);
    EXPECT_TRUE(std::isfinite(1 / found.step()));
    EXPECT_LE(found.rounding(), 1e-12 * scale);
    // In any order, and with any signs.
    double forwards = 0;
    double backwards = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      EXPECT_NEAR(found.rounded(values[k]), values[k], found.rounding());
      forwards += found.rounded(values[k]);
      backwards += found.rounded(values[values.size() - 1 - k]);
    }
    EXPECT_EQ(forwards, backwards);
    for (const double value : values) forwards -= found.rounded(value);
    EXPECT_EQ(forwards, 0);
    // Up to the largest field that there can be.
    double all = 0;
    std::int64_t units = 0;
    for (const double value : values) {
      all += found.rounded(std::abs(value));
      units += found.units(std::abs(value));
    }
    EXPECT_EQ(static_cast<std::int64_t>(all / found.step()), units);
  }
}

/// The unit 0.1 is no power of two: fields that doubles hold are multiples of a neighbour of it.
TEST(FixedPoint, RoundsAnOddUnitForFields) {
  const FixedPoint found = choose({0.1, -0.2}, 0.8);
  EXPECT_NEAR(found.field(1), 0.1, 1e-15);
  EXPECT_EQ(found.field(7) - found.field(4) - found.field(3), 0);
}

TEST(FixedPoint, StatesItsRoundingForTheModelsOfTheTree) {
  for (const char* spec : {"spin-glass:9x9x9,couplings=gaussian,seed=1", "field:1000,seed=1",
                           "spin-glass:300x300,couplings=gaussian,seed=1"}) {
    const Model model = model_from_spec(spec);
    double largest = 0;
    for (Site i = 0; i < model.sites(); ++i) {
      largest = std::max(largest, std::abs(model.quadratic()->linear()[i]));
      for (const double q : model.quadratic()->row(i).values)
        largest = std::max(largest, std::abs(q));
    }
    EXPECT_LE(model.quadratic()->fixed_point().rounding(), 1e-12 * largest) << spec;
  }
  EXPECT_EQ(model_from_spec("ferromagnet:60x60").quadratic()->fixed_point().rounding(), 0);
  EXPECT_LE(model_from_spec("rbm:784x500,seed=1").rbm()->fixed_point().rounding(), 1e-13);
}

}  // namespace
}  // namespace nhot
