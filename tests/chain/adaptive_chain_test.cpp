#include "nhot/chain/adaptive_chain.hpp"

#include <gtest/gtest.h>

#include "chain/chains.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/model/sparse_kernel.hpp"
#include "nhot/random/stream.hpp"

namespace nhot::test {
namespace {

using Adaptive = AdaptiveChain<SparseKernel<std::int32_t>, RandomDraws>;

class AdaptiveChains : public testing::Test {
 protected:
  std::unique_ptr<AnyChain> make(const std::string& move, double beta) const {
    const ChainFactory factory(model_, shell_, move, beta);
    RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
    return factory.make(make_stream(1, 0, 0, Purpose::moves), shell_.draw_uniform(draws));
  }
  static const Adaptive& adaptive(const AnyChain& chain) {
    return dynamic_cast<const Adaptive&>(chain);
  }

  Model model_ = model_from_spec("ferromagnet:12x12");
  Shell shell_{Bits(144, 0), 72};
};

/// Where weights are of one size thinning takes few tries; where they are not it takes many.
TEST_F(AdaptiveChains, TakeTheEngineThatTheTriesCallFor) {
  const auto hot = make("im:length=1..5", 0.05);
  EXPECT_FALSE(adaptive(*hot).thinned());
  EXPECT_LT(adaptive(*hot).expected_tries(), 5);
  hot->advance(20'000);
  EXPECT_TRUE(adaptive(*hot).thinned());
  EXPECT_LT(adaptive(*hot).expected_tries(), 2);
  // From a random state, which is hot.
  const auto cold = make("im:length=1..5", 0.8);
  cold->advance(20'000);
  EXPECT_FALSE(adaptive(*cold).thinned());
  // A chain that cools down goes back.
  hot->set_beta(0.8);
  hot->advance(20'000);
  EXPECT_FALSE(adaptive(*hot).thinned());
}

/// Beyond the caches memory counts for more than tries.
TEST(LargeAdaptiveChains, TakeCompactWhereItsTriesAreFew) {
  const Model model = model_from_spec("ferromagnet:200x200");
  const Shell shell(Bits(40'000, 0), 20'000);
  const ChainFactory factory(model, shell, "im:length=90", 0.05);
  RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
  const auto chain = factory.make(make_stream(1, 0, 0, Purpose::moves), shell.draw_uniform(draws));
  const auto& adaptive = dynamic_cast<const Adaptive&>(*chain);
  chain->advance(500);
  EXPECT_TRUE(adaptive.compact());
  EXPECT_EQ(chain->energy(), model.energy(chain->bits()));
  const std::vector<std::byte> archive = archive_of(*chain);
  const auto again = factory.make(make_stream(2, 0, 0, Purpose::moves), shell.draw_uniform(draws));
  ByteReader in(archive);
  again->restore(in);
  for (int k = 0; k < 50; ++k) again->advance(10);
  chain->advance(500);
  EXPECT_EQ(archive_of(*chain), archive_of(*again));
  // A chain that cools down leaves it.
  chain->set_beta(0.8);
  chain->advance(10'000);
  EXPECT_FALSE(adaptive.compact());
  EXPECT_FALSE(adaptive.thinned());
  EXPECT_EQ(chain->energy(), model.energy(chain->bits()));
}

/// On many sites the sites of the last walk are counted in another way than on few.
TEST(LargeAdaptiveChains, SayHowFarTheLastMoveWent) {
  const Model model = model_from_spec("ferromagnet:100x100");
  const Shell shell(Bits(10'000, 0), 3);
  const ChainFactory factory(model, shell, "im:length=1..3", 0.1);
  RandomDraws draws(make_stream(1, 0, 0, Purpose::start));
  const auto chain = factory.make(make_stream(1, 0, 0, Purpose::moves), shell.draw_uniform(draws));
  bool shorter = false;  // a walk that flipped a site twice
  for (int k = 0; k < 300; ++k) {
    const Bits before = chain->bits();
    chain->advance(1);
    const Bits after = chain->bits();
    Site distance = 0;
    for (std::size_t i = 0; i < before.size(); ++i) distance += before[i] != after[i];
    ASSERT_EQ(chain->last_move().hamming, distance);
    shorter |= chain->last_move().accepted && distance < 2 * chain->last_move().length;
  }
  EXPECT_TRUE(shorter);
}

TEST_F(AdaptiveChains, AnEngineThatIsNamedStays) {
  for (const char* move : {"im:length=1..5,engine=classes", "im:length=1..5,engine=thinned",
                           "im:length=1..5,engine=compact"}) {
    const auto chain = make(move, 0.05);
    EXPECT_EQ(dynamic_cast<const Adaptive*>(chain.get()), nullptr);
  }
}

/// Counters, energy and bits pass from one engine to the other.
TEST_F(AdaptiveChains, LoseNothingWhenTheEngineChanges) {
  const auto chain = make("0.5*im:length=1..5 + 0.5*swap", 0.05);
  std::uint64_t moves = 0;
  while (!adaptive(*chain).thinned()) {
    chain->advance(7);
    moves += 7;
    ASSERT_LT(moves, 1'000'000U);
    ASSERT_EQ(chain->counters().moves, moves);
    ASSERT_EQ(chain->energy(), model_.energy(chain->bits()));
    ASSERT_TRUE(shell_.contains(chain->bits()));
    ASSERT_LE(chain->counters().best_energy, chain->energy());
    ASSERT_LE(chain->last_move().hamming, 2 * chain->last_move().length);
  }
  EXPECT_GT(chain->counters().accepted, 0U);
}

TEST_F(AdaptiveChains, GoTheSameWayHoweverTheirMovesAreShared) {
  const auto whole = make("im:length=1..5", 0.2);
  const auto parts = make("im:length=1..5", 0.2);
  whole->advance(30'000);
  for (int k = 0; k < 3000; ++k) parts->advance(10);
  EXPECT_TRUE(adaptive(*whole).thinned());
  EXPECT_EQ(archive_of(*whole), archive_of(*parts));
}

/// To the bit, from before a change and from after it.
TEST_F(AdaptiveChains, GoOnFromAnArchive) {
  for (const std::uint64_t first : {50U, 10'000U}) {
    const auto chain = make("im:length=1..5", 0.05);
    chain->advance(first);
    EXPECT_EQ(adaptive(*chain).thinned(), first > 1000);
    const std::vector<std::byte> archive = archive_of(*chain);
    const auto again = make("im:length=1..5", 0.05);
    ByteReader in(archive);
    again->restore(in);
    chain->advance(5000);
    again->advance(5000);
    EXPECT_EQ(archive_of(*chain), archive_of(*again));
  }
}

}  // namespace
}  // namespace nhot::test
