#include "nhot/random/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace nhot {
namespace {

// Part of the promise "same seed, same numbers": these may never change.
TEST(Stream, HashesItsPartsAsBefore) {
  const Xoshiro256::State first = {0x86277cc4424b1e9f, 0xb54248edb83b2506, 0x55e0a090cae1d444,
                                   0xfca7b5d3f0d00f03};
  EXPECT_EQ(make_stream(1, 0, 0, Purpose::moves).state(), first);
  const Xoshiro256::State other = {0x3ca37d34d5a0d805, 0x72b05d7dbd653d7e, 0x762a4584bf57015b,
                                   0x0fdacb5eeec12abc};
  EXPECT_EQ(make_stream(~std::uint64_t{0}, 7, 3, Purpose::start).state(), other);
}

// Every lane of the state and the first output differ between all near tuples: with 64-bit hashes
// of 400,000 tuples a chance collision has probability 5e-9 per column.
TEST(Stream, NearTuplesDoNotCollide) {
  std::vector<std::uint64_t> columns[5];
  for (std::uint64_t seed = 0; seed < 32; ++seed)
    for (std::uint64_t run = 0; run < 8; ++run)
      for (std::uint64_t chain = 0; chain < 224; ++chain)
        for (const Purpose purpose :
             {Purpose::start, Purpose::moves, Purpose::generator, Purpose::exchange,
              Purpose::resample, Purpose::tune, Purpose::test}) {
          Xoshiro256 stream = make_stream(seed, run, chain, purpose);
          for (std::size_t lane = 0; lane < 4; ++lane)
            columns[lane].push_back(stream.state()[lane]);
          columns[4].push_back(stream());
        }
  for (auto& column : columns) {
    EXPECT_EQ(column.size(), 401'408u);
    std::sort(column.begin(), column.end());
    EXPECT_EQ(std::adjacent_find(column.begin(), column.end()), column.end());
  }
}

TEST(Stream, OrderOfThePartsCounts) {
  for (std::uint64_t a = 0; a < 50; ++a)
    for (std::uint64_t b = 0; b < a; ++b) {
      EXPECT_NE(make_stream(a, b, 0, Purpose::moves).state(),
                make_stream(b, a, 0, Purpose::moves).state());
      EXPECT_NE(make_stream(1, a, b, Purpose::moves).state(),
                make_stream(1, b, a, Purpose::moves).state());
    }
}

}  // namespace
}  // namespace nhot
