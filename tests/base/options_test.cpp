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
  EXPECT_EQ(message_of(refused("beat", "1")), "unknown option '--beat'");
  EXPECT_EQ(hint_of(refused("beat", "1")).find("did you mean 'beta'?"), 0u);
  // Nothing of this was stored.
  EXPECT_FALSE(values.was_set("moves"));
  EXPECT_FALSE(values.was_set("beta"));
}

}  // namespace
}  // namespace nhot
