#include "nhot/state/sides.hpp"

#include <gtest/gtest.h>

#include <set>

#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

std::set<Site> sites_of(const SideLists& lists, Side side) {
  std::set<Site> sites;
  for (Site k = 0; k < lists.size(side); ++k) sites.insert(lists.at(side, k));
  return sites;
}

void expect_lists(const SideLists& lists, const Bits& u) {
  std::set<Site> expected[2];
  for (Site i = 0; i < u.size(); ++i) expected[u[i]].insert(i);
  for (const Side side : {agreeing(0), differing(0)}) {
    EXPECT_EQ(lists.size(side), expected[side].size());
    EXPECT_EQ(sites_of(lists, side), expected[side]);
  }
}

TEST(SideLists, FollowFlips) {
  const Shell shell(Bits(11, 0), 4);
  Bits u = {1, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0};
  SideLists lists;
  lists.build(shell, u);
  expect_lists(lists, u);
  Xoshiro256 engine = make_stream(1, 0, 0, Purpose::test);
  for (int k = 0; k < 500; ++k) {
    const auto i = static_cast<Site>(engine() % 11);
    u[i] ^= 1;
    lists.flipped(0, i, u[i]);
    expect_lists(lists, u);
  }
}

TEST(SideLists, ReachEmptyAndFullSides) {
  const Shell shell(Bits(3, 0), 1);
  Bits u = {0, 1, 0};
  SideLists lists;
  lists.build(shell, u);
  lists.flipped(0, 1, u[1] = 0);
  expect_lists(lists, u);
  EXPECT_EQ(lists.size(differing(0)), 0u);
  for (const Site i : {2u, 0u, 1u}) lists.flipped(0, i, u[i] = 1);
  expect_lists(lists, u);
  EXPECT_EQ(lists.size(agreeing(0)), 0u);
}

TEST(SideLists, KeepTheirOrderThroughAnArchive) {
  const Shell shell(Bits(6, 0), 3);
  Bits u = {1, 1, 0, 1, 0, 0};
  SideLists lists;
  lists.build(shell, u);
  for (const Site i : {0u, 4u, 3u, 2u}) lists.flipped(0, i, u[i] ^= 1);
  ByteWriter out;
  lists.save(out);
  SideLists other;
  other.build(shell, u);
  ByteReader in(out.bytes());
  other.restore(in);
  EXPECT_TRUE(in.at_end());
  for (const Side side : {agreeing(0), differing(0)})
    for (Site k = 0; k < lists.size(side); ++k) EXPECT_EQ(other.at(side, k), lists.at(side, k));
  // Still in step after restoring.
  other.flipped(0, 1, u[1] ^= 1);
  expect_lists(other, u);
}

TEST(SideLists, RefuseAnOrderThatIsNotOfTheirBits) {
  const Shell shell(Bits(4, 0), 2);
  const Bits u = {1, 0, 1, 0};
  const auto refused = [&](const std::vector<Site>& order, const std::vector<Site>& counts) {
    ByteWriter out;
    out.put(order);
    out.put(counts);
    ByteReader in(out.bytes());
    SideLists lists;
    lists.build(shell, u);
    EXPECT_THROW(lists.restore(in), InputError);
  };
  refused({0, 1, 2, 3}, {2});     // 1 agrees
  refused({0, 0, 1, 3}, {2});     // twice
  refused({0, 2, 1, 4}, {2});     // no such site
  refused({0, 2, 1}, {2});        // short
  refused({2, 0, 1, 3}, {3});     // wrong count
  refused({2, 0, 1, 3}, {2, 0});  // another number of groups
  ByteWriter out;
  out.put(std::vector<Site>{2, 0, 3, 1});
  out.put(std::vector<Site>{2});
  ByteReader in(out.bytes());
  SideLists lists;
  lists.build(shell, u);
  EXPECT_NO_THROW(lists.restore(in));
}

}  // namespace
}  // namespace nhot
