#include "nhot/base/options.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "nhot/base/error.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

using test::hint_of;
using test::message_of;

const OptionTable& table() {
  static const OptionTable options = {
      {"moves", OptionType::integer, "1000", "moves per chain", "N", 1, 1e15},
      {"beta", OptionType::real, "1", "inverse temperature", "B", 0},
      {"thin", OptionType::integer, "auto", "moves per draw", "N", 1, 1e9, {"auto"}},
      {"bias", OptionType::choice, "logistic", "weight", "NAME", 0, 0, {"logistic", "exp", "min"}},
      {"quiet", OptionType::flag, "false", "say nothing"},
      {"move", OptionType::text, "", "a move", "MOVE", 0, 0, {}, 0, true},
  };
  return options;
}

TEST(ParseInteger, ReadsWholeNumbersAndNothingElse) {
  EXPECT_EQ(parse_integer("42"), 42);
  EXPECT_EQ(parse_integer("+42"), 42);
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("1e6"), 1'000'000);
  EXPECT_EQ(parse_integer("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", " 1", "1 ", "1.5", "1e-3", "1e300", "0x10", "12a", "--1", "nan",
                           "inf", "9223372036854775808", "+"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(ParseInteger, OneNumberHasOneValueHoweverItIsWritten) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(parse_integer("9e15"), 9'000'000'000'000'000);
  EXPECT_EQ(parse_integer("9000000000000000"), 9'000'000'000'000'000);
  EXPECT_EQ(parse_integer("9.007199254740993e15"), 9'007'199'254'740'993);  // no double
  EXPECT_EQ(parse_integer("9.223372036854775807e18"), largest);
  EXPECT_EQ(parse_integer("9223372036854775807.0"), largest);
  EXPECT_EQ(parse_integer("922337203685477580.7E1"), largest);
  EXPECT_EQ(parse_integer("9.223372036854775808e18"), std::nullopt);
  EXPECT_EQ(parse_integer("1e19"), std::nullopt);
  EXPECT_EQ(parse_integer("-9.223372036854775808e18"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("+2.50e+1"), 25);
  EXPECT_EQ(parse_integer("1200e-2"), 12);
  EXPECT_EQ(parse_integer("1.e3"), 1000);
  EXPECT_EQ(parse_integer(".5e1"), 5);
  EXPECT_EQ(parse_integer("000.0e99999"), 0);
  for (const char* text : {"1e", "e5", ".", ".e1", "1e5.0", "1e99999999999", "1.25e1", "1e-1",
                           "1-e5", "+-1e5", "1e++5"})
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
}

TEST(OptionValues, CountsGoUpToTheTrueLimitInEverySpelling) {
  const OptionTable counts = {{"count", OptionType::integer, "", "", "N", 0}};
  OptionValues values(counts, "--");
  values.set("count", "9e15");
  EXPECT_EQ(values.integer("count"), 9'000'000'000'000'000);
  for (const char* text : {"9223372036854775808", "9.223372036854775808e18", "1e300"})
    EXPECT_EQ(hint_of(test::refusal([&] { values.set("count", text); })),
              "give a whole number, at least 0; the largest is 9223372036854775807")
        << text;
}

TEST(ParseReal, ReadsFiniteNumbersAndNothingElse) {
  EXPECT_EQ(parse_real("0.44053"), 0.44053);
  EXPECT_EQ(parse_real("-1e-300"), -1e-300);
  EXPECT_EQ(parse_real("+3"), 3.0);
  EXPECT_EQ(parse_real(".5"), 0.5);
  for (const char* text : {"", "nan", "inf", "-inf", "1e999", "1,5", "1.0.0", "beta", "1e"})
    EXPECT_EQ(parse_real(text), std::nullopt) << text;
}

TEST(FormatReal, IsTheShortestTextThatReadsBack) {
  EXPECT_EQ(format_real(0.1), "0.1");
  EXPECT_EQ(format_real(1800), "1800");
  for (const double value : {1.0 / 3, 1e-300, 1e300, -0.44053, 5e-324, 1.7976931348623157e308})
    EXPECT_EQ(parse_real(format_real(value)), value);
}

TEST(ShortReal, ShowsNoMoreDigitsThanAPersonReads) {
  EXPECT_EQ(short_real(0.44053), "0.44053");
  EXPECT_EQ(short_real(1.0 / 3), "0.33333333");
  EXPECT_EQ(short_real(0.1 + 0.2), "0.3");
  EXPECT_EQ(short_real(-2.7789471405251165), "-2.7789471");
  EXPECT_EQ(short_real(-4838), "-4838");
  EXPECT_EQ(short_real(123456789012), "123456789012");
  EXPECT_EQ(short_real(0), "0");
  EXPECT_EQ(short_real(1e308), "1e+308");
  EXPECT_EQ(short_real(1.2345678901234567e-9), "1.2345679e-09");
}

TEST(OptionValues, GiveDefaultsUntilSet) {
  OptionValues values(table(), "--");
  EXPECT_EQ(values.integer("moves"), 1000);
  EXPECT_FALSE(values.was_set("moves"));
  EXPECT_FALSE(values.flag("quiet"));
  values.set("moves", "1e6");
  values.set("quiet", "true");
  values.set("beta", "0.25");
  EXPECT_TRUE(values.was_set("moves"));
  EXPECT_EQ(values.integer("moves"), 1'000'000);
  EXPECT_EQ(values.real("beta"), 0.25);
  EXPECT_TRUE(values.flag("quiet"));
  values.set("moves", "5");
  EXPECT_EQ(values.integer("moves"), 5);
}

TEST(OptionValues, RepeatableOptionsKeepAllValues) {
  OptionValues values(table(), "--");
  EXPECT_TRUE(values.list("move").empty());
  values.set("move", "swap");
  values.set("move", "im");
  EXPECT_EQ(values.list("move"), (std::vector<std::string>{"swap", "im"}));
  EXPECT_EQ(values.list("moves"), std::vector<std::string>{"1000"});
  EXPECT_EQ(values.resolved().back(), (std::pair<std::string, std::string>{"move", "swap; im"}));
  EXPECT_EQ(values.resolved().size(), table().size());
}

TEST(OptionValues, WordsAreAcceptedBesideNumbers) {
  OptionValues values(table(), "--");
  values.set("thin", "auto");
  values.set("thin", "12");
  EXPECT_THROW(values.set("thin", "automatic"), InputError);
  // A word is not a number.
  values.set("thin", "auto");
  EXPECT_THROW(values.integer("thin"), InternalError);
}

TEST(OptionValues, BadValuesAreRefusedWithWhatIsWanted) {
  OptionValues values(table(), "--");
  const auto refused = [&](const char* name, const char* value) {
    return test::refusal([&] { values.set(name, value); });
  };
  EXPECT_EQ(message_of(refused("moves", "0")), "--moves is '0'");
  EXPECT_EQ(hint_of(refused("moves", "0")), "give a whole number, between 1 and 1000000000000000");
  EXPECT_EQ(hint_of(refused("beta", "-1")), "give a finite number, at least 0");
  EXPECT_EQ(message_of(refused("beta", "nan")), "--beta is 'nan'");
  EXPECT_EQ(hint_of(refused("thin", "0")),
            "give a whole number, between 1 and 1000000000, or 'auto'");
  EXPECT_EQ(hint_of(refused("quiet", "yes")), "give true or false");
  EXPECT_EQ(hint_of(refused("bias", "logistik")),
            "did you mean 'logistic'? known: logistic, exp, min");
  OptionValues parameters(table(), "move im: ");
  EXPECT_EQ(message_of(test::refusal([&] { parameters.set("beat", "1"); })),
            "move im: unknown option 'beat'");
  EXPECT_EQ(message_of(refused("beat", "1")), "unknown option '--beat'");
  EXPECT_EQ(hint_of(refused("beat", "1")).find("did you mean 'beta'?"), 0u);
  // Nothing of this was stored.
  EXPECT_FALSE(values.was_set("moves"));
  EXPECT_FALSE(values.was_set("beta"));
}

TEST(ScanValues, ListsAndRanges) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(scan_values(OptionType::real, "0.3, 0.4,5e-1"), (Texts{"0.3", "0.4", "5e-1"}));
  EXPECT_EQ(scan_values(OptionType::real, "0.2..0.6/5"),
            (Texts{"0.2", "0.3", "0.4", "0.5", "0.6"}));
  EXPECT_EQ(scan_values(OptionType::real, "1..0/3"), (Texts{"1", "0.5", "0"}));
  EXPECT_EQ(scan_values(OptionType::integer, "10..30/3"), (Texts{"10", "20", "30"}));
  EXPECT_EQ(scan_values(OptionType::integer, "1e2,5"), (Texts{"100", "5"}));
  EXPECT_TRUE(is_scan("1,2") && is_scan("1..2") && !is_scan("1.5"));
  for (const char* bad : {"1,,2", "1,x", "0..1", "0..1/1", "0..1/1e9", "0../3", "1,2,1.0",
                          "1..nan/3", "-1e308..1e308/3"})
    EXPECT_THROW(scan_values(OptionType::real, bad), InputError) << bad;
  EXPECT_THROW(scan_values(OptionType::integer, "1.5,2"), InputError);
  EXPECT_THROW(scan_values(OptionType::integer, "1..3/9"), InputError);  // values come twice
}

// Every pair of them used to be compared, which took a minute.
TEST(ScanValues, TheLongestRangeIsReadAtOnce) {
  const std::vector<std::string> values = scan_values(OptionType::real, "0..1/10000");
  EXPECT_EQ(values.size(), 10'000U);
  EXPECT_EQ(values.back(), "1");
}

TEST(ScanValues, OnlyWhereTheyAreDeclared) {
  OptionTable table = {{"beta", OptionType::real, "1", "", "B", 0}};
  EXPECT_EQ(hint_of(test::refusal([&] { OptionValues(table, "--").set("beta", "1,2"); })),
            "give a finite number, at least 0, one only: no scan over several is offered here");
  table[0].scanned = true;
  OptionValues values(table, "--");
  values.set("beta", "1..2/3");
  EXPECT_EQ(values.text("beta"), "1..2/3");
  EXPECT_EQ(message_of(test::refusal([&] { values.set("beta", "1,-2"); })), "--beta is '-2'");
  EXPECT_EQ(
      message_of(test::refusal([&] { values.set("beta", "1..2"); })).find("--beta: the range"), 0U);
}

}  // namespace
}  // namespace nhot
