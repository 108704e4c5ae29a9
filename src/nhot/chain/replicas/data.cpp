#include "nhot/chain/replicas/data.hpp"

#include <cmath>

namespace nhot {

void HeatBathTable::set(double beta, double unit) {
  for (std::size_t level = 0; level < levels; ++level) {
    const double p = 1 / (1 + std::exp(beta * unit * static_cast<double>(level)));  // at most 1/2
    const auto threshold = static_cast<std::uint64_t>(std::ldexp(p, 64));
    threshold_[level] = threshold;
    for (std::size_t place = 0; place < digits; ++place)
      digit_[place][level] = (threshold >> (digits - 1 - place)) & 1 ? ~std::uint64_t{0} : 0;
    for (std::size_t group = 0; group < digits / 8; ++group)
      for (std::size_t k = 0; k < 8; ++k)
        group_[group][level].word[k] = digit_[8 * group + place_of_element(k)][level];
  }
}

}  // namespace nhot
