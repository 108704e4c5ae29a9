// Weights as whole numbers, read from a table by the field: sums of them are exact.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// A weight of count * 2^(-22 span) units: the count is 2^26 at most, and 2^4 at least but for the
/// smallest weights of the last span, so that rounding it changes a weight by 3% at most, and most
/// weights by much less.
struct WholeWeight {
  static constexpr std::uint32_t spans = 4;
  static constexpr std::uint32_t octaves = 22;  // in a span
  static constexpr int largest_log2 = 26;       // of a count: sixteen of them fit into 31 bits
  static constexpr std::array<double, spans> unit = {1, 0x1p-22, 0x1p-44, 0x1p-66};

  std::uint32_t count;
  std::uint32_t span;

  double value() const { return count * unit[span]; }
};

/// The weights of a bias as a function of t = gamma dE, constant on cells of t that are 1/32 wide:
/// the weight at the centre of the cell. One table serves every gamma.
///
/// Cells end at |t| = 56, beyond which a weight is that of the last cell. Those of logistic and min
/// are then 2^-80 or 1. Those of exp cover 2^30 to 2^-30, and larger ones are marked.
class WholeWeightTable {
 public:
  static constexpr double cells_per_unit = 32;
  static constexpr int reach = 56 * 32;  // cells to either side of the one around 0

  static const WholeWeightTable& of(Bias bias) {
    static const std::array<WholeWeightTable, 3> tables = {
        WholeWeightTable(Bias::exp), WholeWeightTable(Bias::logistic), WholeWeightTable(Bias::min)};
    return tables[static_cast<std::size_t>(bias)];
  }

  /// A word for every cell, counted from the one around 0.
  const std::uint32_t* centre() const { return words_.data() + reach; }
  static WholeWeight unpacked(std::uint32_t word) {
    return {word & ((1U << count_bits) - 1), word >> count_bits};
  }

  /// By span; so that the sum of the counts of a side times these is negative where a weight among
  /// them is marked as too large to be told.
  const std::array<double, WholeWeight::spans>& units() const { return units_; }

  /// The weight that a count of 1 in the first span stands for: a power of two.
  double unit() const { return unit_; }

  /// The total of so many sites, in units, from which on the smallest weight is none to speak of.
  double least_total(std::size_t sites) const {
    return 64 * static_cast<double>(sites) * smallest_;
  }

 private:
  static constexpr unsigned count_bits = 28;

  explicit WholeWeightTable(Bias bias) : words_(2 * reach + 1) {
    const bool exp = bias == Bias::exp;
    const double top = exp ? 30 : 0;  // log2 of the largest weight of the first span
    const std::uint32_t mark = WholeWeight::spans - 1;
    const std::uint32_t last = exp ? mark - 1 : mark;
    for (int cell = -reach; cell <= reach; ++cell) {
      const double t = (cell + (cell > 0) * 0.5 - (cell < 0) * 0.5) / cells_per_unit;
      const double down = top - log_bias(bias, t) / std::log(2.0);  // octaves
      std::uint32_t& word = words_[static_cast<std::size_t>(reach + cell)];
      if (down < 0) {
        word = mark << count_bits | 1U;
        continue;
      }
      const auto span = std::min(static_cast<std::uint32_t>(down) / WholeWeight::octaves, last);
      const double log2 =
          WholeWeight::largest_log2 + WholeWeight::octaves * static_cast<double>(span) - down;
      word = span << count_bits |
             static_cast<std::uint32_t>(std::max(1.0, std::round(std::exp2(log2))));
    }
    smallest_ = WholeWeight{1, last}.value();
    unit_ = std::exp2(top - WholeWeight::largest_log2);
    if (exp) units_.back() = -1e300;
  }

  std::vector<std::uint32_t> words_;
  std::array<double, WholeWeight::spans> units_ = WholeWeight::unit;
  double unit_ = 1;
  double smallest_ = 0;
};

/// A weight function of the field F of a site, by the table of its bias: known without exp(). A
/// walk selects by these weights, and its acceptance is computed from the same ones; they depend on
/// the field alone, so the law does not depend on them.
class WholeWeights {
 public:
  WholeWeights(Side kind, const WeightFunction& function)
      : scale_((kind & 1U ? -1 : 1) * (function.gamma * WholeWeightTable::cells_per_unit)),
        centre_(WholeWeightTable::of(function.bias).centre()) {}

  /// Weight of a site with this field, in energy.
  NHOT_ALWAYS_INLINE WholeWeight operator()(double field) const {
    constexpr int reach = WholeWeightTable::reach;
    const double place = field * scale_;
    if (std::abs(place) < reach) [[likely]]
      return WholeWeightTable::unpacked(centre_[static_cast<std::ptrdiff_t>(place)]);
    return WholeWeightTable::unpacked(centre_[place > 0 ? reach : -reach]);
  }

 private:
  double scale_;  // from a field to cells; negative where dE is -F
  const std::uint32_t* centre_;
};

}  // namespace nhot
