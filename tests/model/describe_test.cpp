#include "nhot/model/describe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

std::map<std::string, std::string> facts_of(const Model& model) {
  std::map<std::string, std::string> facts;
  for (const auto& [name, fact] : describe(model)) facts[name] = to_text(fact);
  return facts;
}

TEST(FactText, WholeNumbersAreExact) {
  EXPECT_EQ(to_text(Fact(-7)), "-7");
  EXPECT_EQ(to_text(Fact(0)), "0");
  EXPECT_EQ(to_text(Fact(std::int64_t{9007199254740993})), "9007199254740993");  // no double
  EXPECT_EQ(to_text(Fact(std::int64_t{-9007199254740993})), "-9007199254740993");
  EXPECT_EQ(to_text(Fact(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  EXPECT_EQ(to_text(Fact(std::numeric_limits<std::int64_t>::max())), "9223372036854775807");
  EXPECT_EQ(to_text(Fact(std::numeric_limits<std::uint64_t>::max())), "18446744073709551615");
}

TEST(FactText, OtherValues) {
  EXPECT_EQ(to_text(Fact(0.1)), "0.1");
  EXPECT_EQ(to_text(Fact(-2.0)), "-2");
  EXPECT_EQ(to_text(Fact(true)), "yes");
  EXPECT_EQ(to_text(Fact("spin")), "spin");
}

TEST(Describe, ALattice) {
  auto facts = facts_of(model_from_spec("ferromagnet:4x5,open"));
  EXPECT_EQ(facts["sites"], "20");
  EXPECT_EQ(facts["couplings"], "31");
  EXPECT_EQ(facts["kind"], "quadratic");
  EXPECT_EQ(facts["convention"], "spin");
  EXPECT_EQ(facts["degree_min"], "2");
  EXPECT_EQ(facts["degree_max"], "4");
  EXPECT_EQ(facts["degree_mean"], "3.1");
  EXPECT_EQ(facts["components"], "1");
  EXPECT_EQ(facts["coupling_integer"], "yes");
  EXPECT_EQ(facts["energy_low"], "-31");
  EXPECT_EQ(facts["lattice"], "4x5");
  EXPECT_EQ(facts["periodic"], "no");
  EXPECT_EQ(facts["hash"].size(), 16u);
}

TEST(Describe, AnRbm) {
  auto facts = facts_of(model_from_spec("rbm:12x5,seed=2"));
  EXPECT_EQ(facts["kind"], "rbm");
  EXPECT_EQ(facts["visible"], "12");
  EXPECT_EQ(facts["hidden"], "5");
  EXPECT_EQ(facts["couplings"], "60");
  EXPECT_EQ(facts.count("lattice"), 0u);
}

TEST(Describe, ComponentsOfADisconnectedGraph) {
  QuadraticTerms terms;
  terms.sites = 7;
  terms.couplings = {{0, 5, 1}, {5, 3, 1}, {1, 6, 1}};
  EXPECT_EQ(connected_components(Model("parts", QuadraticModel(terms)).data()), 4u);
}

TEST(Describe, BoundsHoldEveryEnergyAndAreTightWithoutCouplings) {
  for (const char* spec : {"spin-glass:2x4,seed=3,couplings=gaussian", "field:8,seed=3"}) {
    const Model model = model_from_spec(spec);
    const EnergyBounds bounds = energy_bounds(*model.quadratic());
    double lowest = 1e300, highest = -1e300;
    for (unsigned code = 0; code < 256; ++code) {
      Bits bits(8);
      for (unsigned i = 0; i < 8; ++i) bits[i] = (code >> i) & 1;
      lowest = std::min(lowest, model.energy(bits));
      highest = std::max(highest, model.energy(bits));
    }
    EXPECT_LE(bounds.low, lowest);
    EXPECT_GE(bounds.high, highest);
    if (model.couplings() == 0) {
      EXPECT_EQ(bounds.low, lowest);
      EXPECT_EQ(bounds.high, highest);
    }
  }
}

}  // namespace
}  // namespace nhot
