// Chains of energies that keep a table of changes: a chain saved and restored goes on to the bit,
// also just before the table is computed anew, and a damaged table is refused.
#include <gtest/gtest.h>

#include "chain/chains.hpp"
#include "nhot/model/subset/subset_factor.hpp"
#include "support/messages.hpp"
#include "support/subset_models.hpp"

namespace nhot::test {
namespace {

std::vector<Model> table_models() {
  return {kdpp("kdpp", {random_features(24, 6, 2), 6}),
          regression("regression", random_regression(30, 20, 3), CoefficientPrior::unit),
          hubo("hubo", random_polynomial(20, 50, 4, Convention::binary, false, 4))};
}

ChainCase case_of(const Model& model, const std::string& move) {
  Bits reference(model.sites(), 0);
  reference[3] = 1;
  const auto shell = std::make_shared<const Shell>(reference, 6);
  return {model.name() + " " + move, model, shell,
          std::make_shared<const ChainSetup>(model, shell, move, 1.0)};
}

TEST(TableChains, HalfAndHalfAreTheWhole) {
  for (const Model& model : table_models())
    for (const char* move : {"im:length=1..4", "im:length=2,engine=linear", "swap"}) {
      const ChainCase c = case_of(model, move);
      const auto whole = c.make(1);
      const auto first = c.make(1);
      whole->advance(900);
      first->advance(413);
      const std::vector<std::byte> saved = archive_of(*first);
      const auto second = c.make(2);
      second->advance(5);
      ByteReader in(saved);
      second->restore(in);
      EXPECT_TRUE(in.at_end()) << c.name;
      second->advance(487);
      EXPECT_EQ(archive_of(*second), archive_of(*whole)) << c.name;
      EXPECT_EQ(second->energy(), model.energy(second->bits())) << c.name;
      EXPECT_GT(whole->counters().accepted, 50U) << c.name;
    }
}

TEST(TableChains, DamagedTablesAreRefused) {
  for (const Model& model : {table_models()[0], table_models()[1]}) {
    const ChainCase c = case_of(model, "im:length=1..3");
    const auto chain = c.make(1);
    chain->advance(50);
    const std::vector<std::byte> saved = archive_of(*chain);
    std::size_t refused = 0;
    for (std::size_t at = 6; at < saved.size(); at += 8) {
      std::vector<std::byte> damaged = saved;
      damaged[at] ^= std::byte{0x55};
      ByteReader in(damaged);
      const auto other = c.make(3);
      refused += refusal([&] { other->restore(in); }) ? 1 : 0;
    }
    EXPECT_GT(refused, 20U) << c.name;
    std::vector<std::byte> cut(saved.begin(), saved.end() - 40);
    ByteReader in(cut);
    EXPECT_TRUE(refusal([&] { c.make(3)->restore(in); })) << c.name;
  }
}

}  // namespace
}  // namespace nhot::test
