#include "nhot/base/option_words.hpp"

#include <gtest/gtest.h>

namespace nhot {
namespace {

std::string dashes(std::string_view name, std::string_view value) {
  return "--" + std::string(name) + (value.empty() ? "" : " " + std::string(value));
}
std::string keywords(std::string_view name, std::string_view value) {
  return std::string(name) + "=" + std::string(value.empty() ? "..." : value);
}

TEST(OptionWords, AreSpelledByTheDoor) {
  const char* const text = "give {chains 4}, {beta-cold} or {betas 0,0.1}";
  EXPECT_EQ(spell_options(text, dashes), "give --chains 4, --beta-cold or --betas 0,0.1");
  EXPECT_EQ(spell_options(text, keywords), "give chains=4, beta-cold=... or betas=0,0.1");
}

TEST(OptionWords, LeaveOtherTextAlone) {
  for (const char* text : {"", "plain", "{", "a } b", "{}", "{Out}.nc", "{3} {x_y} {-a}", "{open"})
    EXPECT_EQ(spell_options(text, dashes), text);
  EXPECT_EQ(spell_options("{{out}", dashes), "{{out}");
}

}  // namespace
}  // namespace nhot
