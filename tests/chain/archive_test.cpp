// A chain saved and restored goes on to the bit, and a damaged archive is refused.
#include <gtest/gtest.h>

#include "chain/chains.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

void expect_same(const AnyChain& a, const AnyChain& b, const std::string& name) {
  EXPECT_EQ(a.bits(), b.bits()) << name;
  EXPECT_EQ(a.energy(), b.energy()) << name;
  EXPECT_EQ(a.beta(), b.beta()) << name;
  EXPECT_EQ(a.counters().moves, b.counters().moves) << name;
  EXPECT_EQ(a.counters().accepted, b.counters().accepted) << name;
  EXPECT_EQ(a.counters().steps, b.counters().steps) << name;
  EXPECT_EQ(a.counters().best_energy, b.counters().best_energy) << name;
  EXPECT_EQ(a.last_move().accepted, b.last_move().accepted) << name;
  EXPECT_EQ(a.last_move().length, b.last_move().length) << name;
  EXPECT_EQ(a.last_move().hamming, b.last_move().hamming) << name;
  EXPECT_EQ(archive_of(a), archive_of(b)) << name;
}

TEST(Archive, HalfAndHalfAreTheWhole) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto whole = c.make(1);
    whole->advance(400);

    const auto first = c.make(1);
    first->advance(200);
    const std::vector<std::byte> saved = archive_of(*first);
    // Into a fresh chain with another start and another stream.
    const auto second = c.make(2);
    second->advance(7);
    ByteReader in(saved);
    second->restore(in);
    EXPECT_TRUE(in.at_end()) << c.name;
    expect_same(*second, *first, c.name);
    second->advance(200);
    expect_same(*second, *whole, c.name);
    // Saving does not disturb the chain that is saved.
    first->advance(200);
    expect_same(*first, *whole, c.name);
  }
}

// Past a refresh of real fields, which is counted in flips and so is part of the state.
TEST(Archive, HalfAndHalfAreTheWholeAcrossARefresh) {
  for (const ChainCase& c : all_chain_cases()) {
    if (c.setup->kernel_name() == "integer" || c.name.find("linear") != std::string::npos) continue;
    if (c.name.find("length=1..6") == std::string::npos) continue;
    const auto whole = c.make(1);
    whole->advance(20'000);
    const auto part = c.make(1);
    part->advance(9'000);
    const std::vector<std::byte> saved = archive_of(*part);
    const auto rest = c.make(9);
    ByteReader in(saved);
    rest->restore(in);
    rest->advance(11'000);
    expect_same(*rest, *whole, c.name);
  }
}

// The energy of a state of this ring is zero, and its sum of changes only to within a rounding: a
// checkpoint in that state was taken for a damaged one.
TEST(Archive, EnergiesNearZeroAreRestored) {
  const Model ring = ring_of_triples();
  const auto shell = std::make_shared<const Shell>(random_bits(24, 5), 23);
  const ChainSetup setup(ring, shell, "0.6*swap + 0.4*kawasaki", 0.4, "custom");
  RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
  const Bits start = shell->draw_uniform(draws);
  const auto chain = setup.make(RandomDraws(make_stream(1, 0, 0, Purpose::moves)), start);
  const auto twin = setup.make(RandomDraws(make_stream(2, 0, 0, Purpose::moves)), start);
  for (int k = 0; k < 3000; ++k) {
    chain->advance(1);
    const std::vector<std::byte> saved = archive_of(*chain);
    ByteReader in(saved);
    ASSERT_NO_THROW(twin->restore(in)) << "energy " << chain->energy();
  }
}

TEST(Archive, KeepsATemperatureThatWasChanged) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(1);
    chain->set_beta(0.7);
    chain->advance(50);
    const auto other = c.make(2);
    const std::vector<std::byte> saved = archive_of(*chain);
    ByteReader in(saved);
    other->restore(in);
    EXPECT_EQ(other->beta(), 0.7);
    chain->advance(50);
    other->advance(50);
    expect_same(*other, *chain, c.name);
  }
}

TEST(Archive, ATruncatedOneIsAnInputError) {
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(1);
    chain->advance(20);
    const std::vector<std::byte> saved = archive_of(*chain);
    const auto other = c.make(2);
    for (std::size_t size = 0; size < saved.size(); size += 1 + saved.size() / 97) {
      const std::vector<std::byte> cut(saved.begin(),
                                       saved.begin() + static_cast<std::ptrdiff_t>(size));
      ByteReader in(cut);
      EXPECT_THROW(other->restore(in), InputError) << c.name << " cut at " << size;
    }
    // A chain that refused an archive works again once it has a good one.
    ByteReader in(saved);
    other->restore(in);
    expect_same(*other, *chain, c.name);
  }
}

// Every byte in turn, all its bits changed: refused, or restored to a state that a chain can have
// and go on from. Never a crash, never a state off the shell or an energy that is not its own.
TEST(Archive, ADamagedOneIsRefusedOrHarmless) {
  std::size_t refused = 0;
  std::size_t harmless = 0;
  for (const ChainCase& c : all_chain_cases()) {
    const auto chain = c.make(1);
    chain->advance(20);
    const std::vector<std::byte> saved = archive_of(*chain);
    const auto other = c.make(2);
    for (std::size_t at = 0; at < saved.size(); at += 1 + saved.size() / 499) {
      std::vector<std::byte> damaged = saved;
      damaged[at] ^= std::byte{0xff};
      ByteReader in(damaged);
      try {
        other->restore(in);
        ASSERT_LE(other->last_move().hamming, c.model.sites());
        other->advance(3);
        const double energy = c.model.energy(other->bits());
        ASSERT_TRUE(c.shell->contains(other->bits())) << c.name << " at " << at;
        ASSERT_EQ(other->energy(), energy) << c.name << " " << at;
        ++harmless;
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(harmless, 100u);  // counters, the stream, the last path
}

TEST(Archive, OfAnotherChainIsAnInputError) {
  const std::vector<ChainCase>& cases = all_chain_cases();
  for (const ChainCase& from : cases)
    for (const ChainCase& to : cases) {
      if (from.model.sites() == to.model.sites()) continue;
      const auto chain = to.make(1);
      const std::vector<std::byte> saved = archive_of(*from.make(1));
      ByteReader in(saved);
      EXPECT_THROW(chain->restore(in), InputError) << from.name << " into " << to.name;
    }
}

}  // namespace
}  // namespace nhot::test
