#include "nhot/report/graph_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace nhot {
namespace {

using Edges = std::vector<std::array<Site, 2>>;

double apart(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1]);
}

Edges ring(Site count) {
  Edges edges;
  for (Site i = 0; i < count; ++i) edges.push_back({i, (i + 1) % count});
  return edges;
}

TEST(ForceLayout, HandlesTheSmallest) {
  EXPECT_TRUE(force_layout(0, {}).empty());
  const auto one = force_layout(1, {});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0], (std::array{0.5, 0.5}));
  const auto two = force_layout(2, {{0, 1}});
  EXPECT_NEAR(std::max(std::abs(two[0][0] - two[1][0]), std::abs(two[0][1] - two[1][1])), 1, 1e-9);
}

TEST(ForceLayout, IsTheSameEveryTimeAndWithinTheSquare) {
  const auto places = force_layout(300, ring(300));
  EXPECT_EQ(places, force_layout(300, ring(300)));
  for (const auto& [x, y] : places) {
    EXPECT_GE(x, -1e-9);
    EXPECT_LE(x, 1 + 1e-9);
    EXPECT_GE(y, -1e-9);
    EXPECT_LE(y, 1 + 1e-9);
  }
}

/// Without edges, or with a wrong sign of a force, neighbours are no nearer than others.
TEST(ForceLayout, BringsNeighboursTogether) {
  for (const Site count : {Site{12}, Site{120}}) {
    const auto places = force_layout(count, ring(count));
    double near = 0;
    double far = 0;
    for (Site i = 0; i < count; ++i) {
      near += apart(places[i], places[(i + 1) % count]);
      far += apart(places[i], places[(i + count / 2) % count]);
    }
    EXPECT_LT(2 * near, far) << count;
  }
}

TEST(ForceLayout, KeepsUnconnectedPartsInSight) {
  Edges edges;  // ten triangles
  for (Site i = 0; i < 30; i += 3)
    edges.insert(edges.end(), {{i, i + 1}, {i + 1, i + 2}, {i, i + 2}});
  const auto places = force_layout(30, edges);
  for (const auto& [a, b] : edges) {
    EXPECT_GT(apart(places[a], places[b]), 0.01);
    EXPECT_LT(apart(places[a], places[b]), 0.35);
  }
}

}  // namespace
}  // namespace nhot
