#include "nhot/chain/replicas/data.hpp"

#include <cmath>

namespace nhot {

void HeatBathTable::set(double beta, double unit, std::size_t highest) {
  ones_ = {};
  for (std::size_t level = 0; level < levels; ++level) {
    const double p = 1 / (1 + std::exp(beta * unit * static_cast<double>(level)));  // at most 1/2
    const auto threshold = static_cast<std::uint64_t>(std::ldexp(p, 64));
    threshold_[level] = threshold;
    const auto digit = [&](std::size_t place) { return (threshold >> (digits - 1 - place)) & 1; };
    for (std::size_t place = 0; place < digits; ++place)
      if (level <= highest && digit(place) != 0)
        ones_[place].level[ones_[place].number++] = static_cast<std::uint8_t>(level);
    for (std::size_t group = 0; group < digits / 8; ++group)
      for (std::size_t k = 0; k < 8; ++k)
        group_[group][level].word[k] = 0 - digit(8 * group + place_of_element(k));
  }
  few_ = {};
  if (highest > 2 * few_levels) return;
  for (std::size_t place = 0; place < digits; ++place) {
    Few& few = few_[place];
    const bool rare = 2 * ones_[place].number <= highest + 1;  // ones are the rarer digit
    few.flip = rare ? 0 : ~std::uint64_t{0};
    few.level.fill(static_cast<std::uint32_t>(highest + 1));
    auto* next = few.level.begin();
    for (std::size_t level = 0; level <= highest; ++level)
      if (((threshold_[level] >> (digits - 1 - place)) & 1) == (rare ? 1U : 0U))
        *next++ = static_cast<std::uint32_t>(level);
  }
}

}  // namespace nhot
