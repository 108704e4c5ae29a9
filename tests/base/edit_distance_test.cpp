#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "nhot/base/nearest.hpp"

namespace nhot {
namespace {

const std::vector<std::string> moves = {"swap", "kawasaki", "im"};

TEST(EditDistance, CountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("swap", "swap"), 0);
  EXPECT_EQ(edit_distance("swap", "sawp"), 1);   // neighbours exchanged
  EXPECT_EQ(edit_distance("swap", "swa"), 1);    // one lost
  EXPECT_EQ(edit_distance("swap", "swapp"), 1);  // one too many
  EXPECT_EQ(edit_distance("swap", "snap"), 1);   // one wrong
  EXPECT_EQ(edit_distance("", "swap"), 4);
  EXPECT_EQ(edit_distance("swap", "im"), 4);
}

TEST(NearestName, FindsALikelySlipAndNothingElse) {
  EXPECT_EQ(nearest_name("kawazaki", moves), "kawasaki");
  EXPECT_EQ(nearest_name("sawp", moves), "swap");
  EXPECT_EQ(nearest_name("metropolis", moves), "");
  EXPECT_EQ(nearest_name("kaw", moves), "kawasaki");  // cut short
  EXPECT_EQ(nearest_name("", moves), "");
}

TEST(UnknownNameHint, NamesTheNearestAndTheKnown) {
  EXPECT_EQ(unknown_name_hint("sawp", moves), "did you mean 'swap'? known: swap, kawasaki, im");
  EXPECT_EQ(unknown_name_hint("metropolis", moves), "known: swap, kawasaki, im");
}

}  // namespace
}  // namespace nhot
