#include "nhot/report/page.hpp"

#include <gtest/gtest.h>

#include "nhot/report/assets.hpp"
#include "nhot/report/pictures.hpp"

namespace nhot {
namespace {

TEST(Page, DataCannotEndItsScript) {
  if (asset("uPlot.iife.min.js").empty()) GTEST_SKIP() << "built without the plotting library";
  const std::string page = make_page("a < b & c", "run", {{"x", "</script><b>"}});
  EXPECT_NE(page.find("<title>a &lt; b &amp; c</title>"), std::string::npos);
  EXPECT_NE(page.find(R"({"x":"\u003c/script>\u003cb>"})"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
}

TEST(Page, HoldsItsScriptsWhole) {
  for (const char* name : {"dom.js", "axes.js", "charts.js", "pictures.js", "tables.js",
                           "run_page.js", "comparison_page.js", "page.css"})
    EXPECT_FALSE(asset(name).empty()) << name;
  EXPECT_TRUE(asset("run_page.js").ends_with("buildPage();\n"));
  EXPECT_TRUE(asset("no-such-file.js").empty());
}

TEST(Pictures, PackBits) {
  EXPECT_EQ(packed_bits(Bits{1, 0, 0, 0, 0, 0, 0, 0}), "AQ==");
  EXPECT_EQ(packed_bits(Bits(24, 1)), "////");
  EXPECT_EQ(packed_bits(Bits{0, 0, 0, 0, 0, 0, 0, 0, 1}), "AAE=");
}

TEST(Rounded, KeepsTheDigitsAndDropsWhatMeansNothing) {
  EXPECT_EQ(rounded(1.0 / 3).dump(), "0.33333");
  EXPECT_EQ(rounded(-4838.0).dump(), "-4838");
  EXPECT_EQ(rounded(std::numeric_limits<double>::quiet_NaN()).dump(), "null");
  EXPECT_EQ(rounded({1.5, std::numeric_limits<double>::infinity()}).dump(), "[1.5,null]");
}

}  // namespace
}  // namespace nhot
