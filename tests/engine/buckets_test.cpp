#include "nhot/engine/buckets.hpp"

#include <gtest/gtest.h>

#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// Sizes around those from which buckets begin on different cache lines, around powers of two, and
/// those that the room for it would make too large.
TEST(FlatBuckets, KeepsEverySiteInItsPlace) {
  for (const std::size_t sites : {1U, 500U, 512U, 513U, 1024U, 3072U, 3073U, 60'000U}) {
    FlatBuckets buckets;
    ASSERT_TRUE(FlatBuckets::fits(16, sites));
    buckets.reset(16, sites);
    Xoshiro256 engine = make_stream(1, 0, sites, Purpose::test);
    std::vector<std::uint32_t> where(sites);
    for (Site i = 0; i < sites; ++i) {
      where[i] = i % 3 == 0 ? 15 : engine() % 16;  // the last bucket is nearly the fullest
      buckets.insert(i, where[i]);
    }
    const FlatBuckets::Cursor hand(buckets);
    const auto expect = [&] {
      std::vector<std::int32_t> counts(16, 0);
      for (Site i = 0; i < sites; ++i) {
        ASSERT_EQ(buckets.bucket(i), where[i]) << sites;
        ++counts[where[i]];
      }
      std::vector<bool> seen(sites, false);
      for (std::uint32_t k = 0; k < 16; ++k) {
        ASSERT_EQ(buckets.counts()[k], counts[k]) << sites << " " << k;
        for (std::size_t m = 0; m < static_cast<std::size_t>(counts[k]); ++m) {
          const Site i = buckets.at(k, m);
          ASSERT_EQ(hand.at(k, m), i);
          ASSERT_LT(i, sites);
          ASSERT_EQ(where[i], k);
          ASSERT_FALSE(seen[i]);
          seen[i] = true;
        }
      }
    };
    expect();
    for (std::size_t round = 0; round < 200; ++round) {
      const auto i = static_cast<Site>(engine() % sites);
      const auto to = static_cast<std::uint32_t>((where[i] + 1 + engine() % 15) % 16);
      if (round % 2 == 0) {
        CountChanges changes;
        EXPECT_EQ(hand.move(i, changes, [&](std::uint32_t) { return to; }), where[i]);
        changes.add_to(hand.counts());
      } else {
        NoCountChanges none;
        hand.move(i, none, [&](std::uint32_t) { return to; });
        hand.recount();
      }
      where[i] = to;
    }
    expect();
    // Everyone into the last bucket.
    for (Site i = 0; i < sites; ++i) {
      if (where[i] == 15) continue;
      NoCountChanges none;
      hand.move(i, none, [](std::uint32_t) { return 15U; });
      where[i] = 15;
    }
    hand.recount();
    expect();
  }
  EXPECT_TRUE(FlatBuckets::fits(16, std::size_t{1} << 24));
  EXPECT_FALSE(FlatBuckets::fits(16, (std::size_t{1} << 24) + 1));
  EXPECT_FALSE(FlatBuckets::fits(17, 100));
}

}  // namespace
}  // namespace nhot
