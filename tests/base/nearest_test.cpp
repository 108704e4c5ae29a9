#include "nhot/base/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nhot {
namespace {

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("swap", "swap"), 0);
  EXPECT_EQ(edit_distance("", "swap"), 4);
  EXPECT_EQ(edit_distance("swap", "swp"), 1);
  EXPECT_EQ(edit_distance("swap", "swaap"), 1);
  EXPECT_EQ(edit_distance("swap", "swop"), 1);
  EXPECT_EQ(edit_distance("swap", "sawp"), 1);  // neighbours exchanged
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("abc", "xyz"), 3);
}

TEST(EditDistance, IsSymmetric) {
  const std::vector<std::string> words = {"", "im", "swap", "kawasaki", "gamma-up", "gamma-down"};
  for (const auto& a : words)
    for (const auto& b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
}

TEST(NearestName, OffersLikelySlipsOnly) {
  const std::vector<std::string> known = {"swap", "kawasaki", "im"};
  EXPECT_EQ(nearest_name("swpa", known), "swap");
  EXPECT_EQ(nearest_name("kawaski", known), "kawasaki");
  EXPECT_EQ(nearest_name("kawasakki", known), "kawasaki");
  EXPECT_EQ(nearest_name("imm", known), "im");
  EXPECT_EQ(nearest_name("IM", known), "im");
  EXPECT_EQ(nearest_name("KAWASAKI", known), "kawasaki");
  const std::vector<std::string> files = {"README.md", "Weights.h5"};
  EXPECT_EQ(nearest_name("readme.md", files), "README.md");
  EXPECT_EQ(nearest_name("WEIGHTS", files), "Weights.h5");
  EXPECT_EQ(nearest_name("metropolis", known), "");
  EXPECT_EQ(nearest_name("wolff", known), "");
  EXPECT_EQ(nearest_name("swap", {}), "");
}

TEST(UnknownNameHint, ListsWhatIsKnown) {
  const std::vector<std::string> known = {"swap", "im"};
  EXPECT_EQ(unknown_name_hint("swp", known), "did you mean 'swap'? known: swap, im");
  EXPECT_EQ(unknown_name_hint("metropolis", known), "known: swap, im");
}

}  // namespace
}  // namespace nhot
