#include "nhot/base/packed_bits.hpp"

#include <gtest/gtest.h>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr std::size_t sizes[] = {1, 7, 8, 63, 64, 65, 100, 127, 128, 129, 257, 1000};

Bits random_bits(std::size_t size, std::uint64_t seed, double p = 0.5) {
  RandomDraws draws(make_stream(seed, 0, 0, Purpose::test));
  Bits bits(size);
  for (Bit& bit : bits) bit = draws.accept(p);
  return bits;
}

TEST(PackedBits, HoldsWhatItWasGiven) {
  PackedBits packed;
  for (const std::size_t size : sizes) {
    const Bits bits = random_bits(size, size);
    packed.assign(bits);  // over what was there
    ASSERT_EQ(packed.size(), size);
    EXPECT_EQ(packed.unpacked(), bits);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(packed[i], bits[i]);
    EXPECT_EQ(packed, PackedBits(bits));
  }
}

TEST(PackedBits, ReadsWordsFromAnySite) {
  for (const std::size_t size : sizes) {
    const Bits bits = random_bits(size, size + 1);
    const PackedBits packed(bits);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < 64; ++k)
        ASSERT_EQ(packed.word_at(i) >> k & 1U, i + k < size ? bits[i + k] : 0) << size << " " << i;
  }
}

TEST(PackedBits, FlipsWhereTheMaskIsOne) {
  for (const std::size_t size : sizes) {
    const Bits bits = random_bits(size, 2);
    const Bits mask = random_bits(size, 3);
    PackedBits packed(bits);
    packed.flip(mask);
    Bits expected(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = bits[i] ^ mask[i];
    EXPECT_EQ(packed, PackedBits(expected));
  }
}

TEST(PackedBits, CountsOnesOfAnyRange) {
  const Bits bits = random_bits(300, 4);
  const PackedBits packed(bits);
  for (std::size_t begin = 0; begin <= 300; begin += 3)
    for (std::size_t end = begin; end <= 300; ++end) {
      std::size_t sum = 0;
      for (std::size_t i = begin; i < end; ++i) sum += bits[i];
      ASSERT_EQ(count_ones(packed, begin, end), sum) << begin << " " << end;
    }
}

TEST(PackedBits, CountsDifferentAndCommonSites) {
  for (const std::size_t size : sizes) {
    const Bits a = random_bits(size, 5);
    const Bits b = random_bits(size, 6);
    std::size_t different = 0;
    std::size_t common = 0;
    for (std::size_t i = 0; i < size; ++i) {
      different += a[i] != b[i];
      common += a[i] == 1 && b[i] == 1;
    }
    EXPECT_EQ(count_different(a, b), different);
    EXPECT_EQ(count_common(a, b), common);
  }
}

TEST(PackedBits, CountsColumns) {
  for (const std::size_t size : {1U, 60U, 64U, 100U, 3600U, 729U, 5000U})
    for (const std::size_t period : {1U, 2U, 9U, 60U, 63U, 64U, 65U, 100U, 300U, 1000U}) {
      const Bits bits = random_bits(size, 7, 0.8);
      std::vector<std::uint32_t> expected(period, 0);
      for (std::size_t i = 0; i < size; ++i) expected[i % period] += bits[i];
      std::vector<std::uint32_t> counts;
      count_columns(bits, period, counts);
      EXPECT_EQ(counts, expected) << size << " " << period;
    }
}

TEST(PackedBits, CountsSitesOverStates) {
  constexpr std::size_t size = 333;
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 8U, 100U}) {
    std::vector<PackedBits> states;
    std::vector<std::uint32_t> expected(size, 0);
    for (std::size_t s = 0; s < count; ++s) {
      const Bits bits = random_bits(size, 100 + s, 0.9);
      states.emplace_back(bits);
      for (std::size_t i = 0; i < size; ++i) expected[i] += bits[i];
    }
    std::vector<const PackedBits*> list;
    for (const PackedBits& state : states) list.push_back(&state);
    std::vector<std::uint32_t> counts(size, 9);
    for (std::size_t first = 0; first < size; first += counted_sites)
      count_sites(list, first, std::min(counted_sites, size - first), counts.data() + first);
    EXPECT_EQ(counts, expected);
  }
}

}  // namespace
}  // namespace nhot
