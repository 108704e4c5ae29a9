// Weights of sites that share a dE: totals from integer counts, for models whose fields lie on a
// grid.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/engine/eight_levels.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// A level is a value of the field: level l means F = quantum * (l - max_field), l = 0 .. 2 *
/// max_field, which costs dE = F on an agreeing side and dE = -F on a differing one. Tables are
/// padded to `stride` levels, a multiple of 8, with weight zero. Counts are integers, so a total is
/// a short sum of exact inputs and cannot drift.
class LevelWeights {
 public:
  LevelWeights() = default;
  LevelWeights(const WeightSet& weight_set, double quantum, std::int32_t max_field)
      : levels_(2 * static_cast<std::size_t>(max_field) + 1), stride_((levels_ + 7) / 8 * 8) {
    for (Side kind = 0; kind < 2; ++kind) {
      weight_[kind].assign(weight_set.size(kind) * stride_, 0.0);
      inverse_[kind].assign(weight_set.size(kind) * stride_, 0.0);
      log_weight_[kind].assign(weight_set.size(kind) * stride_, 0.0);
      for (unsigned e = 0; e < weight_set.size(kind); ++e) {
        for (std::size_t l = 0; l < levels_; ++l) {
          const double field = quantum * (static_cast<double>(l) - max_field);
          const double dE = kind == agreeing(0) ? field : -field;
          const double weight = weight_set(kind, e).weight(dE);
          weight_[kind][e * stride_ + l] = weight;
          inverse_[kind][e * stride_ + l] = weight > 1e-290 ? 1 / weight : 0.0;
          log_weight_[kind][e * stride_ + l] = weight_set(kind, e).log_weight(dE);
        }
      }
    }
  }

  std::size_t levels() const { return levels_; }
  std::size_t stride() const { return stride_; }

  /// Total over the levels of a side, given how many sites are on each level (`stride` counts).
  NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned index,
                                        const std::int32_t* counts) const {
    const double* w = row(side, index);
    double value = EightLevels(w, counts).sum();
    if (stride_ > 8) [[unlikely]]
      for (std::size_t l = 8; l < stride_; l += 8) value += EightLevels(w + l, counts + l).sum();
    if (in_safe_range(value)) [[likely]]
      return {value, 0};
    return scaled_total(side, index, counts);
  }

  /// Draws a site in proportion to its weight, with one draw: the position of the target within the
  /// total of its level gives the member.
  template <DrawSource Draws, class SiteOf>
  Site draw(Draws& draws, Side side, unsigned index, const std::int32_t* counts,
            const ScaledWeight& total, SiteOf&& site_of) const {
    if (total.log_scale != 0) [[unlikely]]
      return draws.locate(total.value, [&](double target) {
        return site_of(find_scaled(target, side, index, counts, total));
      });
    if (stride_ == 8) [[likely]]
      return draws.locate(total.value, [&](double target) {
        return site_of(
            EightLevels(row(side, index), counts).find(target, level_row(side, index), counts));
      });
    return draws.locate(total.value,
                        [&](double target) { return site_of(find(target, side, index, counts)); });
  }

  /// The largest weight on a non-empty level, on the scale of `total`.
  double largest(Side side, unsigned index, const std::int32_t* counts,
                 const ScaledWeight& total) const {
    if (stride_ == 8 && total.log_scale == 0) [[likely]]
      return level_row(side, index).largest(counts);
    // Weights fall with dE: the first non-empty level, from the lowest dE on.
    const auto last = static_cast<std::ptrdiff_t>(levels_) - 1;
    std::ptrdiff_t l = side & 1U ? last : 0;
    const std::ptrdiff_t step = side & 1U ? -1 : 1;
    while (counts[l] == 0) {
      if (l == last - (side & 1U ? last : 0)) return 0;
      l += step;
    }
    return scaled(side, index, static_cast<std::size_t>(l), total);
  }

  /// Weights by level, not scaled.
  const double* row(Side side, unsigned index) const {
    return weight_[side & 1U].data() + index * stride_;
  }

  /// With their inverses.
  LevelRow level_row(Side side, unsigned index) const {
    return {row(side, index), inverse_[side & 1U].data() + index * stride_, levels_};
  }

  /// The rows of tables with at most eight levels, for loops.
  class EightRows {
   public:
    explicit EightRows(const LevelWeights& own)
        : weight_{own.weight_[0].data(), own.weight_[1].data()},
          inverse_{own.inverse_[0].data(), own.inverse_[1].data()},
          levels_(own.levels_) {
      NHOT_EXPECTS(own.stride_ == 8);
    }
    NHOT_ALWAYS_INLINE LevelRow row(Side side, unsigned index) const {
      return {weight_[side] + std::size_t{index} * 8, inverse_[side] + std::size_t{index} * 8,
              levels_};
    }

   private:
    const double* weight_[2];
    const double* inverse_[2];
    std::size_t levels_;
  };

  /// True when no total of 1 to `sites` sites can leave the safe range, so that none needs a scale.
  bool plain(std::size_t sites) const {
    for (const auto& weights : weight_)
      for (std::size_t k = 0; k < weights.size(); ++k)
        if (k % stride_ < levels_ &&
            (!in_safe_range(weights[k]) || !in_safe_range(weights[k] * static_cast<double>(sites))))
          return false;
    return true;
  }

  /// Weight of a level on the scale of `total`.
  double scaled(Side side, unsigned index, std::size_t level, const ScaledWeight& total) const {
    if (total.log_scale == 0) [[likely]]
      return weight_[side & 1U][index * stride_ + level];
    return std::exp(log_weight_[side & 1U][index * stride_ + level] - total.log_scale);
  }

 private:
  static std::int32_t clamp_index(double position, std::int32_t count) {
    const auto index = static_cast<std::int32_t>(position);
    return index < count ? index : count - 1;
  }

  LevelMember find(double target, Side side, unsigned index, const std::int32_t* counts) const {
    const double* w = weight_[side & 1U].data() + index * stride_;
    for (std::size_t l = 0; l < levels_; ++l) {
      const double mass = w[l] * counts[l];
      if (target < mass)
        return {l, clamp_index(target * inverse_[side & 1U][index * stride_ + l], counts[l])};
      target -= mass;
    }
    return last_member(level_row(side, index), counts);
  }

  /// For totals outside the range of doubles.
  LevelMember find_scaled(double target, Side side, unsigned index, const std::int32_t* counts,
                          const ScaledWeight& total) const {
    LevelMember last{0, 0};
    for (std::size_t l = 0; l < levels_; ++l) {
      const double weight = counts[l] > 0 ? scaled(side, index, l, total) : 0.0;
      if (!(weight > 0)) continue;
      const double mass = weight * counts[l];
      if (target < mass) return {l, clamp_index(target / weight, counts[l])};
      target -= mass;
      last = {l, counts[l] - 1};
    }
    return last;
  }

  ScaledWeight scaled_total(Side side, unsigned index, const std::int32_t* counts) const {
    const double* logs = log_weight_[side & 1U].data() + index * stride_;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t l = 0; l < levels_; ++l)
      if (counts[l] > 0) largest = std::max(largest, logs[l]);
    double sum = 0;
    for (std::size_t l = 0; l < levels_; ++l)
      if (counts[l] > 0) sum += counts[l] * std::exp(logs[l] - largest);
    return {sum, largest};
  }

  std::size_t levels_ = 0;
  std::size_t stride_ = 0;
  std::array<std::vector<double>, 2> weight_;  // by kind of side; index, then level
  std::array<std::vector<double>, 2> inverse_;
  std::array<std::vector<double>, 2> log_weight_;
};

}  // namespace nhot
