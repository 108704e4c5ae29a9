#include "nhot/random/xoshiro.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace nhot {
namespace {

// Computed from the recurrence of Blackman and Vigna in another language, with integers of any size
// reduced modulo 2^64.
TEST(Xoshiro256, FollowsTheReferenceSequence) {
  Xoshiro256 engine({1, 2, 3, 4});
  for (const std::uint64_t expected :
       {41943041ULL, 58720359ULL, 3588806011781223ULL, 3591011842654386ULL, 9228616714210784205ULL,
        9973669472204895162ULL, 14011001112246962877ULL, 12406186145184390807ULL,
        15849039046786891736ULL, 10450023813501588000ULL})
    EXPECT_EQ(engine(), expected);
}

TEST(Xoshiro256, FollowsTheReferenceFromAFullState) {
  Xoshiro256 engine(
      {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0x2545f4914f6cdd1d});
  EXPECT_EQ(engine(), 0xc39ed56618ac3accULL);
  EXPECT_EQ(engine(), 0xc89c6b2cbdc7e45fULL);
  EXPECT_EQ(engine(), 0x163482599bfdaa89ULL);
  for (int k = 3; k < 999; ++k) engine();
  EXPECT_EQ(engine(), 0x73504eed85d2101cULL);
}

TEST(Xoshiro256, FoldOfManyOutputs) {
  Xoshiro256 engine({1, 2, 3, 4});
  std::uint64_t fold = 0;
  for (int k = 0; k < 100'000; ++k) fold ^= engine();
  EXPECT_EQ(fold, 0x76226ab046c362bbULL);
}

TEST(Xoshiro256, AStateTakenAndSetGoesOnTheSame) {
  Xoshiro256 engine({1, 2, 3, 4});
  for (int k = 0; k < 17; ++k) engine();
  Xoshiro256 other({9, 9, 9, 9});
  other.set_state(engine.state());
  for (int k = 0; k < 100; ++k) EXPECT_EQ(engine(), other());
}

}  // namespace
}  // namespace nhot
