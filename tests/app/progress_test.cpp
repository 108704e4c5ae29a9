// The progress bar on a screen of the test's own, by a clock that the test sets.
#include "progress.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "support/clocks.hpp"

namespace nhot::app {
namespace {

class Bar : public testing::Test {
 protected:
  ProgressBar make(std::size_t columns = 100, bool colour = false, bool active = true) {
    return ProgressBar({active, colour, [columns] { return columns; },
                        [this](const std::string& text) { written_.push_back(text); }});
  }

  test::SetClock clock_;
  std::vector<std::string> written_;
};

TEST_F(Bar, IsDrawnAtOnceAndThenTenTimesASecond) {
  ProgressBar bar = make();
  for (int k = 0; k <= 1000; ++k) {
    clock_.set(50 + 0.001 * k);
    bar.show("sampling", 0.001 * k, 0.001 * k, 10 * k, "moves");
  }
  // At 0, 0.1, ... and 1 s; sums of 0.001 may be a rounding late.
  EXPECT_GE(written_.size(), 10U);
  EXPECT_LE(written_.size(), 11U);
  const std::size_t before = written_.size();
  bar.show("cooling", 0, 0, 0, "moves");  // another phase is not kept waiting
  ASSERT_EQ(written_.size(), before + 1);
  bar.show("cooling", 0.1, 0, 0, "moves");
  EXPECT_EQ(written_.size(), before + 1);
  EXPECT_EQ(written_.back().find("\rcooling ["), 0U);
}

TEST_F(Bar, SaysPhaseShareRateAndTimeLeft) {
  ProgressBar bar = make(61);
  bar.show("sampling", 0.25, 2, 5000, "moves");
  ASSERT_EQ(written_.size(), 1U);
  EXPECT_EQ(written_[0], "\rsampling [####............]  25%  2.50 k moves/s  6.0 s left\033[K");
  clock_.set(1);
  bar.show("sampling", 1.7, 4, 5000, "moves");  // more than all there is
  EXPECT_EQ(written_[1], "\rsampling [################] 100%  1.25 k moves/s  0.0 s left\033[K");
  clock_.set(2);
  bar.show("sampling", 0, 0, 0, "moves");  // nothing is known yet
  EXPECT_EQ(written_[2], "\rsampling [" + std::string(40, '.') + "]   0%\033[K");
}

TEST_F(Bar, FitsNarrowTerminals) {
  for (const std::size_t columns : {100U, 60U, 40U, 30U, 12U, 2U}) {
    ProgressBar bar = make(columns);
    written_.clear();
    bar.show("sampling", 0.5, 3, 1e6, "moves");
    const std::string line = written_.at(0);
    const std::size_t frame = std::string("\r\033[K").size();
    EXPECT_LT(line.size() - frame, columns) << line;
    EXPECT_GT(line.size(), frame) << columns;
  }
}

TEST_F(Bar, HasColourWhereTheScreenHas) {
  make(100, true).show("sampling", 0.5, 3, 1e6, "moves");
  EXPECT_NE(written_.at(0).find("[\033[36m###"), std::string::npos);
  written_.clear();
  make(100, false).show("sampling", 0.5, 3, 1e6, "moves");
  EXPECT_EQ(written_.at(0).find("\033[36m"), std::string::npos);
}

TEST_F(Bar, IsGoneAtTheEnd) {
  {
    ProgressBar bar = make();
    bar.show("sampling", 0.5, 3, 1e6, "moves");
    bar.clear();
    EXPECT_EQ(written_.back(), "\r\033[K");
    EXPECT_EQ(written_.size(), 2U);
    bar.show("sampling", 0.6, 3, 1e6, "moves");  // drawn again without waiting
    EXPECT_EQ(written_.size(), 3U);
  }
  EXPECT_EQ(written_.size(), 4U);
  EXPECT_EQ(written_.back(), "\r\033[K");
  written_.clear();
  { const ProgressBar never_shown = make(); }
  EXPECT_TRUE(written_.empty());
}

TEST_F(Bar, WritesNothingWhereItIsNotActive) {
  {
    ProgressBar bar = make(100, true, false);
    EXPECT_FALSE(bar.active());
    bar.show("sampling", 0.5, 3, 1e6, "moves");
  }
  EXPECT_TRUE(written_.empty());
}

}  // namespace
}  // namespace nhot::app
