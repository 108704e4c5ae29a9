#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "chain/chains.hpp"
#include "nhot/chain/factory.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

TEST(Chains, AreOfEveryKernelEngineAndKind) {
  std::set<std::string> kinds;
  std::set<std::string> pairs;
  for (const ChainCase& c : all_chain_cases()) {
    kinds.insert(c.setup->move().substr(0, c.setup->move().find(':')));
    pairs.insert(std::string(c.setup->kernel_name()) + "/" + c.setup->engine());
  }
  for (const std::string_view kernel : kernel_names)
    for (const std::string& engine : engines_for(kernel))
      EXPECT_EQ(pairs.count(std::string(kernel) + "/" + engine), 1u) << kernel << "/" << engine;
  EXPECT_EQ(kinds.count("swap") + kinds.count("kawasaki") + kinds.count("im"), 3u);
}

TEST(Chains, KeepTheirEnergyInStepWithTheirBits) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(1);
    EXPECT_EQ(chain->energy(), c.model.energy(chain->bits())) << c.name;
    double lowest = chain->energy();
    for (int k = 0; k < 200; ++k) {
      chain->advance(1);
      const double energy = c.model.energy(chain->bits());
      ASSERT_EQ(chain->energy(), energy) << c.name;
      ASSERT_TRUE(c.shell->contains(chain->bits())) << c.name;
      lowest = std::min(lowest, chain->energy());
    }
    EXPECT_EQ(chain->counters().best_energy, lowest) << c.name;
    EXPECT_EQ(chain->counters().moves, 200u);
    EXPECT_LE(chain->counters().accepted, 200u);
    EXPECT_GE(chain->counters().steps, 200u) << c.name;
    chain->reset_counters();
    EXPECT_EQ(chain->counters().moves, 0u);
    EXPECT_EQ(chain->counters().best_energy, chain->energy());
  }
}

// One state, one energy: whatever the path, the start, the engine.
TEST(Chains, HaveAsManyEnergiesAsStates) {
  for (const ChainCase& c : all_chain_cases()) {
    std::map<Bits, std::set<double>> energies;
    for (const std::uint64_t seed : {1, 2}) {
      const auto chain = c.make(seed);
      for (int k = 0; k < 500; ++k) {
        chain->advance(1);
        energies[chain->bits()].insert(chain->energy());
      }
    }
    for (const auto& [bits, found] : energies) {
      ASSERT_EQ(found.size(), 1u) << c.name;
      ASSERT_EQ(*found.begin(), c.model.energy(bits)) << c.name;
    }
  }
}

TEST(Chains, ReportTheSitesThatTheLastMoveChanged) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(2);
    for (int k = 0; k < 100; ++k) {
      const Bits before = chain->bits();
      const std::uint64_t accepted = chain->counters().accepted;
      const std::uint64_t changes = chain->counters().changed;
      chain->advance(1);
      const Bits after = chain->bits();
      std::uint32_t changed = 0;
      for (std::size_t i = 0; i < before.size(); ++i) changed += before[i] != after[i];
      ASSERT_EQ(chain->last_move().hamming, changed) << c.name;
      ASSERT_EQ(chain->counters().changed, changes + (changed > 0 ? 1 : 0)) << c.name;
      ASSERT_EQ(chain->last_move().accepted, chain->counters().accepted == accepted + 1) << c.name;
    }
  }
}

TEST(Chains, DependOnTheirSeedAlone) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto one = c.make(3);
    const auto same = c.make(3);
    const auto other = c.make(4);
    one->advance(300);
    for (int k = 0; k < 30; ++k) same->advance(10);  // chunks do not matter
    other->advance(300);
    EXPECT_EQ(one->bits(), same->bits()) << c.name;
    EXPECT_EQ(one->energy(), same->energy()) << c.name;
    EXPECT_NE(one->bits(), other->bits()) << c.name;
  }
}

// A chain that is given a beta is the chain that had it from the start.
TEST(Chains, FollowAChangeOfBeta) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(5);
    chain->set_beta(0.9);
    EXPECT_EQ(chain->beta(), 0.9);
    const ChainSetup warm(c.model, c.shell, c.setup->move(), 0.9, c.setup->kernel_name());
    const auto expected = warm.make(RandomDraws(make_stream(5, 0, 0, Purpose::moves)), c.start(5));
    chain->advance(200);
    expected->advance(200);
    EXPECT_EQ(chain->bits(), expected->bits()) << c.name;
    EXPECT_EQ(chain->energy(), expected->energy()) << c.name;
    for (const double beta : {-1.0, std::nan(""), HUGE_VAL})
      EXPECT_THROW(chain->set_beta(beta), InputError);
    EXPECT_EQ(chain->beta(), 0.9);
  }
}

TEST(Chains, TakeBitsOnTheShellOnly) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(6);
    chain->advance(20);
    const Bits other = c.start(77);
    chain->set_bits(other);
    EXPECT_EQ(chain->bits(), other);
    EXPECT_EQ(chain->energy(), c.model.energy(other));
    Bits off = other;
    off[0] ^= 1;
    EXPECT_NE(whole_of(refusal([&] { chain->set_bits(off); })).find("by 1"), std::string::npos);
    off.pop_back();
    EXPECT_THROW(chain->set_bits(off), InputError);
    EXPECT_EQ(chain->bits(), other);
    chain->advance(20);
    EXPECT_TRUE(c.shell->contains(chain->bits()));
  }
}

/// Beyond the caches, swap looks ahead when it has many moves to make; short runs do not.
TEST(Chains, GoTheSameWayHoweverTheirMovesAreShared) {
  const Model model = model_from_spec("ferromagnet:300x300");
  ASSERT_GE(model.sites(), SwapPrefetcher::least_sites);
  const Shell shell(Bits(model.sites(), 0), 30'000);
  const ChainFactory factory(model, shell, "swap", 0.4);
  RandomDraws draws(make_stream(7, 0, 0, Purpose::start));
  const Bits start = shell.draw_uniform(draws);
  const auto whole = factory.make(make_stream(7, 0, 0, Purpose::moves), start);
  const auto parts = factory.make(make_stream(7, 0, 0, Purpose::moves), start);
  whole->advance(20'000);
  for (int k = 0; k < 2000; ++k) parts->advance(10);
  EXPECT_GT(whole->counters().accepted, 1000U);
  EXPECT_EQ(whole->counters().accepted, parts->counters().accepted);
  EXPECT_EQ(whole->bits(), parts->bits());
}

TEST(ChainFactory, SaysHowFarAStartIsOff) {
  const ChainFactory factory(model_from_spec("ferromagnet:4x4"), Shell(Bits(16, 0), 5), "swap",
                             0.4);
  const Xoshiro256 stream = make_stream(1, 0, 0, Purpose::moves);
  const auto said = [&](const Bits& start) {
    return whole_of(refusal([&] { factory.make(stream, start); }));
  };
  Bits start(16, 0);
  for (int k = 0; k < 8; ++k) start[k] = 1;
  EXPECT_EQ(said(start),
            "the start is at distance 8 from the reference, off the shell of distance 5 by 3 | "
            "give a start on the shell, or {distance 8}");
  EXPECT_EQ(said(Bits(15, 0)),
            "the start has 15 bits but the model has 16 sites | give one bit per site");
  EXPECT_THROW(ChainFactory(model_from_spec("ferromagnet:4x4"), Shell(Bits(15, 0), 5), "swap", 0.4),
               InputError);
  for (const double beta : {-0.1, std::nan(""), HUGE_VAL})
    EXPECT_THROW(
        ChainFactory(model_from_spec("ferromagnet:4x4"), Shell(Bits(16, 0), 5), "swap", beta),
        InputError);
}

TEST(ChainSetup, ChoosesTheEngineByTheModel) {
  const auto engine = [](const char* model, Site sites) {
    return ChainFactory(model_from_spec(model), Shell(Bits(sites, 0), sites / 2), "im", 0.5)
        .engine();
  };
  EXPECT_EQ(engine("ferromagnet:6x6", 36), "classes");
  EXPECT_EQ(engine("spin-glass:3x3x3,seed=1", 27), "classes");
  EXPECT_EQ(engine("spin-glass:6x6,seed=1,couplings=gaussian", 36), "sums");
  EXPECT_EQ(engine("rbm:9x4,seed=1", 13), "dense");
  EXPECT_EQ(engine("field:50,seed=1", 50), "sums");
  EXPECT_EQ(ChainFactory(complete_model(), Shell(Bits(70, 0), 7), "im", 0.5).engine(), "dense");
  EXPECT_EQ(ChainFactory(complete_model(), Shell(Bits(70, 0), 7), "swap", 0.5).engine(), "none");
}

TEST(ChainSetup, RefusesAKernelThatDoesNotFit) {
  const auto make = [](const Model& model, const char* move, const char* kernel) {
    ChainSetup(model, std::make_shared<const Shell>(Bits(model.sites(), 0), 3), move, 0.5, kernel);
  };
  EXPECT_THROW(make(gaussian_model(), "swap", "integer"), InputError);
  EXPECT_THROW(make(gaussian_model(), "swap", "rbm"), InputError);
  EXPECT_THROW(make(rbm_model(), "swap", "dense"), InputError);
  EXPECT_THROW(make(integer_model(), "im:engine=tree", "dense"), InputError);
  EXPECT_NO_THROW(make(integer_model(), "im", "dense"));
  EXPECT_NO_THROW(make(integer_model(), "im:engine=linear", "real"));
}

}  // namespace
}  // namespace nhot::test
