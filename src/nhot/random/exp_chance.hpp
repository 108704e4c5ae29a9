// A probability exp(x) that is seldom computed.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "nhot/base/inline.hpp"

namespace nhot {

/// The probability exp(x), or 1 for x >= 0. It is compared with a uniform number by the two ends of
/// a cell of a table, and computed only where the number falls between them; the answer is always
/// that of the computed one.
class ExpChance {
 public:
  explicit ExpChance(double exponent) : exponent_(exponent) {}
  operator double() const { return std::exp(exponent_); }  // NOLINT: may be infinite

  /// Of a number below 1.
  NHOT_ALWAYS_INLINE friend bool operator<(double uniform, const ExpChance& chance) {
    const double places = -chance.exponent_ * cells_per_unit;
    if (!(places > 0)) return true;
    const Cell& cell = places < cells ? table[static_cast<std::size_t>(places)] : table[cells];
    if (uniform >= cell.above) [[likely]]
      return false;
    return uniform < cell.below || uniform < static_cast<double>(chance);
  }

 private:
  struct Cell {
    double above;  // all of the cell
    double below;  // all of it
  };
  static constexpr double cells_per_unit = 16;  // a power of two: places are exact
  static constexpr std::size_t cells = 24 * 16;
  static const std::array<Cell, cells + 1> table;  // the last one for all that is smaller

  double exponent_;
};

inline const std::array<ExpChance::Cell, ExpChance::cells + 1> ExpChance::table = [] {
  constexpr double margin = 1e-12;  // far above the error of exp()
  std::array<Cell, cells + 1> result{};
  for (std::size_t k = 0; k <= cells; ++k) {
    const double place = static_cast<double>(k);
    result[k] = {std::exp(-place / cells_per_unit) * (1 + margin),
                 std::exp(-(place + 1) / cells_per_unit) * (1 - margin)};
  }
  result[cells].below = 0;
  return result;
}();

}  // namespace nhot
