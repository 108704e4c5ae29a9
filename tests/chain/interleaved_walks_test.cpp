// Chains that take turns move as they would alone.
#include <gtest/gtest.h>

#include "chain/chains.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

/// A team of chains, and the same chains alone.
struct Teams {
  template <class Make>
  Teams(std::size_t size, Make&& make) {
    for (std::size_t k = 0; k < size; ++k) {
      together.push_back(make(k));
      alone.push_back(make(k));
      team.push_back(together.back().get());
    }
  }

  void advance(std::uint64_t moves) {
    team.front()->advance_together(team, moves);
    for (auto& chain : alone) chain->advance(moves);
  }

  /// To the bit: state, counters and generator.
  void expect_same(const std::string& name) const {
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(together[k]->counters().moves, alone[k]->counters().moves) << name;
      EXPECT_EQ(together[k]->last_move().hamming, alone[k]->last_move().hamming) << name;
      EXPECT_EQ(archive_of(*together[k]), archive_of(*alone[k])) << name << ", chain " << k;
    }
  }

  std::vector<std::unique_ptr<AnyChain>> together;
  std::vector<std::unique_ptr<AnyChain>> alone;
  std::vector<AnyChain*> team;
};

// Every kernel, engine and kind of move; with more chains than go together at once.
TEST(InterleavedWalks, EveryChainMovesAsItWouldAlone) {
  for (const ChainCase& c : all_chain_cases()) {
    Teams teams(6, [&](std::size_t k) { return c.make(20 + k); });
    for (const std::uint64_t moves : {1, 0, 40, 7}) teams.advance(moves);
    teams.expect_same(c.name);
  }
}

class InterleavedWalksOf : public testing::Test {
 protected:
  static void expect_same(const std::string& spec, Site distance, const std::string& move,
                          double beta, std::size_t size, std::uint64_t moves) {
    const Model model = model_from_spec(spec);
    const ChainFactory factory(model, Shell(Bits(model.sites(), 0), distance), move, beta);
    Teams teams(size, [&](std::size_t k) {
      RandomDraws draws(make_stream(3, 0, k, Purpose::start));
      return factory.make(make_stream(3, 0, k, Purpose::moves),
                          factory.shell().draw_uniform(draws));
    });
    for (int part = 0; part < 3; ++part) teams.advance(moves);
    teams.expect_same(spec + " " + move);
    EXPECT_GT(teams.alone.front()->counters().accepted, 0U);
    EXPECT_LT(teams.alone.front()->counters().accepted, 3 * moves);  // walks back as well
  }
};

TEST_F(InterleavedWalksOf, WalksOfManyLengthsAndOrders) {
  for (const char* move : {"im:length=9", "im:length=1..20,order=down-up", "im:length=1..3",
                           "im:length=6,bias=exp,gamma=0.5beta", "im:length=5,gamma=0.9beta/beta"})
    for (const std::size_t size : {2, 3, 4})
      expect_same("ferromagnet:12x12", 60, std::string(move) + ",engine=classes", 0.5, size, 300);
}

// Hot chains change to the other engine on the way, each when it wants to.
TEST_F(InterleavedWalksOf, ChainsThatChangeTheirEngine) {
  for (const double beta : {0.05, 0.3, 0.5})
    expect_same("ferromagnet:12x12", 72, "im:length=1..30", beta, 4, 1000);
}

TEST_F(InterleavedWalksOf, ChainsBeyondTheCaches) {
  for (const char* engine : {"classes", "thinned"})
    expect_same("ferromagnet:400x400", 80'000,
                std::string("im:length=40,gamma=1.02beta,engine=") + engine, 0.44, 2, 40);
}

}  // namespace
}  // namespace nhot::test
