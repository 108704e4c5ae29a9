// Shells from options: what is missing or wrong is said by the names of the options.
#include "nhot/run/options.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

OptionValues values_with(const std::string& distance) {
  OptionValues values(shell_options().options, "");
  if (!distance.empty()) values.set("distance", distance);
  return values;
}

TEST(ShellFrom, MeasuresFromZerosOrFromTheReference) {
  const Model model = model_from_spec("ferromagnet:4");
  const Shell plain = shell_from(values_with("3"), model);
  EXPECT_EQ(plain.distance(), 3U);
  EXPECT_EQ(plain.reference(), Bits(4, 0));
  EXPECT_EQ(shell_from(values_with("4"), model, {0, 1, 1, 0}).reference(), (Bits{0, 1, 1, 0}));
}

TEST(ShellFrom, SaysWhatIsMissingOrWrong) {
  const Model model = model_from_spec("ferromagnet:4");
  EXPECT_EQ(test::message_of(test::refusal([&] { shell_from(values_with(""), model); })),
            "{distance} is not given");
  EXPECT_EQ(test::hint_of(test::refusal([&] { shell_from(values_with(""), model); })),
            "give {distance N} with N between 0 and 4; half of the sites is {distance 2}");
  EXPECT_EQ(test::message_of(test::refusal([&] { shell_from(values_with("5"), model); })),
            "{distance} is 5 but ferromagnet:4 has 4 sites");
  EXPECT_EQ(test::message_of(test::refusal([&] {
              shell_from(values_with("2"), model, {0, 1, 1});
            })),
            "the reference has 3 values for 4 sites");
}

}  // namespace
}  // namespace nhot
