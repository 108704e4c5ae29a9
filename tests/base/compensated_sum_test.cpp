#include "nhot/base/compensated_sum.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

TEST(CompensatedSum, KeepsWhatAPlainSumLoses) {
  CompensatedSum sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  EXPECT_EQ(sum.value(), 2.0);
}

TEST(CompensatedSum, OfManyTermsIsRightToARounding) {
  CompensatedSum sum;
  for (int k = 0; k < 1'000'000; ++k) sum.add(0.1);
  // 0.1 is stored as 0.1 + 5.55e-18, and a million of them are 100000 + 5.6e-12.
  EXPECT_EQ(sum.value(), 100000.0);
}

TEST(CompensatedSum, KnowsWhetherItIsExact) {
  CompensatedSum integers;
  for (int k = 0; k < 1000; ++k) integers.add(k);
  EXPECT_TRUE(integers.exact());
  EXPECT_EQ(integers.value(), 499500.0);
  CompensatedSum rounded;
  rounded.add(1.0);
  rounded.add(0x1p-60);
  EXPECT_FALSE(rounded.exact());
}

}  // namespace
}  // namespace nhot
