#include "nhot/move/walk_options.hpp"

#include <algorithm>

#include "nhot/base/error.hpp"
#include "nhot/move/text.hpp"

namespace nhot {
namespace {

constexpr Site default_longest = 10;

}  // namespace

LengthRange parse_range(const std::string& text, std::string_view where, std::string_view number,
                        std::string_view range) {
  const std::size_t dots = text.find("..");
  const auto low = parse_integer(text.substr(0, dots));
  const auto high = dots == std::string::npos ? low : parse_integer(text.substr(dots + 2));
  if (!low || !high || *low < 1 || *high < *low || *high > 0xffffffffLL)
    throw InputError(std::string(where) + " is '" + text + "'",
                     "give a whole number >= 1 such as " + std::string(number) +
                         ", or a range such as " + std::string(range));
  return {static_cast<Site>(*low), static_cast<Site>(*high)};
}

Shell::Start start_side(WalkOrder order) {
  return order == WalkOrder::up_down   ? Shell::Start::up
         : order == WalkOrder::down_up ? Shell::Start::down
                                       : Shell::Start::both;
}

OptionSpec order_option() {
  return {"order",  OptionType::choice,
          "random", "which half comes first",
          "NAME",   0,
          0,        {"random", "up-down", "down-up"}};
}

WalkOrder parse_order(const std::string& text) {
  return text == "up-down"   ? WalkOrder::up_down
         : text == "down-up" ? WalkOrder::down_up
                             : WalkOrder::random;
}

OptionSpec engine_option() {
  return {"engine", OptionType::choice,
          "auto",   "how weighted sites are selected",
          "NAME",   0,
          0,        {"auto", "linear", "tree", "sums", "classes", "thinned", "compact", "dense"}};
}

OptionSpec length_option(const std::string& help) {
  return {"length", OptionType::text, "auto",
          help +
              ": a number, or a range drawn uniformly for every move; auto is 1..10, or less where "
              "the shell is smaller",
          "K|K1..K2"};
}

OptionSpec bias_option() {
  return {
      "bias", OptionType::choice,        "logistic", "weight of a flip that costs dE", "NAME", 0,
      0,      {"logistic", "exp", "min"}};
}

Bias parse_bias(const std::string& text) {
  return text == "exp" ? Bias::exp : text == "min" ? Bias::min : Bias::logistic;
}

std::string to_text(Bias bias) {
  return bias == Bias::exp ? "exp" : bias == Bias::min ? "min" : "logistic";
}

GammaValue parse_gamma(std::string_view text, std::string_view where) {
  GammaValue gamma;
  std::string_view number = text;
  gamma.relative = text.ends_with("beta");
  if (gamma.relative) {
    number.remove_suffix(4);
    if (number.ends_with('*')) number.remove_suffix(1);
    if (number.empty()) return gamma;
  }
  const auto value = parse_real(number);
  if (!value || *value < 0)
    throw InputError(std::string(where) + " has '" + std::string(text) + "'",
                     "give a number >= 0 such as 0.44, 'beta' or '0.8beta'; a schedule by step is "
                     "written 0.6beta/0.8beta/beta");
  gamma.value = *value;
  return gamma;
}

GammaSchedule parse_schedule(std::string_view text, std::string_view where) {
  GammaSchedule schedule;
  for (const std::string_view part : split(text, '/')) schedule.push_back(parse_gamma(part, where));
  return schedule;
}

std::string to_text(const GammaValue& gamma) {
  if (!gamma.relative) return format_real(gamma.value);
  return gamma.value == 1 ? "beta" : format_real(gamma.value) + "beta";
}

std::string to_text(const GammaSchedule& schedule) {
  std::string text;
  for (const GammaValue& gamma : schedule) {
    if (!text.empty()) text += '/';
    text += to_text(gamma);
  }
  return text;
}

LengthRange read_length(const OptionValues& values, std::string_view move, Site longest,
                        const std::string& place) {
  if (values.text("length") == "auto")
    return {std::min<Site>(1, longest), std::min(default_longest, longest)};
  const LengthRange length =
      parse_range(values.text("length"), "move " + std::string(move) + ": length", "90", "1..25");
  if (length.max > longest)
    throw InputError("move " + std::string(move) + ": length " + std::to_string(length.max) +
                         " does not fit the shell (" + place + ")",
                     longest == 0
                         ? "no walk fits: one side is empty and the shell has a single state"
                         : "the largest length that fits is " + std::to_string(longest));
  return length;
}

std::string to_text(LengthRange range) {
  if (range.max == 0) return "auto";
  return range.min == range.max ? std::to_string(range.min)
                                : std::to_string(range.min) + ".." + std::to_string(range.max);
}

}  // namespace nhot
