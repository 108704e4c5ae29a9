// Exponents that leave the range of doubles are refused; extreme ones that stay inside work.
#include "nhot/chain/checks.hpp"

#include <gtest/gtest.h>

#include "nhot/chain/factory.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

Model chain_model(double coupling) {
  return Model(
      "chain",
      QuadraticModel(
          {4, Convention::spin, 0, {}, {{0, 1, coupling}, {1, 2, -coupling}, {2, 3, coupling}}}));
}

ChainFactory make(double coupling, const std::string& move, double beta) {
  return {chain_model(coupling), Shell(Bits(4, 0), 2), move, beta};
}

TEST(NumberRange, ReachBoundsEveryFlip) {
  // A flip changes each bond of its site by 2: two bonds here, four on the lattice.
  EXPECT_EQ(chain_model(1).data().largest_change(), 4.0);
  EXPECT_EQ(model_from_spec("ferromagnet:4x4").data().largest_change(), 8.0);
}

TEST(NumberRange, RefusesOverflow) {
  for (const char* move : {"swap", "kawasaki", "im", "im:bias=exp"}) {
    EXPECT_THROW(make(1, move, 2e307), InputError) << move;
    EXPECT_THROW(make(1e300, move, 1e9), InputError) << move;
  }
  for (const char* move :
       {"im:gamma=1e308", "im:gamma-up=1e308", "im:gamma-down=2e307", "swap + im:gamma=1e308"})
    EXPECT_THROW(make(1, move, 1), InputError) << move;
}

TEST(NumberRange, ExtremesInsideTheRangeWork) {
  for (const char* move : {"swap", "kawasaki", "im", "im:bias=exp,engine=linear", "im:bias=min"})
    for (const double coupling : {1e-300, 1.0, 1e300})
      for (const double beta : {0.0, 1.0, 1e4}) {
        const ChainFactory factory = make(coupling, move, beta);
        const auto chain = factory.make(Xoshiro256({1, 2, 3, 4}), Bits{1, 1, 0, 0});
        chain->advance(500);
        EXPECT_EQ(chain->counters().moves, 500U);
        EXPECT_EQ(chain->energy(), factory.model().energy(chain->bits()));
        EXPECT_TRUE(factory.shell().contains(chain->bits()));
      }
}

}  // namespace
}  // namespace nhot
