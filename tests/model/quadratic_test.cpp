#include "nhot/model/quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

Bits state(Site sites, std::uint64_t code) {
  Bits bits(sites);
  for (Site i = 0; i < sites; ++i) bits[i] = static_cast<Bit>((code >> i) & 1);
  return bits;
}

// The energy straight from the terms, in long double.
double plain_energy(const QuadraticTerms& terms, const Bits& bits) {
  const auto value = [&](Site i) -> long double {
    return terms.convention == Convention::spin ? 2 * bits[i] - 1 : bits[i];
  };
  long double energy = terms.offset;
  for (Site i = 0; i < terms.linear.size(); ++i) energy += terms.linear[i] * value(i);
  for (const Coupling& c : terms.couplings) energy += c.value * value(c.i) * value(c.j);
  return static_cast<double>(energy);
}

// Random terms with duplicates, both orders, self couplings, and zeros. Values are multiples of 1/8
// up to 8, so that every sum is exact; `noise` adds normals instead.
QuadraticTerms random_terms(Site sites, Convention convention, std::uint64_t seed, bool noise) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  NormalSource normal(engine);
  const auto value = [&] {
    return noise ? normal() : static_cast<double>(engine() % 129) / 8.0 - 8.0;
  };
  QuadraticTerms terms;
  terms.sites = sites;
  terms.convention = convention;
  terms.offset = value();
  for (Site i = 0; i < sites; ++i) terms.linear.push_back(value());
  for (int k = 0; k < 40; ++k)
    terms.couplings.push_back(
        {static_cast<Site>(engine() % sites), static_cast<Site>(engine() % sites), value()});
  return terms;
}

TEST(Quadratic, EnergyEqualsTheSumOfTheTerms) {
  for (const Convention convention : {Convention::spin, Convention::binary}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Site sites = static_cast<Site>(1 + seed % 8);
      const QuadraticTerms terms = random_terms(sites, convention, seed, false);
      const QuadraticModel model(terms);
      for (std::uint64_t code = 0; code < (1u << sites); ++code)
        ASSERT_EQ(model.energy(state(sites, code)), plain_energy(terms, state(sites, code)));
    }
  }
}

TEST(Quadratic, AWrongValueIsSeen) {
  QuadraticTerms terms = random_terms(5, Convention::spin, 3, false);
  const QuadraticModel model(terms);
  terms.linear[2] += 0.125;
  EXPECT_NE(model.energy(state(5, 9)), plain_energy(terms, state(5, 9)));
}

TEST(Quadratic, ConventionsHaveEqualEnergies) {
  for (const Convention from : {Convention::spin, Convention::binary}) {
    const Convention to = from == Convention::spin ? Convention::binary : Convention::spin;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const QuadraticModel model(random_terms(7, from, seed, false));
      std::size_t rounded = 99;
      const QuadraticModel other(convert(model, to, &rounded));
      EXPECT_EQ(rounded, 0u);
      EXPECT_EQ(other.convention(), to);
      for (std::uint64_t code = 0; code < 128; ++code)
        ASSERT_EQ(model.energy(state(7, code)), other.energy(state(7, code)));
    }
  }
}

TEST(Quadratic, ConversionOfRealValuesIsRoundedOnceAndSaysSo) {
  std::size_t total_rounded = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const QuadraticModel model(random_terms(7, Convention::binary, seed, true));
    std::size_t rounded = 0;
    const QuadraticModel spin(convert(model, Convention::spin, &rounded));
    total_rounded += rounded;
    for (std::uint64_t code = 0; code < 128; ++code) {
      const double expected = model.energy(state(7, code));
      // 7 linear values and an offset, each below 32 and off by at most half a unit in the last
      // place; and each of the 28 values rounded to the grid that its model is summed on.
      const double grids = 28 * (spin.fixed_point().rounding() + model.fixed_point().rounding());
      ASSERT_NEAR(spin.energy(state(7, code)), expected, 8 * 32 * 0x1p-53 + grids);
    }
  }
  EXPECT_GT(total_rounded, 0u);
}

TEST(Quadratic, RowsAreSortedSymmetricAndMerged) {
  QuadraticTerms terms;
  terms.sites = 4;
  terms.couplings = {{3, 0, 1},  {0, 1, 2}, {1, 0, 0.5}, {2, 3, 5},
                     {3, 2, -5}, {0, 2, 0}, {1, 1, 7}};
  const QuadraticModel model(terms);
  EXPECT_EQ(model.couplings(), 2u);
  EXPECT_EQ(model.merged(), 2u);
  EXPECT_EQ(model.offset(), 7);
  ASSERT_EQ(model.row(0).sites.size(), 2u);
  EXPECT_EQ(model.row(0).sites[0], 1u);
  EXPECT_EQ(model.row(0).values[0], 2.5);
  EXPECT_EQ(model.row(0).sites[1], 3u);
  EXPECT_EQ(model.row(0).values[1], 1);
  EXPECT_EQ(model.row(1).values[0], 2.5);
  EXPECT_EQ(model.row(2).sites.size(), 0u);
  EXPECT_EQ(model.row(3).sites[0], 0u);
}

TEST(Quadratic, BothDirectionsOfDuplicatesHaveEqualBits) {
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  NormalSource normal(engine);
  QuadraticTerms terms;
  terms.sites = 30;
  for (int k = 0; k < 5000; ++k)
    terms.couplings.push_back(
        {static_cast<Site>(engine() % 30), static_cast<Site>(engine() % 30), normal()});
  const QuadraticModel model(terms);
  std::map<std::pair<Site, Site>, double> values;
  for (Site i = 0; i < 30; ++i)
    for (std::size_t k = 0; k < model.row(i).sites.size(); ++k)
      values[{i, model.row(i).sites[k]}] = model.row(i).values[k];
  for (const auto& [pair, value] : values) ASSERT_EQ(value, values.at({pair.second, pair.first}));
}

TEST(Quadratic, TermsBuildTheSameModelAgain) {
  const QuadraticModel model(random_terms(9, Convention::binary, 5, true));
  const QuadraticModel again(model.terms());
  EXPECT_EQ(again.merged(), 0u);
  for (std::uint64_t code = 0; code < 512; ++code)
    ASSERT_EQ(model.energy(state(9, code)), again.energy(state(9, code)));
}

TEST(Quadratic, HugeAndTinyCouplingsStayFinite) {
  QuadraticTerms terms;
  terms.sites = 3;
  terms.couplings = {{0, 1, 1e300}, {1, 2, 1e-300}};
  terms.linear = {1, -1e300, 0};
  // Beside 1e300 the others are below the resolution of the energy, which says so.
  const QuadraticModel model(terms);
  EXPECT_EQ(model.energy(state(3, 7)), 0);
  EXPECT_GT(model.fixed_point().rounding(), 1.0);
  EXPECT_EQ(model.fixed_point().smallest(), 1e-300);
  // Alone they are as good as any.
  terms.linear = {};
  terms.couplings = {{1, 2, 1e-300}};
  EXPECT_EQ(QuadraticModel(terms).energy(state(3, 7)), 1e-300);
}

TEST(Quadratic, BadTermsAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto message = [](QuadraticTerms terms) -> std::string {
    try {
      const QuadraticModel model(std::move(terms));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto with = [](auto change) {
    QuadraticTerms terms;
    terms.sites = 3;
    change(terms);
    return terms;
  };
  EXPECT_EQ(message(with([](auto& t) { t.sites = 0; })), "the model has no sites");
  EXPECT_EQ(message(with([](auto& t) { t.linear = {1}; })),
            "the model has 3 sites but 1 linear values");
  EXPECT_EQ(message(with([&](auto& t) {
              t.linear = {1, nan, 2};
            })),
            "the linear value of site 1 is not a number");
  EXPECT_EQ(message(with([&](auto& t) {
              t.couplings = {{0, 1, infinity}};
            })),
            "the coupling of sites 0 and 1 is infinite");
  EXPECT_EQ(message(with([&](auto& t) { t.offset = -infinity; })),
            "the offset of the model is infinite");
  EXPECT_EQ(message(with([](auto& t) {
              t.couplings = {{0, 3, 1}};
            })),
            "the coupling of sites 0 and 3 is out of range: the model has 3 sites");
  EXPECT_EQ(message(with([](auto& t) {
              t.couplings = {{0, 1, 1e308}, {0, 1, -1e308}};
            })),
            "the energy can overflow: the absolute values of the terms sum to 1e307 or more");
}

}  // namespace
}  // namespace nhot
