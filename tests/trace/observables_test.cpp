#include "nhot/trace/observables.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "nhot/model/generators.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

Bits random_bits(std::size_t size, std::uint64_t seed) {
  RandomDraws draws(make_stream(seed, 0, 0, Purpose::test));
  Bits bits(size);
  for (Bit& bit : bits) bit = draws.accept(0.4);
  return bits;
}

double measure(const Model& model, const std::string& name, const Bits& bits) {
  for (const auto& observable : observables_for(model))
    if (observable->name() == name) return observable->measure(bits);
  ADD_FAILURE() << "no " << name;
  return nan;
}

/// By its formula, site by site; the last coordinate runs fastest.
double slow_mode(const std::vector<Site>& sides, const Bits& bits) {
  const Site longest = *std::max_element(sides.begin(), sides.end());
  double sum = 0;
  int directions = 0;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    if (sides[d] != longest) continue;
    ++directions;
    std::complex<double> mode = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      std::size_t rest = i;
      for (std::size_t e = sides.size() - 1; e > d; --e) rest /= sides[e];
      const double angle = 2 * std::numbers::pi * static_cast<double>(rest % longest) / longest;
      mode += (2.0 * bits[i] - 1.0) * std::polar(1.0, angle);
    }
    sum += std::norm(mode) / static_cast<double>(bits.size());
  }
  return sum / directions;
}

TEST(SlowestMode, IsTheStructureFactorOfItsFormula) {
  const std::pair<const char*, std::vector<Site>> cases[] = {
      {"ferromagnet:7", {7}},          {"ferromagnet:130", {130}},
      {"ferromagnet:60x60", {60, 60}}, {"ferromagnet:3x100", {3, 100}},
      {"ferromagnet:100x3", {100, 3}}, {"spin-glass:5x5x5,seed=1", {5, 5, 5}},
      {"ferromagnet:70x71", {70, 71}}};
  for (const auto& [text, sides] : cases) {
    const Model model = model_from_spec(text);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      const Bits bits = random_bits(model.sites(), seed);
      EXPECT_NEAR(measure(model, "slowest_mode", bits), slow_mode(sides, bits), 1e-9) << text;
    }
  }
}

TEST(ActiveHidden, CountsTheHiddenUnits) {
  const Model model = model_from_spec("rbm:70x66,seed=1");
  const Bits bits = random_bits(model.sites(), 1);
  double active = 0;
  for (std::size_t i = 70; i < bits.size(); ++i) active += bits[i];
  EXPECT_EQ(measure(model, "active_hidden", bits), active);
}

TEST(Overlap, IsTheMeanProductOfSpins) {
  const Bits a = random_bits(1001, 1);
  const Bits b = random_bits(1001, 2);
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (2.0 * a[i] - 1) * (2.0 * b[i] - 1);
  EXPECT_NEAR(overlap(a, b), sum / 1001, 1e-15);
  EXPECT_EQ(overlap(a, a), 1);
}

}  // namespace
}  // namespace nhot
