#include "nhot/move/block.hpp"

#include <gtest/gtest.h>

#include "move/small_models.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

// --- the draw of a layer ---------------------------------------------------------------------

/// P(b) for all b of the given count, by adding up every branch of a draw; index: bits as a number.
std::vector<double> enumerated_law(const std::vector<double>& log_odds, Site count) {
  std::vector<double> law(std::size_t{1} << log_odds.size(), 0.0);
  BranchScript script;
  EnumeratingDraws draws(script);
  FixedCountBits sampler;
  for_each_branch(script, [&] {
    Bits bits;
    sampler.draw(log_odds, count, draws, bits);
    std::size_t code = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) code |= std::size_t{bits[i]} << i;
    law[code] += script.probability();
  });
  return law;
}

std::vector<double> wanted_law(const std::vector<double>& log_odds, Site count) {
  std::vector<double> exponents(std::size_t{1} << log_odds.size(), -INFINITY);
  double largest = -INFINITY;
  for (std::size_t code = 0; code < exponents.size(); ++code) {
    if (static_cast<Site>(std::popcount(code)) != count) continue;
    double sum = 0;
    for (std::size_t i = 0; i < log_odds.size(); ++i)
      if (code >> i & 1U) sum += log_odds[i];
    exponents[code] = sum;
    largest = std::max(largest, sum);
  }
  std::vector<double> law;
  double total = 0;
  for (const double e : exponents) {
    law.push_back(std::exp(e - largest));
    total += law.back();
  }
  for (double& p : law) p /= total;
  return law;
}

TEST(FixedCountBits, FollowTheConditionalLaw) {
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  NormalSource normal(engine);
  for (Site size = 1; size <= 8; ++size) {
    for (const double scale : {0.0, 1.0, 30.0, 500.0}) {
      std::vector<double> log_odds;
      for (Site i = 0; i < size; ++i) log_odds.push_back(scale * normal());
      for (Site count = 0; count <= size; ++count) {
        const std::vector<double> law = enumerated_law(log_odds, count);
        const std::vector<double> wanted = wanted_law(log_odds, count);
        for (std::size_t code = 0; code < law.size(); ++code)
          EXPECT_NEAR(law[code], wanted[code], 1e-14) << size << " " << scale << " " << count;
      }
    }
  }
}

TEST(FixedCountBits, ATwoPercentErrorWouldBeSeen) {
  const std::vector<double> log_odds = {0.3, -1.0, 0.8, 0.1};
  const std::vector<double> law = enumerated_law(log_odds, 2);
  const std::vector<double> other = wanted_law({0.3, -1.0, 0.82, 0.1}, 2);
  double worst = 0;
  for (std::size_t code = 0; code < law.size(); ++code)
    worst = std::max(worst, std::abs(law[code] - other[code]));
  EXPECT_GT(worst, 1e-3);
}

// Ties, gaps and sizes at the end of the range: the largest must win, ties must be fair.
TEST(FixedCountBits, HoldAtTheExtremes) {
  const double huge = 1e300;
  EXPECT_EQ(enumerated_law({huge, -huge, huge, 0}, 2)[0b0101], 1);
  const std::vector<double> tied = enumerated_law({huge, huge, huge, -huge}, 2);
  EXPECT_NEAR(tied[0b0011], 1.0 / 3, 1e-15);
  EXPECT_NEAR(tied[0b0101], 1.0 / 3, 1e-15);
  EXPECT_NEAR(tied[0b0110], 1.0 / 3, 1e-15);
  const std::vector<double> low = enumerated_law({-huge, -huge, -huge, -huge, huge}, 3);
  for (std::size_t code = 0; code < low.size(); ++code)
    EXPECT_NEAR(low[code], std::popcount(code) == 3 && code >= 16 ? 1.0 / 6 : 0.0, 1e-15);
  EXPECT_EQ(enumerated_law({0, 1e17, 2e17, 3e17}, 1)[0b1000], 1);
}

// A sum of many bits: the mean of each bit against the recursion for elementary symmetric
// polynomials, in logarithms, which is slow and obvious.
TEST(FixedCountBits, LargeLayersHaveTheRightMeans) {
  Xoshiro256 engine = make_stream(2, 0, 0, Purpose::test);
  NormalSource normal(engine);
  constexpr Site size = 300;
  constexpr Site count = 110;
  std::vector<double> log_odds;
  for (Site i = 0; i < size; ++i) log_odds.push_back(2 * normal());
  const auto log_esp = [&](Site without, Site degree) {
    std::vector<double> e(degree + 1, -INFINITY);
    e[0] = 0;
    for (Site i = 0; i < size; ++i) {
      if (i == without) continue;
      for (Site k = degree; k > 0; --k) {
        const double a = e[k];
        const double b = e[k - 1] + log_odds[i];
        const double top = std::max(a, b);
        if (top > -INFINITY) e[k] = top + std::log(std::exp(a - top) + std::exp(b - top));
      }
    }
    return e[degree];
  };
  FixedCountBits sampler;
  RandomDraws draws(make_stream(3, 0, 0, Purpose::test));
  constexpr int repeats = 20'000;
  std::vector<double> mean(size, 0.0);
  Bits bits;
  for (int r = 0; r < repeats; ++r) {
    sampler.draw(log_odds, count, draws, bits);
    Site sum = 0;
    for (Site i = 0; i < size; ++i) {
      sum += bits[i];
      mean[i] += bits[i];
    }
    ASSERT_EQ(sum, count);
  }
  // 30 bits at 5 standard errors: a false alarm in 60,000 suites.
  const double all = log_esp(size, count);
  for (Site i = 0; i < size; i += 10) {
    const double p = std::exp(log_odds[i] + log_esp(i, count - 1) - all);
    EXPECT_NEAR(mean[i] / repeats, p, 5 * std::sqrt(p * (1 - p) / repeats) + 1e-9) << i;
  }
}

// --- the move --------------------------------------------------------------------------------

TEST(BlockMove, KeepsTheLaw) {
  for (const char* move :
       {"block", "block:cross=0", "block:cross=1,length=1..2", "block:cross=0.3,length=2,bias=exp",
        "block:cross=0.8,length=1..3,bias=min,gamma=0.7", "0.5*block:cross=0 + 0.5*im:length=1",
        "0.5*block:cross=0 + 0.5*im:length=1,engine=linear", "0.5*block:cross=0.1 + 0.5*swap"}) {
    const bool crosses = std::string(move) != "block:cross=0";
    const auto check = [&](const Model& model, const Bits& reference, Site n, double beta) {
      const ExactErrors errors = exact_errors(model, make_shell(reference, n), move, beta);
      EXPECT_LT(errors.worst(), 1e-13) << move << " n " << n << " beta " << beta;
      EXPECT_EQ(errors.irreducible, crosses) << move;
    };
    check(small_rbm(4, 3, 1), Bits(7, 0), 3, 0.7);
    check(small_rbm(3, 4, 2), {1, 0, 1, 0, 0, 1, 0}, 3, 1.1);
    check(small_rbm(2, 5, 3), Bits(7, 1), 4, 0.3);
    check(small_rbm(4, 3, 4), Bits(7, 0), 3, 0.0);
  }
}

TEST(BlockMove, ASingleStateStaysWhereItIs) {
  for (const Site n : {0u, 5u}) {
    const ExactErrors errors =
        exact_errors(small_rbm(3, 2, 2), make_shell({0, 1, 0, 0, 1}, n), "block", 1.0);
    EXPECT_EQ(errors.worst(), 0);
  }
}

TEST(BlockMove, SurvivesExtremeInput) {
  for (const double scale : {1e-300, 1e300}) {
    const Model model = small_rbm(5, 4, 3, scale);
    for (const double beta : {0.0, 1.0, 1e6}) {
      const Shell shell(Bits(9, 0), 4);
      const auto chain =
          ChainSetup(model, std::make_shared<const Shell>(shell), "block", beta)
              .make(RandomDraws(make_stream(1, 0, 0, Purpose::test)), {0, 0, 0, 0, 0, 1, 1, 1, 1});
      chain->advance(300);
      EXPECT_TRUE(std::isfinite(chain->energy()));
      EXPECT_TRUE(shell.contains(chain->bits()));
    }
  }
}

TEST(BlockMove, KeepsCachedEnergiesOnALargerMachine) {
  const Model model = model_from_spec("rbm:64x40,seed=2");
  const Shell shell(Bits(104, 0), 30);
  RandomDraws draws(make_stream(5, 0, 0, Purpose::test));
  const auto chain = ChainSetup(model, std::make_shared<const Shell>(shell), "block", 1.0)
                         .make(draws, shell.draw_uniform(draws));
  chain->advance(2000);
  EXPECT_TRUE(shell.contains(chain->bits()));
  EXPECT_EQ(chain->energy(), model.energy(chain->bits()));
}

TEST(BlockMove, RefusesAndNotes) {
  const auto shell = make_shell(Bits(6, 0), 3);
  for (const Model& model : {dense_spins(6, 1), model_from_spec("ferromagnet:2x3")}) {
    try {
      ChainSetup(model, shell, "block", 1.0);
      ADD_FAILURE() << "not refused";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("the model is not an RBM"), std::string::npos);
    }
  }
  const Model rbm = small_rbm(3, 3, 1);
  EXPECT_EQ(
      ChainSetup(rbm, shell, "block:cross=0", 1.0).unreachable_reason().find("block: with cross=0"),
      0u);
  EXPECT_TRUE(ChainSetup(rbm, shell, "block", 1.0).unreachable_reason().empty());
  EXPECT_TRUE(
      ChainSetup(rbm, shell, "0.5*block:cross=0 + 0.5*im", 1.0).unreachable_reason().empty());
  EXPECT_EQ(ChainSetup(rbm, shell, "block", 1.0).move(),
            "block:cross=0.5,length=1..3,bias=logistic,gamma=beta");
  EXPECT_THROW(ChainSetup(rbm, shell, "block:cross=1.5", 1.0), InputError);
  EXPECT_THROW(ChainSetup(rbm, shell, "block:length=4", 1.0), InputError);
}

}  // namespace
}  // namespace nhot::test
