// Blocks of replicas: the same states as a slow simulation from the same streams, on every
// instruction set this machine has; counters and energies of every replica; archives.
#include <gtest/gtest.h>
#include <algorithm>

#include "chain/replica_oracle.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/chain/replicas/block.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "support/simd_paths.hpp"

namespace nhot::test {
namespace {

struct Setting {
  std::string name;
  Model model;
  Site distance;
  double beta;
  std::size_t replicas;
  bool mixed = false;  // the reference
};

Model with_fields() {
  QuadraticTerms terms = ferromagnet({{7, 9}, true}).quadratic()->terms();
  terms.linear.resize(terms.sites);
  for (Site i = 0; i < terms.sites; ++i) terms.linear[i] = static_cast<double>(i % 5) - 1;
  for (Coupling& c : terms.couplings) c.value = (c.i + c.j) % 3 == 0 ? 2 : -1;
  return {"with-fields", QuadraticModel(std::move(terms))};
}

Model antiferromagnet() {
  QuadraticTerms terms = ferromagnet({{12, 13}, true}).quadratic()->terms();
  for (Coupling& c : terms.couplings) c.value = 0.25;
  return {"antiferromagnet", QuadraticModel(std::move(terms))};
}

std::vector<Setting> settings() {
  return {{"batches of four", model_from_spec("ferromagnet:12x12"), 70, 0.3, 64},
          {"batches, antiferromagnet", antiferromagnet(), 30, 1.3, 9},
          {"batches of six", model_from_spec("spin-glass:6x6x6,seed=5"), 100, 0.4, 64, true},
          {"batches of six, one sign", model_from_spec("ferromagnet:6x6x6"), 50, 0.1, 33},
          {"batches of four, two signs", model_from_spec("spin-glass:11x11,seed=2"), 60, 0.8, 64},
          {"few sites", model_from_spec("ferromagnet:5x5"), 12, 0.2, 64},
          {"open", model_from_spec("ferromagnet:8x8,open"), 30, 0.3, 5},
          {"fields", with_fields(), 20, 0.2, 64, true},
          {"no temperature", model_from_spec("ferromagnet:12x12"), 72, 0.0, 64},
          {"wide", model_from_spec("ferromagnet:12x12"), 70, 0.3, 512},
          {"wide, six", model_from_spec("spin-glass:6x6x6,seed=5"), 100, 0.4, 300, true},
          {"wide, fields", with_fields(), 30, 0.2, 257, true}};
}

class Blocks {
 public:
  explicit Blocks(const Setting& setting)
      : setting_(setting),
        shell_(std::make_shared<const Shell>(reference(setting), setting.distance)),
        kernel_(setting.model.shared_quadratic(), shell_->reference(),
                find_grid(*setting.model.quadratic(), shell_->reference(), 1 << 20)),
        model_(std::make_shared<const ReplicaModel>(kernel_, *shell_)) {
    for (std::size_t k = 0; k < setting.replicas; ++k) {
      RandomDraws draws(make_stream(8, 0, k, Purpose::start));
      starts_.push_back(shell_->draw_uniform(draws));
    }
  }

  ReplicaBlock block(SimdPath path = simd_path(), std::uint64_t seed = 8) const {
    return ReplicaBlock(model_, shell_, setting_.beta, starts_, seed, 0, replica_loops(path));
  }

  ReplicaOracle oracle() {
    table_.set(setting_.beta, model_->unit(), 0);  // thresholds alone
    WideXoshiro coins;
    for (std::size_t k = 0; k < 8; ++k) coins.set_stream(k, make_stream(8, k, 0, Purpose::coins));
    std::vector<Bits> u;
    for (const Bits& start : starts_) u.push_back(shell_->relative(start));
    const ReplicaTerms terms = model_->terms();
    const bool wide = setting_.replicas > 64;
    const bool batches = !wide && terms.degree > 0 && terms.sites >= 24 * (terms.degree + 1);
    return ReplicaOracle(setting_.model, *shell_, table_, model_->unit(), std::move(u), wide,
                         batches, terms.one_sign && terms.all_negative,
                         make_stream(8, 0, 0, Purpose::pairs), coins);
  }

  const Shell& shell() const { return *shell_; }

 private:
  static Bits reference(const Setting& setting) {
    Bits bits(setting.model.sites(), 0);
    if (setting.mixed)
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = (i * i) % 7 < 3;
    return bits;
  }

  const Setting& setting_;
  std::shared_ptr<const Shell> shell_;
  IntegerKernel kernel_;
  std::shared_ptr<const ReplicaModel> model_;
  std::vector<Bits> starts_;
  HeatBathTable table_;
};

TEST(ReplicaBlock, FollowsTheSlowSimulation) {
  for (const Setting& setting : settings()) {
    Blocks blocks(setting);
    ReplicaOracle oracle = blocks.oracle();
    ReplicaBlock block = blocks.block();
    for (const std::uint64_t moves : {1, 2, 7, 8, 61, 64, 3, 150}) {  // calls may end anywhere
      oracle.advance(moves);
      block.advance(moves);
      for (std::size_t k = 0; k < setting.replicas; ++k) {
        const ChainView& chain = block.chain(k);
        ASSERT_EQ(blocks.shell().relative(chain.bits()), oracle.u(k)) << setting.name << " " << k;
        ASSERT_EQ(chain.counters().steps, oracle.steps[k]) << setting.name;
        ASSERT_EQ(chain.counters().accepted, oracle.accepted[k]) << setting.name;
      }
    }
    EXPECT_GT(oracle.accepted[0], 0u) << setting.name;
  }
}

// Counts are gathered in several places on the way, of which some are full now and then in a call
// that is long.
TEST(ReplicaBlock, CountsDoNotDependOnTheLengthOfCalls) {
  constexpr std::uint64_t moves = 40'000;
  for (const Setting& setting : settings()) {
    const Blocks blocks(setting);
    ReplicaBlock whole = blocks.block();
    ReplicaBlock parts = blocks.block();
    whole.advance(moves);
    for (std::uint64_t done = 0; done < moves; done += 1000) parts.advance(1000);
    for (std::size_t k = 0; k < setting.replicas; ++k) {
      EXPECT_EQ(whole.chain(k).counters().moves, parts.chain(k).counters().moves);
      EXPECT_EQ(whole.chain(k).counters().accepted, parts.chain(k).counters().accepted)
          << setting.name << ", replica " << k;
      EXPECT_EQ(whole.chain(k).bits(), parts.chain(k).bits());
    }
  }
}

TEST(ReplicaBlock, EveryInstructionSetGivesTheSameBits) {
  for (const Setting& setting : settings()) {
    const Blocks blocks(setting);
    std::vector<Bits> first;
    for (const SimdPath path : all_simd_paths) {
      if (!has_simd_path(path)) continue;
      ReplicaBlock block = blocks.block(path);
      block.advance(3000);
      block.advance(1);
      std::vector<Bits> states;
      for (std::size_t k = 0; k < block.size(); ++k) states.push_back(block.chain(k).bits());
      if (first.empty()) first = states;
      EXPECT_EQ(states, first) << setting.name << " " << to_text(path);
    }
  }
}

class ReplicaPath : public OnSimdPath {};

TEST_P(ReplicaPath, TheForcedLoopsRunAndDrawTheSame) {
  const Model model = model_from_spec("ferromagnet:12x12");
  const ChainFactory factory(model, Shell(Bits(model.sites(), 0), 70), "swap:engine=bits", 0.3);
  RandomDraws draws(make_stream(8, 0, 0, Purpose::start));
  const std::vector<Bits> starts(3, factory.shell().draw_uniform(draws));
  const auto states = [&] {
    const auto groups = factory.make_groups(8, starts, 1);
    EXPECT_EQ(groups.size(), 1u);
    const auto& block = dynamic_cast<const ReplicaBlock&>(*groups.front());
    EXPECT_EQ(block.path(), simd_path());
    groups.front()->advance(2000);
    std::vector<Bits> list;
    for (std::size_t k = 0; k < starts.size(); ++k) list.push_back(groups[0]->chain(k).bits());
    return list;
  };
  EXPECT_EQ(simd_path(), GetParam());
  const std::vector<Bits> forced = states();
  set_simd_path(SimdPath::portable);
  EXPECT_EQ(states(), forced);
}

INSTANTIATE_TEST_SUITE_P(Paths, ReplicaPath, testing::ValuesIn(all_simd_paths), path_name);

TEST(ReplicaBlock, EnergiesAreThoseOfTheStates) {
  for (const Setting& setting : settings()) {
    const Blocks blocks(setting);
    ReplicaBlock block = blocks.block();
    double lowest = block.chain(0).energy();
    for (int round = 0; round < 5; ++round) {
      block.advance(777);
      block.note_draw();
      for (std::size_t k = 0; k < block.size(); ++k) {
        const Bits bits = block.chain(k).bits();
        ASSERT_TRUE(blocks.shell().contains(bits));
        ASSERT_EQ(block.chain(k).energy(), setting.model.energy(bits)) << setting.name;
      }
      lowest = std::min(lowest, block.chain(0).energy());
      EXPECT_EQ(block.chain(0).counters().best_energy, lowest);
      EXPECT_EQ(block.chain(0).counters().moves, 777u * static_cast<unsigned>(round + 1));
    }
  }
}

TEST(ReplicaBlock, GoesOnToTheBitFromItsArchives) {
  for (const Setting& setting : settings()) {
    const Blocks blocks(setting);
    ReplicaBlock whole = blocks.block();
    ReplicaBlock again = blocks.block(SimdPath::portable, 99);
    again.advance(13);
    whole.advance(2003);  // within a batch
    for (std::size_t k = 0; k < whole.size(); ++k) {
      ByteWriter out;
      whole.chain(k).save(out);
      ByteReader in(out.bytes());
      again.chain(k).restore(in);
      EXPECT_TRUE(in.at_end());
      EXPECT_EQ(again.chain(k).last_move().accepted, whole.chain(k).last_move().accepted);
      EXPECT_EQ(again.chain(k).energy(), whole.chain(k).energy());
    }
    whole.advance(1001);
    again.advance(1001);
    for (std::size_t k = 0; k < whole.size(); ++k) {
      ASSERT_EQ(again.chain(k).bits(), whole.chain(k).bits()) << setting.name;
      ASSERT_EQ(again.chain(k).counters().steps, whole.chain(k).counters().steps);
    }
  }
}

TEST(ReplicaBlock, ADamagedArchiveIsRefused) {
  const std::vector<Setting> list = settings();
  const Blocks blocks(list.front());
  ReplicaBlock block = blocks.block();
  block.advance(100);
  ByteWriter out;
  block.chain(0).save(out);
  for (std::size_t size = 0; size < out.bytes().size(); size += 37) {
    std::vector<std::byte> bytes(out.bytes().begin(),
                                 out.bytes().begin() + static_cast<std::ptrdiff_t>(size));
    ByteReader in(bytes);
    EXPECT_THROW(block.chain(0).restore(in), InputError);
  }
  std::vector<std::byte> bytes = out.bytes();
  bytes[sizeof(ChainCounters) + 8] ^= std::byte{1};  // a bit off the shell
  ByteReader in(bytes);
  EXPECT_THROW(block.chain(0).restore(in), InputError);
}

TEST(ReplicaBlock, BlocksOfTheRightSize) {
  EXPECT_EQ(replica_block_sizes(1, true), (std::vector<std::size_t>{1}));
  EXPECT_EQ(replica_block_sizes(64, true), (std::vector<std::size_t>{64}));
  EXPECT_EQ(replica_block_sizes(130, true), (std::vector<std::size_t>{64, 64, 2}));
  EXPECT_EQ(replica_block_sizes(256, true), (std::vector<std::size_t>{256}));
  EXPECT_EQ(replica_block_sizes(600, true), (std::vector<std::size_t>{512, 64, 24}));
  EXPECT_EQ(replica_block_sizes(160, false), (std::vector<std::size_t>{64, 64, 32}));
}

TEST(HeatBathTable, HoldsTheProbabilitiesAndTheirDigits) {
  for (const double beta : {0.0, 0.3, 1.0, 40.0, 1e6}) {
    HeatBathTable table;
    table.set(beta, 4.0, max_replica_levels);
    for (std::size_t level = 0; level < HeatBathTable::levels; ++level) {
      const std::uint64_t threshold = table.threshold(level);
      const long double p = 1 / (1 + std::exp(4.0L * beta * static_cast<long double>(level)));
      EXPECT_NEAR(static_cast<double>(std::ldexp(static_cast<long double>(threshold), -64)),
                  static_cast<double>(p), 3e-16);
      std::uint64_t digits = 0;
      std::uint64_t grouped = 0;
      for (std::size_t place = 0; place < 64; ++place) {
        const HeatBathTable::Ones& ones = table.ones(place);
        const auto* end = ones.level.data() + ones.number;
        digits = 2 * digits + static_cast<std::uint64_t>(std::count(ones.level.data(), end, level));
        for (std::size_t k = 0; k < 8; ++k)
          if (place_of_element(k) == place % 8)
            grouped = 2 * grouped + (table.group(place / 8)[level].word[k] & 1);
      }
      EXPECT_EQ(digits, threshold);
      EXPECT_EQ(grouped, threshold);
    }
  }
}

TEST(HeatBathTable, NamesTheLevelsOfTheRarerDigit) {
  for (const double beta : {0.0, 0.3, 1.0, 40.0})
    for (const std::size_t highest : {4, 6}) {
      HeatBathTable table;
      table.set(beta, 4.0, highest);
      for (std::size_t place = 0; place < HeatBathTable::digits; ++place) {
        const HeatBathTable::Few& few = table.few(place);
        EXPECT_TRUE(std::all_of(few.level.begin() + highest / 2, few.level.end(),
                                [&](auto level) { return level == highest + 1; }));
        for (std::size_t level = 0; level <= highest; ++level) {
          const bool named = std::count(few.level.begin(), few.level.end(), level) == 1;
          EXPECT_EQ(named != (few.flip != 0), ((table.threshold(level) >> (63 - place)) & 1) != 0);
        }
      }
    }
}

TEST(ReplicaModel, TooManyLevelsAreRefused) {
  QuadraticTerms terms = ferromagnet({{4, 4}, true}).quadratic()->terms();
  terms.couplings.front().value = 40;
  EXPECT_THROW(ChainFactory(Model("strong", QuadraticModel(terms)), Shell(Bits(16, 0), 8),
                            "swap:engine=bits", 1.0),
               InputError);
}

}  // namespace
}  // namespace nhot::test
