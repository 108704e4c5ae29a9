#include "nhot/base/bytes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace nhot {
namespace {

TEST(Bytes, ComeBackToTheBit) {
  ByteWriter out;
  const std::vector<double> reals = {0.1, -0.0, 5e-324, std::nan("1"), INFINITY};
  const std::vector<std::uint32_t> sites = {3, 1, 4};
  out.put(std::uint8_t{7});
  out.put(reals);
  out.put(std::int64_t{-5});
  out.put(std::vector<std::uint32_t>{});
  out.put(sites);
  const std::vector<std::byte> bytes = out.take();

  ByteReader in(bytes);
  EXPECT_EQ(in.get<std::uint8_t>(), 7);
  std::vector<double> reals_back;
  in.get(reals_back);
  ASSERT_EQ(reals_back.size(), reals.size());
  EXPECT_EQ(std::memcmp(reals_back.data(), reals.data(), reals.size() * sizeof(double)), 0);
  EXPECT_EQ(in.get<std::int64_t>(), -5);
  std::vector<std::uint32_t> empty = {9};
  in.get(empty);
  EXPECT_TRUE(empty.empty());
  EXPECT_FALSE(in.at_end());
  std::vector<std::uint32_t> sites_back;
  in.get_sized(sites_back, 3);
  EXPECT_EQ(sites_back, sites);
  EXPECT_TRUE(in.at_end());
}

TEST(Bytes, AShortArchiveIsAnInputError) {
  ByteWriter out;
  out.put(std::vector<double>(4, 1.5));
  const std::vector<std::byte> whole = out.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::vector<std::byte> cut(whole.begin(), whole.begin() + std::ptrdiff_t(size));
    ByteReader in(cut);
    std::vector<double> values;
    EXPECT_THROW(in.get(values), InputError) << size;
  }
}

TEST(Bytes, AnAbsurdSizeIsAnInputErrorAndAllocatesNothing) {
  for (const std::uint64_t size : {std::uint64_t{2}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    ByteWriter out;
    out.put(size);
    out.put(1.0);
    ByteReader in(out.bytes());
    std::vector<double> values;
    EXPECT_THROW(in.get(values), InputError);
    EXPECT_TRUE(values.empty());
  }
}

TEST(Bytes, AVectorOfAnotherSizeIsAnInputError) {
  ByteWriter out;
  out.put(std::vector<std::uint8_t>(5, 1));
  ByteReader in(out.bytes());
  std::vector<std::uint8_t> values;
  EXPECT_THROW(in.get_sized(values, 6), InputError);
}

}  // namespace
}  // namespace nhot
