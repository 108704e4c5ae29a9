#include "nhot/base/text_layout.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace nhot {
namespace {

TEST(TextLayout, TablesOfFilesHaveARowALine) {
  const TextLayout file;
  EXPECT_FALSE(file.terminal());
  EXPECT_EQ(file.table({{"name", "mean", "R-hat"}, {"energy", "-12.5", "1.001"}}),
            "name     mean  R-hat\nenergy  -12.5  1.001\n");
  const std::string wide(90, 'x');
  const std::string rows = file.table({{"a", "b", "c"}, {"d", wide, wide}});
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2);
}

TEST(TextLayout, NarrowTerminalsGetBlocksOrLists) {
  const TextLayout narrow(std::size_t{40});
  const std::string cell(12, '1');
  const std::string blocks =
      narrow.table({{"name", "one", "two", "three"}, {"row", cell, cell, cell}});
  EXPECT_EQ(std::count(blocks.begin(), blocks.end(), '\n'), 5);  // two blocks, a line between
  const std::string lists = narrow.table({{"name", "one"}, {std::string(38, 'n'), cell}});
  EXPECT_NE(lists.find("  one  " + cell), std::string::npos);
}

TEST(TextLayout, WrapsAtItsWidthAndNeverBelowForty) {
  EXPECT_EQ(TextLayout().width(), 100u);
  EXPECT_EQ(TextLayout(std::size_t{7}).width(), 40u);
  const TextLayout narrow(std::size_t{40});
  const std::string text = narrow.wrap("aaaaaaaaaa bbbbbbbbbb cccccccccc dddddddddd", "  ");
  EXPECT_EQ(text, "aaaaaaaaaa bbbbbbbbbb cccccccccc\n  dddddddddd");
  EXPECT_EQ(narrow.notes({"one", "two"}), "note: one\nnote: two\n");
}

TEST(Numbers, AreShownToTheirResolution) {
  EXPECT_EQ(to_resolution(12.3456, 0.01), "12.346");
  EXPECT_EQ(to_resolution(12.3456, 0.2), "12.35");
  EXPECT_EQ(to_resolution(std::numeric_limits<double>::quiet_NaN(), 1), "-");
  EXPECT_EQ(significant(std::numeric_limits<double>::infinity(), 3), "-");
  EXPECT_EQ(with_commas(1234567), "1,234,567");
}

TEST(ShortNumbers, HaveThreeDigitsAndAPrefix) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(850), "850");
  EXPECT_EQ(short_number(12340), "12.3 k");
  EXPECT_EQ(short_number(4.561e6), "4.56 M");
  EXPECT_EQ(short_number(999'600), "1.00 M");
}

TEST(ShortDurations, AreInTheUnitsOfPeople) {
  EXPECT_EQ(short_duration(4.24), "4.2 s");
  EXPECT_EQ(short_duration(59.4), "59 s");
  EXPECT_EQ(short_duration(185), "3 min 05 s");
  EXPECT_EQ(short_duration(7620), "2 h 07 min");
  EXPECT_EQ(short_duration(-1), "?");
}

}  // namespace
}  // namespace nhot
