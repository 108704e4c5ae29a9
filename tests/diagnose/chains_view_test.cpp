#include "nhot/diagnose/chains_view.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

TEST(ChainsView, SeesVectorsAndBlocksAlike) {
  const std::vector<std::vector<double>> chains = {{1, 2, 3}, {4, 5, 6}};
  const double block[] = {1, 2, 3, 4, 5, 6};
  const ChainsView a(chains), b(block, 2, 3);
  ASSERT_EQ(a.chains(), 2u);
  ASSERT_EQ(a.draws(), 3u);
  ASSERT_EQ(b.size(), 6u);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(std::vector<double>(a[c].begin(), a[c].end()),
              std::vector<double>(b[c].begin(), b[c].end()));
  }
  EXPECT_EQ(a[0].data(), chains[0].data()) << "a view must not copy";
}

TEST(ChainsView, CutsToTheShortestChain) {
  const std::vector<std::vector<double>> chains = {{1, 2, 3}, {4, 5}, {6, 7, 8, 9}};
  const ChainsView view(chains);
  EXPECT_EQ(view.draws(), 2u);
  for (const auto chain : view) EXPECT_EQ(chain.size(), 2u);
  EXPECT_EQ(view[2][1], 7);
}

TEST(ChainsView, SplitDropsTheMiddleOfAnOddChain) {
  const std::vector<std::vector<double>> chains = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}};
  const ChainsView halves = ChainsView(chains).split();
  ASSERT_EQ(halves.chains(), 4u);
  ASSERT_EQ(halves.draws(), 2u);
  EXPECT_EQ(halves[0][0], 1);
  EXPECT_EQ(halves[1][1], 7);
  EXPECT_EQ(halves[2][0], 4);
  EXPECT_EQ(halves[3][1], 10);
}

TEST(ChainsView, Empty) {
  EXPECT_TRUE(ChainsView().empty());
  EXPECT_TRUE(ChainsView(std::vector<std::vector<double>>{}).empty());
  EXPECT_TRUE(ChainsView(std::vector<std::vector<double>>{{}, {1.0}}).empty());
}

}  // namespace
}  // namespace nhot
