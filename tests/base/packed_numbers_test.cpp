#include "nhot/base/packed_numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace nhot {
namespace {

void expect_same(const std::vector<double>& numbers) {
  const PackedNumbers packed(numbers);
  ASSERT_EQ(packed.size(), numbers.size());
  const PackedNumbers::View all = packed.all();
  EXPECT_EQ(std::vector<double>(all.begin(), all.end()).size(), numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(packed[k]), std::bit_cast<std::uint64_t>(numbers[k]));
    const PackedNumbers::View rest = packed.slice(k, numbers.size() - k);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(rest[0]), std::bit_cast<std::uint64_t>(numbers[k]));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*rest.begin()),
              std::bit_cast<std::uint64_t>(numbers[k]));
  }
}

TEST(PackedNumbers, GivesBackEveryBit) {
  expect_same({});
  expect_same({3.5});
  expect_same({1, 1, 1, 1});
  expect_same({1, -1, 1, -1, -1});
  expect_same({0.0, -0.0, std::numeric_limits<double>::denorm_min(), 1e308, -1e308});
}

/// 256 different numbers have codes of one byte, 257 have not.
TEST(PackedNumbers, GivesBackEveryBitAroundTheLargestTable) {
  for (const std::size_t different : {255U, 256U, 257U, 1000U}) {
    std::vector<double> numbers;
    for (std::size_t k = 0; k < 3000; ++k)
      numbers.push_back(std::sqrt(static_cast<double>(k * k % different)));
    std::size_t many = 0;
    for (std::size_t k = 0; k < different; ++k) numbers.push_back(static_cast<double>(many++) / 7);
    expect_same(numbers);
  }
}

TEST(PackedNumbers, AViewIsARange) {
  const PackedNumbers packed({2, 3, 5, 2});
  double sum = 0;
  for (const double number : packed.slice(1, 3)) sum += number;
  EXPECT_EQ(sum, 10);
  EXPECT_TRUE(PackedNumbers().all().empty());
}

}  // namespace
}  // namespace nhot
