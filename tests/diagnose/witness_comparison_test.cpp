#include "nhot/diagnose/witness_comparison.hpp"

#include <gtest/gtest.h>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// A model of two valleys: valley 1 with probability `share`, then sites of its own mean.
struct Valleys {
  double share = 0.5;

  Bits draw(RandomDraws& draws) const {
    const bool first = draws.accept(share);
    Bits bits(30);
    for (std::size_t i = 0; i < bits.size(); ++i)
      bits[i] = draws.accept(first == (i < 15) ? 0.8 : 0.2);
    return bits;
  }
  static double energy(const Bits& bits) {
    double sum = 0;
    for (const Bit bit : bits) sum += bit;
    return sum;
  }
};

WitnessComparison compare(const Valleys& chains, const Valleys& witness, std::uint64_t seed,
                          double weight_spread = 0) {
  RandomDraws draws(make_stream(seed, 0, 0, Purpose::test));
  std::vector<std::vector<PackedBits>> states(4);
  std::vector<std::vector<double>> energies(4);
  for (std::size_t c = 0; c < 4; ++c)
    for (int s = 0; s < 256; ++s) {
      const Bits state = chains.draw(draws);
      states[c].emplace_back(state);
      energies[c].push_back(Valleys::energy(state));
    }
  std::vector<WitnessPopulation> populations(16);
  for (WitnessPopulation& population : populations) {
    population.log_weight = weight_spread * (draws.uniform() - 0.5);
    for (int k = 0; k < 64; ++k) {
      const Bits state = witness.draw(draws);
      population.states.emplace_back(state);
      population.energy += Valleys::energy(state) / 64;
    }
  }
  return compare_with_witness(states, energies, populations);
}

/// Wrong alarms over 100 pairs of one law, each with four chances in a thousand of one: three or
/// more have a probability of eight thousandths.
TEST(Witness, AgreesWithChainsOfTheSameLaw) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    alarms += judge_witness(compare({0.5}, {0.5}, seed, seed % 2 == 0 ? 0 : 1)).agrees ? 0 : 1;
  EXPECT_LE(alarms, 2);
}

TEST(Witness, DisagreesWithChainsThatSitInOneValley) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const WitnessFinding found = judge_witness(compare({1.0}, {0.5}, seed));
    EXPECT_FALSE(found.agrees);
    EXPECT_NE(found.sentence.find("disagrees"), std::string::npos) << found.sentence;
  }
}

/// The valley that the chains miss holds 8%.
TEST(Witness, SeesASmallValley) {
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    seen += judge_witness(compare({1.0}, {0.92}, seed)).agrees ? 0 : 1;
  EXPECT_GE(seen, 19);
}

TEST(Witness, IsUndecidedWhereOnePopulationOutweighsAllOthers) {
  const WitnessFinding found = judge_witness(compare({0.5}, {0.5}, 1, 100));
  EXPECT_FALSE(found.agrees);
  EXPECT_NE(found.sentence.find("undecided"), std::string::npos) << found.sentence;
}

TEST(Witness, WithoutPopulationsSaysNothing) {
  EXPECT_TRUE(judge_witness(WitnessComparison{}).sentence.empty());
}

}  // namespace
}  // namespace nhot
