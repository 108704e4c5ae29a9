// Weights of sites that share a dE: totals from integer counts, for models whose fields lie on a
// grid.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "nhot/select/weight.hpp"

namespace nhot {

/// A level is a value of dE: level l means dE = quantum * (l - max_field), l = 0 .. 2 * max_field.
/// Counts are integers, so a total is a short exact-input sum that cannot drift.
class LevelWeights {
 public:
  LevelWeights() = default;
  LevelWeights(const WeightPalette& palette, double quantum, std::int32_t max_field)
      : levels_(2 * static_cast<std::size_t>(max_field) + 1) {
    for (Side kind = 0; kind < 2; ++kind) {
      weight_[kind].resize(palette.entries(kind) * levels_);
      log_weight_[kind].resize(palette.entries(kind) * levels_);
      for (unsigned e = 0; e < palette.entries(kind); ++e) {
        for (std::size_t l = 0; l < levels_; ++l) {
          const double dE = quantum * (static_cast<double>(l) - max_field);
          weight_[kind][e * levels_ + l] = palette(kind, e).weight(dE);
          log_weight_[kind][e * levels_ + l] = palette(kind, e).log_weight(dE);
        }
      }
    }
  }

  std::size_t levels() const { return levels_; }
  const double* weights(Side side, unsigned entry) const {
    return weight_[side & 1U].data() + entry * levels_;
  }

  /// Total over the levels of a side, given how many sites are on each level.
  Mass total(Side side, unsigned entry, const Site* counts) const {
    const double* w = weights(side, entry);
    double sum = 0;
    for (std::size_t l = 0; l < levels_; ++l) sum += w[l] * static_cast<double>(counts[l]);
    if (in_safe_range(sum)) [[likely]]
      return {sum, 0};
    return scaled_total(side, entry, counts);
  }

  /// The level drawn in proportion to count * weight.
  template <DrawSource Draws>
  std::size_t draw_level(Draws& draws, Side side, unsigned entry, const Site* counts,
                         const Mass& total) const {
    return draws.locate(total.value, [&](double target) {
      std::size_t last = 0;
      for (std::size_t l = 0; l < levels_; ++l) {
        const double mass = static_cast<double>(counts[l]) * scaled(side, entry, l, total);
        if (!(mass > 0)) continue;
        last = l;
        if (target < mass) return l;
        target -= mass;
      }
      return last;
    });
  }

  /// The largest weight on a non-empty level, on the scale of `total`.
  double largest(Side side, unsigned entry, const Site* counts, const Mass& total) const {
    double result = 0;
    for (std::size_t l = 0; l < levels_; ++l)
      if (counts[l] > 0) result = std::max(result, scaled(side, entry, l, total));
    return result;
  }

  /// Weight of a level on the scale of `total`.
  double scaled(Side side, unsigned entry, std::size_t level, const Mass& total) const {
    if (total.log_scale == 0) [[likely]]
      return weights(side, entry)[level];
    return std::exp(log_weight_[side & 1U][entry * levels_ + level] - total.log_scale);
  }

 private:
  Mass scaled_total(Side side, unsigned entry, const Site* counts) const {
    const double* logs = log_weight_[side & 1U].data() + entry * levels_;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < levels_; ++l)
      if (counts[l] > 0) largest = std::max(largest, logs[l]);
    double sum = 0;
    for (std::size_t l = 0; l < levels_; ++l)
      if (counts[l] > 0) sum += static_cast<double>(counts[l]) * std::exp(logs[l] - largest);
    return {sum, largest};
  }

  std::size_t levels_ = 0;
  std::array<std::vector<double>, 2> weight_;
  std::array<std::vector<double>, 2> log_weight_;
};

}  // namespace nhot
