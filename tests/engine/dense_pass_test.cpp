// The passes of the dense engine, path by path: against the functions that they stand for, and
// against one site at a time to the bit.
#include "nhot/engine/dense/pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "nhot/base/aligned.hpp"
#include "nhot/random/stream.hpp"
#include "support/simd_paths.hpp"

namespace nhot::test {
namespace {

constexpr Bias all_biases[] = {Bias::exp, Bias::logistic, Bias::min};

/// A run with its arrays; every third site differs, and sites of index 1 mod 7 are on no side.
struct Arrays {
  explicit Arrays(std::size_t n, dense::WeightFormula l) : size(n), formula(l) {
    const std::size_t segments = (n + dense::segment - 1) / dense::segment;
    const std::size_t padded = segments * dense::segment;
    fields.assign(padded, 0);
    weights.assign(padded, -1);
    lane_sums.assign(2 * segments * dense::lanes, -1);
    lane_totals.assign(2 * dense::lanes, -1);
    totals.assign(2, -1);
    masks.assign(2 * padded, 0);
    bits.assign(2 * padded / dense::lanes, 0);
    for (std::size_t i = 0; i < n; ++i)
      if (i % 7 != 1) set_side(i, i % 3 == 0);
  }

  void set_side(std::size_t i, unsigned side) {
    const std::size_t padded = fields.size();
    const std::size_t rows = padded / dense::lanes;
    const auto bit = static_cast<std::uint16_t>(1U << i % dense::lanes);
    for (unsigned s = 0; s < 2; ++s) {
      masks[s * padded + i] = s == side ? ~dense::SideMask{0} : 0;
      std::uint16_t& word = bits[s * rows + i / dense::lanes];
      word = static_cast<std::uint16_t>(s == side ? word | bit : word & ~bit);
    }
  }

  dense::SiteBlock run() {
    const std::size_t padded = fields.size();
    const std::size_t half = lane_sums.size() / 2;
    return {fields.data(),
            size,
            formula,
            {masks.data(), masks.data() + padded},
            {bits.data(), bits.data() + padded / dense::lanes},
            weights.data(),
            {lane_sums.data(), lane_sums.data() + half},
            {lane_totals.data(), lane_totals.data() + dense::lanes},
            totals.data()};
  }

  bool operator==(const Arrays& other) const {
    for (std::size_t i = 0; i < size; ++i)  // weights beyond the end are nobody's
      if (weights[i] != other.weights[i] || fields[i] != other.fields[i]) return false;
    return lane_sums == other.lane_sums && lane_totals == other.lane_totals &&
           totals == other.totals;
  }

  std::size_t size;
  dense::WeightFormula formula;
  AlignedVector<std::int32_t> fields;
  AlignedVector<float> weights;
  AlignedVector<float> lane_sums;
  AlignedVector<double> lane_totals;
  AlignedVector<double> totals;
  AlignedVector<dense::SideMask> masks;
  AlignedVector<std::uint16_t> bits;
};

dense::WeightFormula law_of(Bias bias, double gamma, double quantum, double bound) {
  return {{bias, gamma}, {bias, gamma}, quantum, bound};
}

class DensePass : public OnSimdPath {
 protected:
  dense::Passes passes() const { return dense::passes(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Paths, DensePass, testing::ValuesIn(all_simd_paths), path_name);

// 8e-5 for the function and, for its argument t, 2.5e-7 |t| + 1e-7: what the header says. The
// function is exact to that over its whole range, and beyond it the weight is that of the end.
TEST_P(DensePass, WeightsAreTheirFunctionsToTheStatedError) {
  constexpr std::size_t size = 4096;
  constexpr double gamma = 0.7;
  const double range = dense::largest_power * std::log(2.0);
  double worst = 0;
  for (const Bias bias : all_biases)
    for (const double reach : {1e-3, 1.0, 30.0, 80.0, 1000.0})
      for (const double quantum : {dense::direct_quantum(gamma), 0x1p-20}) {
        const bool direct = quantum != 0x1p-20 && reach <= 80;
        if (reach / gamma / quantum > 0x1p31) continue;
        Arrays arrays(size, law_of(bias, gamma, quantum, reach / gamma));
        EXPECT_EQ(arrays.formula.direct, direct);
        for (std::size_t i = 0; i < size; ++i)
          arrays.fields[i] = static_cast<std::int32_t>(
              reach / gamma / quantum * (2.0 * static_cast<double>(i) / (size - 1) - 1));
        passes().evaluate(arrays.run());
        for (std::size_t i = 0; i < size; ++i) {
          const double sign = i % 3 == 0 && i % 7 != 1 ? -1 : 1;
          // Who is on neither side has the weight of some side, which nobody asks for.
          if (i % 7 == 1) continue;
          double t = sign * gamma * quantum * arrays.fields[i];
          t = std::clamp(t, bias == Bias::min ? -1e9 : -range, range);
          const double expected = std::exp(log_bias(bias, t));
          const double error = std::abs(arrays.weights[i] / expected - 1);
          const double allowed = 8e-5 + 2.5e-7 * std::abs(t) + 1e-7;
          ASSERT_LE(error, allowed) << "bias " << static_cast<int>(bias) << " t " << t;
          ASSERT_GT(arrays.weights[i], std::numeric_limits<float>::min());
          worst = std::max(worst, error / allowed);
        }
      }
  EXPECT_GT(worst, 0.3) << "the bound says nothing";
}

// Up to log 2 * 0.99 * 124 = 85.09, from log 2 / 1000 = 6.9e-4.
TEST(DenseLaw, IsDirectForFieldsAndGammasOfAUsualSize) {
  EXPECT_FALSE(dense::may_be_direct(1, 6.8e-4));
  EXPECT_TRUE(dense::may_be_direct(1, 7e-4));
  EXPECT_TRUE(dense::may_be_direct(2, 42.5));
  EXPECT_FALSE(dense::may_be_direct(2, 42.6));
  EXPECT_FALSE(dense::may_be_direct(0, 1));
  EXPECT_FALSE(dense::may_be_direct(-1, 1));
  EXPECT_TRUE(dense::may_be_direct(0x1p99, 0x1p-99));
  EXPECT_FALSE(dense::may_be_direct(0x1p100, 0x1p-100));
}

TEST_P(DensePass, ExtremeFieldsGiveFiniteWeights) {
  for (const Bias bias : all_biases)
    for (const double gamma : {0.0, 1.0, 1e10}) {
      Arrays arrays(6, law_of(bias, gamma, 1.0, 0x1p31));
      const std::int32_t extremes[] = {0,
                                       1,
                                       -1,
                                       std::numeric_limits<std::int32_t>::max(),
                                       std::numeric_limits<std::int32_t>::min(),
                                       1 << 30};
      std::copy(std::begin(extremes), std::end(extremes), arrays.fields.begin());
      passes().evaluate(arrays.run());
      for (std::size_t i = 0; i < arrays.size; ++i) {
        EXPECT_GE(arrays.weights[i], 0x1p-125F);
        EXPECT_LE(arrays.weights[i], 0x1.01p124F);
        EXPECT_TRUE(gamma != 0 || arrays.weights[i] == arrays.weights[0]);
      }
    }
}

// Sizes with and without rests, narrow and wide rows, both signs; the sums in their stated order.
TEST_P(DensePass, AgreesWithOneSiteAtATimeToTheBit) {
  Xoshiro256 engine = make_stream(41, 0, 0, Purpose::test);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5; };
  for (const std::size_t size : {1u, 15u, 16u, 17u, 127u, 128u, 129u, 300u, 784u})
    for (const Bias bias : all_biases)
      for (const bool wide : {false, true})
        for (const bool subtract : {false, true})
          for (const double quantum : {0x1p-24, dense::direct_quantum(0.8)}) {
            const double steps_per_unit = 1 / quantum;
            Arrays arrays(size, law_of(bias, 0.8, quantum, 40));
            ASSERT_EQ(arrays.formula.direct, quantum != 0x1p-24);
            for (std::size_t i = 0; i < size; ++i)
              arrays.fields[i] = static_cast<std::int32_t>(40 * uniform() * steps_per_unit);
            CouplingRows rows(1, size, !wide);
            for (std::size_t i = 0; i < size; ++i) {
              const double value = uniform();
              rows.set(0, i, wide ? value : static_cast<float>(value));
            }
            Arrays expected = arrays;
            const dense::Change change{rows.row(0), steps_per_unit, subtract};
            passes().change_and_evaluate(arrays.run(), change);

            dense::apply(expected.fields.data(), size, change);
            for (std::size_t i = 0; i < size; ++i) {
              const std::int32_t steps = dense::steps_of(rows(0, i), steps_per_unit);
              ASSERT_EQ(expected.fields[i], arrays.fields[i]);
              ASSERT_NE(steps, 0);
            }
            for (std::size_t i = 0; i < size; ++i)
              expected.weights[i] = dense::weight_of(arrays.formula, i % 3 == 0, arrays.fields[i]);
            for (std::size_t i = 0; i < size; ++i) dense::evaluate_site(expected.run(), i);
            for (std::size_t i = 0; i < size; ++i)
              if (i % 7 != 1) {  // the weight of a site on neither side is nobody's
                ASSERT_EQ(expected.weights[i], arrays.weights[i]) << size << " " << i;
              }
            // Lanes without a site were not written one by one.
            for (std::size_t s = 0; s < 2; ++s)
              for (std::size_t i = 0; i < size; ++i) {
                const std::size_t at = s * arrays.lane_sums.size() / 2 +
                                       i / dense::segment * dense::lanes + i % dense::lanes;
                ASSERT_EQ(expected.lane_sums[at], arrays.lane_sums[at]);
              }
            double sum = 0;
            for (std::size_t i = 0; i < size; ++i)
              if (i % 3 == 0 && i % 7 != 1) sum += arrays.weights[i];
            ASSERT_NEAR(arrays.totals[1], sum, 1e-6 * sum);

            // A whole pass over the same fields, and a site that changes side.
            Arrays again = arrays;
            passes().evaluate(again.run());
            ASSERT_TRUE(again == arrays);
            const std::size_t site = size / 2;
            again.set_side(site, 1 - (site % 3 == 0));
            arrays = again;
            passes().evaluate(again.run());
            dense::evaluate_site(arrays.run(), site);
            ASSERT_TRUE(again == arrays);
          }
}

}  // namespace
}  // namespace nhot::test
