#include "nhot/base/contracts.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

int half_of_even(int value) {
  NHOT_EXPECTS(value % 2 == 0);
  return value / 2;
}

TEST(Contracts, AreCheckedExactlyWhenAssertionsAre) {
  EXPECT_EQ(half_of_even(6), 3);
#ifdef NDEBUG
  EXPECT_EQ(half_of_even(7), 3);  // free in release builds: the condition is not looked at
#else
  EXPECT_THROW(half_of_even(7), InternalError);
#endif
}

TEST(Errors, CarryTheExitCodeOfTheirKind) {
  EXPECT_EQ(InputError("x").code(), ExitCode::input);
  EXPECT_EQ(EnvironmentError("x").code(), ExitCode::environment);
  EXPECT_EQ(InternalError("x").code(), ExitCode::bug);
  EXPECT_EQ(InputError("x", "try y").hint(), "try y");
  EXPECT_STREQ(InputError("x", "try y").what(), "x");
}

}  // namespace
}  // namespace nhot
