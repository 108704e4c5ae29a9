// Short ways to declare an option.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "nhot/base/options.hpp"

namespace nhot::spec {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline OptionSpec text(std::string name, std::string value_name, std::string default_value,
                       std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.type = OptionType::text;
  spec.default_value = std::move(default_value);
  spec.help = std::move(help);
  spec.value_name = std::move(value_name);
  return spec;
}

inline OptionSpec number(OptionType type, std::string name, std::string value_name,
                         std::string default_value, std::string help, double min, double max) {
  OptionSpec spec =
      text(std::move(name), std::move(value_name), std::move(default_value), std::move(help));
  spec.type = type;
  spec.min = min;
  spec.max = max;
  return spec;
}

inline OptionSpec choice(std::string name, std::string default_value, std::string help,
                         std::vector<std::string> choices) {
  OptionSpec spec = text(std::move(name), "NAME", std::move(default_value), std::move(help));
  spec.type = OptionType::choice;
  spec.choices = std::move(choices);
  return spec;
}

inline OptionSpec flag(std::string name, std::string help) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.type = OptionType::flag;
  spec.default_value = "false";
  spec.help = std::move(help);
  return spec;
}

inline OptionSpec with_short(OptionSpec spec, char letter) {
  spec.short_name = letter;
  return spec;
}

/// Words accepted besides a number.
inline OptionSpec with_words(OptionSpec spec, std::vector<std::string> words) {
  spec.choices = std::move(words);
  return spec;
}

}  // namespace nhot::spec
