// Weights of sites that share a dE: totals from integer counts, for models whose fields lie on a
// grid.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "nhot/base/inline.hpp"
#include "nhot/select/weight.hpp"

namespace nhot {

/// A level is a value of the field: level l means F = quantum * (l - max_field), l = 0 .. 2 *
/// max_field, which costs dE = F on an agreeing side and dE = -F on a differing one. Tables are
/// padded to `stride` levels, a multiple of 8, with weight zero. Counts are integers, so a total is
/// a short sum of exact inputs and cannot drift.
class LevelWeights {
 public:
  LevelWeights() = default;
  LevelWeights(const WeightPalette& palette, double quantum, std::int32_t max_field)
      : levels_(2 * static_cast<std::size_t>(max_field) + 1), stride_((levels_ + 7) / 8 * 8) {
    for (Side kind = 0; kind < 2; ++kind) {
      weight_[kind].assign(palette.entries(kind) * stride_, 0.0);
      inverse_[kind].assign(palette.entries(kind) * stride_, 0.0);
      log_weight_[kind].assign(palette.entries(kind) * stride_, 0.0);
      for (unsigned e = 0; e < palette.entries(kind); ++e) {
        for (std::size_t l = 0; l < levels_; ++l) {
          const double field = quantum * (static_cast<double>(l) - max_field);
          const double dE = kind == agreeing(0) ? field : -field;
          const double weight = palette(kind, e).weight(dE);
          weight_[kind][e * stride_ + l] = weight;
          inverse_[kind][e * stride_ + l] = weight > 1e-290 ? 1 / weight : 0.0;
          log_weight_[kind][e * stride_ + l] = palette(kind, e).log_weight(dE);
        }
      }
    }
  }

  std::size_t levels() const { return levels_; }
  std::size_t stride() const { return stride_; }

  /// Total over the levels of a side, given how many sites are on each level (`stride` counts).
  NHOT_ALWAYS_INLINE Mass total(Side side, unsigned entry, const std::int32_t* counts) const {
    const double* w = weight_[side & 1U].data() + entry * stride_;
    Pair sum = eight(w, counts);
    if (stride_ > 8) [[unlikely]]
      for (std::size_t l = 8; l < stride_; l += 8) sum += eight(w + l, counts + l);
    const double value = sum[0] + sum[1];
    if (in_safe_range(value)) [[likely]]
      return {value, 0};
    return scaled_total(side, entry, counts);
  }

  /// A level and a member of it: the k-th of the sites on level l.
  struct Member {
    std::size_t level;
    std::int32_t index;
  };

  /// Draws a site in proportion to its weight: where the target falls within a level's mass says
  /// which member it is, so one draw does for both.
  template <DrawSource Draws, class SiteOf>
  Site draw(Draws& draws, Side side, unsigned entry, const std::int32_t* counts, const Mass& total,
            SiteOf&& site_of) const {
    if (total.log_scale != 0) [[unlikely]]
      return draws.locate(total.value, [&](double target) {
        return site_of(find_scaled(target, side, entry, counts, total));
      });
    if (stride_ == 8) [[likely]]
      return draws.locate(total.value, [&](double target) {
        return site_of(find_in_eight(target, side, entry, counts));
      });
    return draws.locate(total.value,
                        [&](double target) { return site_of(find(target, side, entry, counts)); });
  }

  /// The largest weight on a non-empty level, on the scale of `total`.
  double largest(Side side, unsigned entry, const std::int32_t* counts, const Mass& total) const {
    // Weights fall with dE: the first level that is not empty, from the cheap end.
    const auto last = static_cast<std::ptrdiff_t>(levels_) - 1;
    std::ptrdiff_t l = side & 1U ? last : 0;
    const std::ptrdiff_t step = side & 1U ? -1 : 1;
    while (counts[l] == 0) {
      if (l == last - (side & 1U ? last : 0)) return 0;
      l += step;
    }
    return scaled(side, entry, static_cast<std::size_t>(l), total);
  }

  /// Weights by level, on the plain scale.
  const double* row(Side side, unsigned entry) const {
    return weight_[side & 1U].data() + entry * stride_;
  }

  /// Weight of a level on the scale of `total`.
  double scaled(Side side, unsigned entry, std::size_t level, const Mass& total) const {
    if (total.log_scale == 0) [[likely]]
      return weight_[side & 1U][entry * stride_ + level];
    return std::exp(log_weight_[side & 1U][entry * stride_ + level] - total.log_scale);
  }

 private:
  // Two doubles at a time: every 64-bit machine has that, and compilers need no option for it.
  using Pair = double __attribute__((vector_size(16)));

  static Pair load_pair(const double* p) {
    Pair result;
    std::memcpy(&result, p, sizeof result);
    return result;
  }
  static Pair load_counts(const std::int32_t* p) {
#ifdef __SSE2__
    std::int64_t both;
    std::memcpy(&both, p, sizeof both);
    return _mm_cvtepi32_pd(_mm_cvtsi64_si128(both));
#else
    return Pair{static_cast<double>(p[0]), static_cast<double>(p[1])};
#endif
  }

  static Pair eight(const double* w, const std::int32_t* counts) {
    return (load_pair(w) * load_counts(counts) + load_pair(w + 2) * load_counts(counts + 2)) +
           (load_pair(w + 4) * load_counts(counts + 4) +
            load_pair(w + 6) * load_counts(counts + 6));
  }

  static std::int32_t clamp_index(double position, std::int32_t count) {
    const auto index = static_cast<std::int32_t>(position);
    return index < count ? index : count - 1;
  }

  /// Up to eight levels without a branch: the sums up to each level in pairs, then how many of them
  /// the target has passed. The products are those of total(), so a compiler computes them once.
  NHOT_ALWAYS_INLINE Member find_in_eight(double target, Side side, unsigned entry,
                                          const std::int32_t* counts) const {
    const double* w = weight_[side & 1U].data() + entry * stride_;
    const Pair m0 = load_pair(w) * load_counts(counts);
    const Pair m1 = load_pair(w + 2) * load_counts(counts + 2);
    const Pair m2 = load_pair(w + 4) * load_counts(counts + 4);
    const Pair m3 = load_pair(w + 6) * load_counts(counts + 6);
    const double t0 = m0[0] + m0[1];
    const double t1 = m1[0] + m1[1];
    const double t2 = m2[0] + m2[1];
    const double t01 = t0 + t1;
    const double t012 = t01 + t2;
    alignas(16)
        const double below[8] = {0, m0[0], t0, t0 + m1[0], t01, t01 + m2[0], t012, t012 + m3[0]};
    std::size_t level = 0;
    for (std::size_t l = 1; l < 8; ++l) level += target >= below[l];
    // Past the last sum by a rounding, or on an empty level.
    if (level >= levels_ || counts[level] == 0) [[unlikely]]
      return last_member(counts, w);
    return {level,
            clamp_index((target - below[level]) * inverse_[side & 1U][entry * stride_ + level],
                        counts[level])};
  }

  Member find(double target, Side side, unsigned entry, const std::int32_t* counts) const {
    const double* w = weight_[side & 1U].data() + entry * stride_;
    for (std::size_t l = 0; l < levels_; ++l) {
      const double mass = w[l] * counts[l];
      if (target < mass)
        return {l, clamp_index(target * inverse_[side & 1U][entry * stride_ + l], counts[l])};
      target -= mass;
    }
    return last_member(counts, w);
  }

  /// For totals outside the range of doubles.
  Member find_scaled(double target, Side side, unsigned entry, const std::int32_t* counts,
                     const Mass& total) const {
    Member last{0, 0};
    for (std::size_t l = 0; l < levels_; ++l) {
      const double weight = counts[l] > 0 ? scaled(side, entry, l, total) : 0.0;
      if (!(weight > 0)) continue;
      const double mass = weight * counts[l];
      if (target < mass) return {l, clamp_index(target / weight, counts[l])};
      target -= mass;
      last = {l, counts[l] - 1};
    }
    return last;
  }

  /// Where rounding leads when the target is the total itself.
  Member last_member(const std::int32_t* counts, const double* w) const {
    for (std::size_t l = levels_; l > 0; --l)
      if (counts[l - 1] > 0 && w[l - 1] > 0) return {l - 1, counts[l - 1] - 1};
    return {0, 0};
  }

  Mass scaled_total(Side side, unsigned entry, const std::int32_t* counts) const {
    const double* logs = log_weight_[side & 1U].data() + entry * stride_;
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
  std::array<std::vector<double>, 2> weight_;  // by kind of side; entry, then level
  std::array<std::vector<double>, 2> inverse_;
  std::array<std::vector<double>, 2> log_weight_;
};

}  // namespace nhot
