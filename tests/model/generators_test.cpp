#include "nhot/model/generators.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "nhot/base/error.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

using Bonds = std::set<std::pair<Site, Site>>;

Bonds bonds_of(const Model& model) {
  Bonds bonds;
  for (const Coupling& c : model.quadratic()->terms().couplings) bonds.insert({c.i, c.j});
  return bonds;
}

// Bonds found the slow way: every pair of sites, one step apart in exactly one dimension.
Bonds bonds_by_search(const std::vector<Site>& sides, bool periodic) {
  Site sites = 1;
  for (const Site side : sides) sites *= side;
  const auto position = [&](Site site) {
    std::vector<Site> at(sides.size());
    for (std::size_t d = sides.size(); d-- > 0; site /= sides[d]) at[d] = site % sides[d];
    return at;
  };
  Bonds bonds;
  for (Site i = 0; i < sites; ++i) {
    for (Site j = i + 1; j < sites; ++j) {
      const auto a = position(i);
      const auto b = position(j);
      int steps = 0;
      int apart = 0;
      for (std::size_t d = 0; d < sides.size(); ++d) {
        if (a[d] == b[d]) continue;
        ++apart;
        const Site gap = a[d] > b[d] ? a[d] - b[d] : b[d] - a[d];
        if (gap == 1 || (periodic && gap == sides[d] - 1)) ++steps;
      }
      if (apart == 1 && steps == 1) bonds.insert({i, j});
    }
  }
  return bonds;
}

TEST(Lattice, HasTheBondsOfItsShape) {
  const std::vector<std::vector<Site>> shapes = {{1},       {2},       {5},          {3, 4},
                                                 {2, 2},    {1, 6},    {4, 2, 3},    {2, 2, 2},
                                                 {3, 3, 3}, {6, 1, 2}, {2, 3, 2, 3}, {1, 1, 1}};
  for (const auto& sides : shapes) {
    for (const bool periodic : {true, false}) {
      const Model model = ferromagnet({sides, periodic});
      EXPECT_EQ(bonds_of(model), bonds_by_search(sides, periodic));
      EXPECT_EQ(model.quadratic()->merged(), 0u);
      EXPECT_EQ(model.lattice().sides, sides);
      for (const Coupling& c : model.quadratic()->terms().couplings) ASSERT_EQ(c.value, -1);
    }
  }
}

TEST(Lattice, SizesOfThePaper) {
  EXPECT_EQ(model_from_spec("ferromagnet:60x60").couplings(), 7200u);
  EXPECT_EQ(model_from_spec("spin-glass:9x9x9,seed=7").couplings(), 2187u);
  const Model aligned = model_from_spec("ferromagnet:60x60");
  EXPECT_EQ(aligned.energy(Bits(3600, 1)), -7200);
}

TEST(SpinGlass, CouplingsFollowTheirLawAndSeed) {
  const Model glass = model_from_spec("spin-glass:20x20x20,seed=7");
  double sum = 0;
  for (const Coupling& c : glass.quadratic()->terms().couplings) {
    ASSERT_EQ(std::fabs(c.value), 1);
    sum += c.value;
  }
  // 24000 fair signs: five standard deviations, one false alarm in two million seeds.
  EXPECT_LT(std::fabs(sum), 5 * std::sqrt(24000.0));
  EXPECT_EQ(glass.hash(), model_from_spec("spin-glass:20x20x20,seed=7,couplings=pm").hash());
  EXPECT_NE(glass.hash(), model_from_spec("spin-glass:20x20x20,seed=8").hash());
  EXPECT_NE(glass.hash(), model_from_spec("spin-glass:20x20x20,seed=7,open").hash());
}

// Seeded models are part of the reproducibility promise: their bits must not change.
TEST(SpinGlass, SeededSignsAreFixed) {
  EXPECT_EQ(model_from_spec("spin-glass:9x9x9,seed=7").hash(), "51a1627ab5890564");
}

TEST(Normal, HasTheMomentsAndTailsOfTheNormalLaw) {
  Xoshiro256 engine = make_stream(11, 0, 0, Purpose::test);
  NormalSource normal(engine);
  const int draws = 1'000'000;
  double sum = 0, square = 0, fourth = 0;
  int beyond_one = 0, beyond_three = 0;
  for (int k = 0; k < draws; ++k) {
    const double x = normal();
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    beyond_one += std::fabs(x) > 1;
    beyond_three += std::fabs(x) > 3;
  }
  // Each within five of its own standard deviations: together one false alarm in 350,000 seeds.
  const auto within = [&](double found, double expected, double variance) {
    EXPECT_LT(std::fabs(found / draws - expected), 5 * std::sqrt(variance / draws));
  };
  within(sum, 0, 1);
  within(square, 1, 2);
  within(fourth, 3, 96);
  const double one = std::erfc(1 / std::sqrt(2.0)), three = std::erfc(3 / std::sqrt(2.0));
  within(beyond_one, one, one * (1 - one));
  within(beyond_three, three, three * (1 - three));
}

TEST(Fields, AreIndependentAndBinary) {
  const Model model = model_from_spec("field:1000,seed=1");
  EXPECT_EQ(model.sites(), 1000u);
  EXPECT_EQ(model.couplings(), 0u);
  Bits bits(1000, 0);
  EXPECT_EQ(model.energy(bits), 0);
  bits[17] = 1;
  EXPECT_NEAR(model.energy(bits), model.quadratic()->linear()[17],
              model.quadratic()->fixed_point().rounding());
}

TEST(GaborRbm, FiltersAreLocalOrientedAndOfOneNorm) {
  const Model model = model_from_spec("rbm:784x500,seed=1");
  const RbmWeights& w = model.rbm()->weights();
  const auto row = [](std::size_t v) {
    const std::size_t whole = v / 28;
    return static_cast<double>(whole);
  };
  const auto column = [](std::size_t v) { return static_cast<double>(v % 28); };
  double widest = 0;
  for (std::size_t h = 0; h < 500; ++h) {
    double square = 0, mass_x = 0, mass_y = 0, spread = 0;
    for (std::size_t v = 0; v < 784; ++v) {
      const double weight = w.weights[h * 784 + v] * w.weights[h * 784 + v];
      square += weight;
      mass_x += weight * column(v);
      mass_y += weight * row(v);
    }
    for (std::size_t v = 0; v < 784; ++v) {
      const double dx = column(v) - mass_x / square;
      const double dy = row(v) - mass_y / square;
      spread += w.weights[h * 784 + v] * w.weights[h * 784 + v] * (dx * dx + dy * dy) / square;
    }
    widest = std::max(widest, std::sqrt(spread));
    EXPECT_NEAR(std::sqrt(square), 4, 0.01);
  }
  // Uniform weights on 28x28 would spread over 11.4 pixels.
  EXPECT_LT(widest, 9);
  EXPECT_NE(model.hash(), model_from_spec("rbm:784x500,seed=2").hash());
}

// The weights are those of the file that training wrote: the machine is trained, not noise. A state
// that training knows, a digit with its hidden units at their likelier value, is far below states
// of random pixels.
TEST(Generators, TheTrainedRbmKnowsDigits) {
  const Model model = model_from_spec("rbm:digits");
  ASSERT_NE(model.rbm(), nullptr);
  const RbmWeights& rbm = model.rbm()->weights();
  EXPECT_EQ(rbm.visible, 784U);
  EXPECT_EQ(rbm.hidden, 500U);
  for (const auto* values : {&rbm.weights, &rbm.hidden_bias, &rbm.visible_bias})
    for (const double value : *values) EXPECT_EQ(value * 64, std::round(value * 64));
  EXPECT_EQ(rbm.visible_bias.size(), 784U);
  EXPECT_EQ(rbm.hidden_bias.size(), 500U);
  const auto free_energy = [&](auto&& pixel) {
    double energy = 0;
    for (Site v = 0; v < 784; ++v) energy -= pixel(v) ? rbm.visible_bias[v] : 0;
    for (Site h = 0; h < 500; ++h) {
      double input = rbm.hidden_bias[h];
      for (Site v = 0; v < 784; ++v) input += pixel(v) ? rbm.weights[h * 784 + v] : 0;
      energy -= std::log1p(std::exp(input));
    }
    return energy;
  };
  // A one: a stroke three pixels wide; and as many pixels in a row at the top, where no digit is.
  const auto stroke = [](Site v) {
    return v / 28 >= 5 && v / 28 < 23 && v % 28 >= 13 && v % 28 < 16;
  };
  const auto top = [](Site v) { return v < 54; };
  EXPECT_LT(free_energy(stroke) + 100, free_energy(top));
}

TEST(GaborRbm, AnySizeWorks) {
  for (const char* spec : {"rbm:1x1", "rbm:2x3", "rbm:4x3", "rbm:7x2", "rbm:12x5", "rbm:30x1"}) {
    const Model model = model_from_spec(spec);
    double largest = 0;
    for (const double w : model.rbm()->weights().weights) largest = std::max(largest, std::fabs(w));
    EXPECT_GT(largest, 0.5) << spec;
    EXPECT_LE(largest, 4.0 + 1e-12) << spec;
  }
}

std::string problem_with(const std::string& spec) {
  try {
    model_from_spec(spec);
  } catch (const InputError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "accepted";
}

TEST(Spec, NameRoundTrips) {
  for (const char* spec : {"ferromagnet:60x60", "ferromagnet:5,open", "spin-glass:3x3x3,seed=7",
                           "spin-glass:3x3,seed=7,couplings=gaussian,open", "rbm:12x5,seed=3",
                           "field:10,seed=18446744073709551615"}) {
    const Model model = model_from_spec(spec);
    EXPECT_EQ(model.name(), spec);
    EXPECT_TRUE(is_model_spec(spec));
  }
  EXPECT_TRUE(is_model_spec("ferromagnet"));
  EXPECT_FALSE(is_model_spec("ferromagnet.coo"));
  EXPECT_FALSE(is_model_spec("graph.mtx"));
}

TEST(Spec, MistakesAreNamedWithAnExample) {
  const auto says = [](const std::string& spec, const std::string& problem,
                       const std::string& hint) {
    const std::string found = problem_with(spec);
    EXPECT_NE(found.find(problem), std::string::npos) << spec << ": " << found;
    EXPECT_NE(found.find(hint), std::string::npos) << spec << ": " << found;
  };
  says("feromagnet:60x60", "unknown model 'feromagnet'", "did you mean 'ferromagnet'?");
  says("ferromagnet", "the size is missing", "ferromagnet:60x60");
  says("ferromagnet:", "the size is missing", "ferromagnet:60x60");
  says("ferromagnet:60x", "the size '60x' is not", "ferromagnet:60x60");
  says("ferromagnet:-3x4", "the size '-3x4' is not", "ferromagnet:60x60");
  says("ferromagnet:3.5", "the size '3.5' is not", "ferromagnet:60x60");
  says("ferromagnet:0x4", "holds a 0", "ferromagnet:60x60");
  says("ferromagnet:100000x100000", "too many sites", "268435456");
  says("ferromagnet:99999999999999999999", "not made of whole numbers", "ferromagnet:60x60");
  says("ferromagnet:4294967296", "is too large", "268435456");
  says("ferromagnet:4x4,opne", "unknown option 'opne'", "did you mean 'open'?");
  says("ferromagnet:4x4,seed=1", "unknown option 'seed'", "known: open, periodic");
  says("ferromagnet:4x4,open=1", "takes no value", "ferromagnet:60x60,open");
  says("ferromagnet:4x4,", "an option is empty", "ferromagnet:60x60");
  says("spin-glass:4x4,seed=x", "seed 'x' is not a whole number", "seed=7");
  says("spin-glass:4x4,seed", "seed '' is not a whole number", "seed=7");
  says("spin-glass:4x4,seed=-1", "seed '-1' is not a whole number", "seed=7");
  says("spin-glass:4x4,seed=1,seed=2", "given twice", "seed=7");
  says("spin-glass:4x4,couplings=gausian", "unknown couplings", "did you mean 'gaussian'?");
  says("rbm:digits,seed=1", "rbm:digits takes no options", "write rbm:digits");
  says("rbm:784", "the size has 1 parts, expected 2", "rbm:784x500");
  says("rbm:200000x50000", "cannot be made", "rbm:784x500");
  says("field:10x10", "the size has 2 parts, expected 1", "field:1000");
}

}  // namespace
}  // namespace nhot
