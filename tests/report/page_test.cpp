#include "nhot/report/page.hpp"

#include <gtest/gtest.h>

#include "nhot/report/assets.hpp"
#include "nhot/report/pictures.hpp"
#include "nhot/report/plain_parts.hpp"

namespace nhot {
namespace {

TEST(Page, DataCannotEndItsScript) {
  if (asset("uPlot.iife.min.js").empty()) GTEST_SKIP() << "built without the plotting library";
  const std::string page = make_page("a < b & c", "run", {{"x", "</script><b>"}});
  EXPECT_NE(page.find("<title>a &lt; b &amp; c</title>"), std::string::npos);
  EXPECT_NE(page.find(R"({"x":"\u003c/script>\u003cb>"})"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
}

TEST(PlainHtml, SaysAllPartsAndEscapesThem) {
  Json run = {{"file", "a<b.nc"}, {"command", "nhot sample 'x & y'"}};
  run["text"]["problem"] = lines_part({{"model", "<script>"}});
  run["text"]["table"] = table_part({{"beta", "R-hat"}, {"0.5", "1.001"}}, "Title", "a note");
  run["text"]["verdict"] = verdict_part({false, {"Too short."}}, "", "Go on.");
  const std::string html = plain_html({{"title", "Runs"}, {"runs", {run}}});
  for (const char* piece :
       {"<h1>Runs</h1>", "<h2>a&lt;b.nc</h2>", "&lt;script>", "<th>R-hat</th>", "<td>1.001</td>",
        "a note", "not converged", "<li>Too short.</li>", "Go on.", "'x &amp; y'"})
    EXPECT_NE(html.find(piece), std::string::npos) << piece;
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_EQ(plain_html(nullptr), "");
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
