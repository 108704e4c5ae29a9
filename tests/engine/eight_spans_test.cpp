#include "nhot/engine/eight_spans.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace nhot::test {
namespace {

constexpr double beyond = std::numeric_limits<double>::infinity();

// All lines of spans of length 0, 1 and 2, and points in the middle and at the begin of every unit.
TEST(EightSpans, FindsTheSpanAndWhatIsLeft) {
  for (int code = 1; code < 6561; ++code) {
    std::array<double, eight> v{};
    int rest = code;
    for (double& length : v) {
      length = rest % 3;
      rest /= 3;
    }
    const double sum = sum_of_eight(v.data());
    double begin = 0;
    for (std::size_t k = 0; k < eight; begin += v[k], ++k)
      for (double inside = 0; inside < v[k]; inside += 0.5) {
        double target = begin + inside;
        ASSERT_EQ(find_in_eight(v.data(), target), k)
            << "line " << code << " at " << begin + inside;
        ASSERT_EQ(target, inside);
      }
    ASSERT_EQ(begin, sum);
    std::size_t last = eight - 1;
    while (v[last] == 0) --last;
    for (const double past : {sum, sum + 1, beyond}) {
      double target = past;
      ASSERT_EQ(find_in_eight(v.data(), target), last) << "line " << code << " past its end";
      // Past the end at every level below, too.
      ASSERT_GE(target, v[last]);
      ASSERT_TRUE(last == eight - 1 || target == beyond) << "line " << code;
    }
  }
}

}  // namespace
}  // namespace nhot::test
