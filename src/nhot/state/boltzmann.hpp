// exp(-beta dE), from a table when dE lies on a small grid, and otherwise as a chance that is
// seldom computed.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/random/exp_chance.hpp"

namespace nhot {

template <class Kernel>
class BoltzmannFactor {
 public:
  using Field = typename Kernel::Field;

  void set(const Kernel& kernel, double beta) {
    scale_ = -beta * kernel.quantum();
    if constexpr (Kernel::exact) {
      // |dE_ij| = |F_j - F_i - Q_ij| <= 4 max_field, as |Q_ij| <= 2 max_field.
      const long long range = 4 * kernel.max_field();
      table_.clear();
      if (range > max_table) return;
      offset_ = static_cast<Field>(range);
      for (long long units = -range; units <= range; ++units)
        table_.push_back(std::exp(scale_ * static_cast<double>(units)));
    }
  }

  /// exp(-beta dE) for a pair flip that costs `units` quanta; may be infinite.
  NHOT_ALWAYS_INLINE auto operator()(Field units) const {
    if constexpr (Kernel::exact) {
      if (!table_.empty()) [[likely]] {
        NHOT_EXPECTS(units >= -offset_ && units <= offset_);
        return table_[static_cast<std::size_t>(units + offset_)];
      }
      return std::exp(scale_ * static_cast<double>(units));
    } else {
      return ExpChance(scale_ * static_cast<double>(units));
    }
  }

 private:
  static constexpr long long max_table = 1 << 14;

  double scale_ = 0;
  Field offset_ = 0;
  std::vector<double> table_;
};

}  // namespace nhot
