// How far apart draws are taken, so that recording them stays within its share of the time.
#include "nhot/run/draw_cost.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

TEST(ThinWithin, DoublesUntilTheShareIsWithinTheLimit) {
  EXPECT_EQ(thin_within(3, 0.03, 1.0 / 30), 3U);
  EXPECT_EQ(thin_within(3, 1.0 / 30, 1.0 / 30), 3U);
  EXPECT_EQ(thin_within(3, 0.04, 1.0 / 30), 6U);
  EXPECT_EQ(thin_within(3, 0.1, 1.0 / 30), 12U);
  EXPECT_EQ(thin_within(3, 0.5, 1.0 / 30), 48U);  // 1/2, 1/4, 1/8, 1/16, 1/32
  EXPECT_EQ(thin_within(3, 1, 1.0 / 30), 96U);
  EXPECT_EQ(thin_within(3, 0.5, 0.5), 3U);
}

/// Of draws that cost as much as so many moves.
double share_of(double draw_cost, std::uint64_t thin) {
  return draw_cost / (draw_cost + static_cast<double>(thin));
}

TEST(ThinWithin, MeasuredAgainItBoundsDrawsOfAnyCostAndIsNeverTwiceWhatIsNeeded) {
  constexpr double limit = 1.0 / 30;
  for (double cost = 0.01; cost < 1e5; cost *= 1.3) {
    SCOPED_TRACE(cost);
    std::uint64_t thin = 1;
    for (int times = 0; share_of(cost, thin) > limit; ++times) {
      ASSERT_LT(times, 5);  // far fewer than doublings
      thin = thin_within(thin, share_of(cost, thin), limit);
      EXPECT_GT(share_of(cost, thin / 2), limit);
    }
  }
}

}  // namespace
}  // namespace nhot
