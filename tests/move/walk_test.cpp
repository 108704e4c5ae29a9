// How many draws and flips a move takes, by counting them.
#include <gtest/gtest.h>

#include "nhot/chain/setup.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "support/draw_doubles.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot::test {
namespace {

struct Counted {
  DrawCounts draws;
  ChainCounters chain;
  LastMove last;
};

/// One branch of many, taken by chance: the chains are those of the exactness suite.
Counted count(const std::string& move, std::uint64_t moves, double beta = 0.4) {
  const auto shell = std::make_shared<const Shell>(Bits(16, 0), 6);
  const ChainSetup setup(model_from_spec("ferromagnet:4x4"), shell, move, beta);
  RandomDraws start(make_stream(3, 0, 0, Purpose::start));
  BranchScript script;
  script.wander(RandomDraws(make_stream(3, 0, 0, Purpose::moves)));
  const auto chain = setup.make(EnumeratingDraws(script), shell->draw_uniform(start));
  chain->advance(moves);
  return {{script.draws('b'), script.draws('a'), script.draws('l'), script.draws('t')},
          chain->counters(),
          chain->last_move()};
}

TEST(Draws, OfAWalkAreOnePerStepAndOneForItsAcceptance) {
  const Counted tree = count("im:length=3,order=up-down,engine=tree", 100);
  EXPECT_EQ(tree.draws.locate, 600u);
  EXPECT_EQ(tree.draws.accept, 100u);
  EXPECT_EQ(tree.draws.below, 0u);
  EXPECT_EQ(tree.chain.steps, 600u);
  EXPECT_EQ(tree.chain.moves, 100u);
  // A random order and a random length are one draw together; `classes` finds level and site in
  // one.
  const Counted classes = count("im:length=1..3,order=random,engine=classes", 100);
  EXPECT_EQ(classes.draws.below, 100u);
  EXPECT_EQ(classes.draws.locate, classes.chain.steps);
  const Counted thinned = count("im:length=2,order=down-up,engine=thinned", 100);
  EXPECT_EQ(thinned.draws.thin, 400u);
  EXPECT_EQ(thinned.draws.locate, 0u);
}

TEST(Draws, OfASwapAreTwoSitesAndTheAcceptance) {
  const Counted swap = count("swap", 100);
  EXPECT_EQ(swap.draws.below, 200u);
  EXPECT_EQ(swap.draws.accept, 100u);
  EXPECT_EQ(swap.chain.steps, 100u);
}

TEST(Draws, OfAMixtureStartWithTheChoice) {
  const Counted mixture = count("im:length=1,order=up-down,engine=tree + swap", 1000);
  // A walk of one step locates twice; the choice of the move locates once.
  const std::uint64_t walks = (mixture.draws.locate - 1000) / 2;
  EXPECT_EQ(mixture.chain.steps, 2 * walks + (1000 - walks));
  EXPECT_EQ(mixture.draws.accept, 1000u);
  EXPECT_GT(walks, 400u);
  EXPECT_LT(walks, 600u);
}

TEST(Outcome, OfTheLastMoveIsReported) {
  const Counted walk = count("im:length=3,gamma=0,bias=min", 1, 0.0);
  EXPECT_TRUE(walk.last.accepted);  // at beta = 0 every walk is
  EXPECT_EQ(walk.last.length, 3u);
  EXPECT_LE(walk.last.hamming, 6u);
  EXPECT_EQ(walk.last.hamming % 2, 0u);
  const Counted swap = count("swap", 1, 0.0);
  EXPECT_TRUE(swap.last.accepted);
  EXPECT_EQ(swap.last.length, 1u);
  EXPECT_EQ(swap.last.hamming, 2u);
}

}  // namespace
}  // namespace nhot::test
