#include "nhot/random/draws.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "nhot/random/lookahead_draws.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// A source whose first engine output is `output`.
RandomDraws starting_with(std::uint64_t output) {
  // The output is rotl(s0 + s3, 23) + s0.
  return RandomDraws(Xoshiro256({0, 1, 0, std::rotr(output, 23)}));
}

/// How many engine outputs a call used.
template <class Call>
int outputs_used(const RandomDraws& before, Call&& call) {
  RandomDraws draws = before;
  call(draws);
  Xoshiro256 engine = before.engine();
  for (int used = 0; used < 100; ++used) {
    if (engine.state() == draws.engine().state()) return used;
    engine();
  }
  return -1;
}

/// The x with x * n = low modulo 2^64, for odd n.
std::uint64_t factor_for(std::uint64_t low, std::uint64_t n) {
  std::uint64_t inverse = 1;
  for (int k = 0; k < 6; ++k) inverse *= 2 - n * inverse;  // Newton: bits double each time
  return low * inverse;
}

TEST(RandomDraws, TheStateForAnOutputIsRight) {
  for (const std::uint64_t output : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    Xoshiro256 engine = starting_with(output).engine();
    EXPECT_EQ(engine(), output);
  }
  EXPECT_EQ(factor_for(5, 3) * 3, 5u);
}

TEST(RandomDraws, BelowTakesTheHighWord) {
  const std::uint64_t all = ~std::uint64_t{0};
  for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3},
                                std::uint64_t{1800}, (std::uint64_t{1} << 32) + 1, all}) {
    RandomDraws largest = starting_with(all);
    EXPECT_EQ(largest.below(n), n - 1);
  }
  RandomDraws half = starting_with(std::uint64_t{1} << 63);
  EXPECT_EQ(half.below(10), 5u);
  RandomDraws under_half = starting_with((std::uint64_t{1} << 63) - 1);
  EXPECT_EQ(under_half.below(10), 4u);
}

// 2^64 outputs fall on n values evenly once the products whose low word is under 2^64 mod n are
// drawn again: one just under is, one just at it is not.
TEST(RandomDraws, BelowRedrawsExactlyTheSurplus) {
  for (const std::uint64_t n : {std::uint64_t{3}, std::uint64_t{7}, std::uint64_t{1000003},
                                (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}}) {
    const std::uint64_t surplus = (0 - n) % n;  // 2^64 mod n
    ASSERT_GT(surplus, 0u);
    const auto used = [&](std::uint64_t low) {
      return outputs_used(starting_with(factor_for(low, n)), [&](RandomDraws& d) { d.below(n); });
    };
    EXPECT_GE(used(0), 2) << n;
    EXPECT_GE(used(surplus - 1), 2) << n;
    EXPECT_EQ(used(surplus), 1) << n;
    EXPECT_EQ(used(n - 1), 1) << n;
    EXPECT_EQ(used(~std::uint64_t{0}), 1) << n;
  }
  // A power of two has no surplus.
  EXPECT_EQ(outputs_used(starting_with(0), [](RandomDraws& d) { d.below(4); }), 1);
  EXPECT_EQ(outputs_used(starting_with(0), [](RandomDraws& d) { d.below(1); }), 1);
}

TEST(RandomDraws, UniformStaysBelowOne) {
  RandomDraws largest = starting_with(~std::uint64_t{0});
  EXPECT_EQ(largest.uniform(), 1 - 0x1p-53);
  RandomDraws smallest = starting_with(0x7ff);
  EXPECT_EQ(smallest.uniform(), 0.0);
  RandomDraws next = starting_with(0x800);
  EXPECT_EQ(next.uniform(), 0x1p-53);
}

TEST(RandomDraws, AcceptIsCertainAtOneAndImpossibleAtZero) {
  for (const std::uint64_t output : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    RandomDraws draws = starting_with(output);
    EXPECT_TRUE(RandomDraws(draws).accept(1.0));
    EXPECT_TRUE(RandomDraws(draws).accept(INFINITY));
    EXPECT_FALSE(RandomDraws(draws).accept(0.0));
    EXPECT_FALSE(RandomDraws(draws).accept(std::nan("")));
  }
  // uniform() < p, so that p = 2^-53 is met by one output in 2^53.
  EXPECT_TRUE(starting_with(0).accept(0x1p-53));
  EXPECT_FALSE(starting_with(0x800).accept(0x1p-53));
}

TEST(RandomDraws, LocateStaysInsideItsInterval) {
  for (const double total : {1.0, 1.5, 1 + 0x1p-52, 2 - 0x1p-52, 1e-200, 1e200, 3.0}) {
    const double t =
        starting_with(~std::uint64_t{0}).locate(total, [](double target) { return target; });
    EXPECT_LT(t, total);
    EXPECT_GE(t, total * (1 - 0x1p-52));
  }
}

TEST(RandomDraws, ThinDrawsAgainUntilKept) {
  RandomDraws draws(make_stream(1, 0, 0, Purpose::test));
  for (int k = 0; k < 1000; ++k)
    EXPECT_EQ(draws.thin(5, [](std::uint64_t i) { return i == 3 ? 1.0 : 0.0; }), 3u);
}

TEST(RandomDraws, AChanceDecidesAsItsProbabilityDoes) {
  for (const double p : {0.0, 0x1p-53, 0x1p-60, 0.1, 1 / 3.0, 0.5, 0.7, 1 - 0x1p-53, 1.0}) {
    const std::uint64_t limit = Chance(p).limit();
    for (const std::uint64_t number : {limit - 1, limit, limit + 1}) {
      if (number >= std::uint64_t{1} << 53) continue;
      EXPECT_EQ(number < limit, static_cast<double>(number) * 0x1p-53 < p) << p << " " << number;
    }
    EXPECT_EQ(static_cast<double>(Chance(p)), p);
  }
  RandomDraws by_number(make_stream(1, 0, 0, Purpose::test));
  RandomDraws by_chance = by_number;
  const std::vector<double> keep = {0.3, 0, 1, 1e-3, 0.77};
  std::vector<Chance> chances(keep.begin(), keep.end());
  for (int k = 0; k < 10000; ++k)
    ASSERT_EQ(by_number.thin(5, [&](std::uint64_t i) { return keep[i]; }),
              by_chance.thin(5, [&](std::uint64_t i) { return chances[i]; }));
}

TEST(RandomDraws, AnExpChanceDecidesAsItsExponentialDoes) {
  RandomDraws draws(make_stream(7, 0, 0, Purpose::test));
  for (int k = 0; k < 200000; ++k) {
    // Exponents at and between the ends of cells, and far beyond all of them.
    const double place = k % 3 == 0 ? std::floor(400 * draws.uniform()) : 400 * draws.uniform();
    const double exponent = -place / 16 * (k % 100 == 0 ? 1e3 : 1);
    const double p = std::exp(exponent);
    // Draws near the probability are the hard ones.
    double uniform = draws.uniform();
    if (k % 2 == 0) uniform = p * (1 + (uniform - 0.5) * (k % 4 == 0 ? 1e-15 : 0.1));
    if (uniform >= 1) continue;
    ASSERT_EQ(uniform < ExpChance(exponent), uniform < p) << exponent << " " << uniform;
  }
  for (const double exponent : {0.0, -0.0, 1e-300, 5.0, 1e308})
    EXPECT_TRUE(1 - 0x1p-53 < ExpChance(exponent)) << exponent;
  for (const double exponent : {-30.0, -745.0, -1e308}) {
    EXPECT_FALSE(0.5 < ExpChance(exponent)) << exponent;
    EXPECT_EQ(0.0 < ExpChance(exponent), 0.0 < std::exp(exponent)) << exponent;
  }
}

TEST(NormalSource, HasTheMomentsOfANormal) {
  Xoshiro256 engine = make_stream(5, 0, 0, Purpose::test);
  NormalSource normal(engine);
  const int count = 1'000'000;
  double sums[4] = {};
  for (int k = 0; k < count; ++k) {
    const double x = normal();
    for (double power = x, *s = sums; s != sums + 4; ++s, power *= x) *s += power;
  }
  // Five standard errors each: of x, x^2, x^3, x^4 they are 1, sqrt 2, sqrt 15, sqrt 96 over
  // sqrt(count).
  const double error = 5 / std::sqrt(double(count));
  EXPECT_NEAR(sums[0] / count, 0, error);
  EXPECT_NEAR(sums[1] / count, 1, error * std::sqrt(2.0));
  EXPECT_NEAR(sums[2] / count, 0, error * std::sqrt(15.0));
  EXPECT_NEAR(sums[3] / count, 3, error * std::sqrt(96.0));
}

/// Looking ahead prefetches and changes no number, whatever is drawn and however often.
TEST(LookaheadDraws, AreTheDrawsThatTheyLookAheadAt) {
  const std::vector<std::uint8_t> bytes(1000, 0);
  RandomDraws plain(make_stream(5, 0, 0, Purpose::moves));
  LookaheadDraws ahead(plain, bytes.data(), bytes.size());
  const auto keep = [](std::uint64_t i) { return Chance(i % 7 == 0 ? 0.9 : 0.1); };
  const auto third = [](double target) { return static_cast<int>(3 * target); };
  for (int k = 0; k < 300; ++k) {
    ASSERT_EQ(ahead.thin(1000, keep), plain.thin(1000, keep));
    ASSERT_EQ(ahead.below(17), plain.below(17));
    ASSERT_EQ(ahead.uniform(), plain.uniform());
    ASSERT_EQ(ahead.accept(0.3), plain.accept(0.3));
    ASSERT_EQ(ahead.locate(1.0, third), plain.locate(1.0, third));
  }
  EXPECT_EQ(ahead.draws().engine().state(), plain.engine().state());
}

}  // namespace
}  // namespace nhot
