// Weights of sites that share a dE: totals from integer counts, for models whose fields lie on a
// grid.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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
    const double* w = row(side, entry);
    double value = Eight(w, counts, 0).sum();
    if (stride_ > 8) [[unlikely]]
      for (std::size_t l = 8; l < stride_; l += 8) value += Eight(w, counts, l).sum();
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
        return site_of(
            find_in_eight(target, Eight(row(side, entry), counts, 0), side, entry, counts));
      });
    return draws.locate(total.value,
                        [&](double target) { return site_of(find(target, side, entry, counts)); });
  }

  /// total() and draw() in one, with the products of weights and counts computed once.
  template <DrawSource Draws, class SiteOf>
  NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned entry,
                                 const std::int32_t* counts, Mass& total, SiteOf&& site_of) const {
    if (stride_ == 8) [[likely]] {
      const Eight masses(row(side, entry), counts, 0);
      const double value = masses.sum();
      if (in_safe_range(value)) [[likely]] {
        total = {value, 0};
        return draws.locate(value, [&](double target) NHOT_INLINE_LAMBDA {
          return site_of(find_in_eight(target, masses, side, entry, counts));
        });
      }
    }
    total = this->total(side, entry, counts);
    return draw(draws, side, entry, counts, total, site_of);
  }

  /// The largest weight on a non-empty level, on the scale of `total`.
  double largest(Side side, unsigned entry, const std::int32_t* counts, const Mass& total) const {
    if (stride_ == 8 && total.log_scale == 0) [[likely]] {
      // Without a branch: which levels are empty is not predictable.
      const double* w = row(side, entry);
      double found = 0;
      NHOT_UNROLL(8)
      for (std::size_t l = 0; l < 8; ++l) found = std::max(found, counts[l] ? w[l] : 0.0);
      return found;
    }
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
#ifdef __SSE2__
  /// Weights of eight levels times their counts. Two doubles at a time: every 64-bit PC has that,
  /// and compilers need no option for it.
  struct Eight {
    NHOT_ALWAYS_INLINE Eight(const double* w, const std::int32_t* counts, std::size_t level) {
      const __m128i first = four(counts + level);
      const __m128i second = four(counts + level + 4);
      m[0] = product(w + level, first);
      m[1] = product(w + level + 2, _mm_shuffle_epi32(first, 0xee));
      m[2] = product(w + level + 4, second);
      m[3] = product(w + level + 6, _mm_shuffle_epi32(second, 0xee));
    }
    NHOT_ALWAYS_INLINE double sum() const {
      const __m128d both = _mm_add_pd(_mm_add_pd(m[0], m[1]), _mm_add_pd(m[2], m[3]));
      return _mm_cvtsd_f64(_mm_add_sd(both, _mm_unpackhi_pd(both, both)));
    }
    /// How many levels the target has passed, and, for every level, how many members of it the
    /// target would have passed there: without waiting for the level.
    NHOT_ALWAYS_INLINE std::size_t passed(double target, const double* inverse,
                                          std::int32_t* members) const {
      // Pairs first, then sums of pairs: short chains of additions.
      const __m128d zero = _mm_setzero_pd();
      __m128d sum[4];
      NHOT_UNROLL(4)
      for (int k = 0; k < 4; ++k) sum[k] = _mm_add_pd(m[k], _mm_unpacklo_pd(zero, m[k]));
      const __m128d two = _mm_unpackhi_pd(sum[0], sum[0]);
      const __m128d four = _mm_add_pd(two, _mm_unpackhi_pd(sum[1], sum[1]));
      const __m128d six = _mm_add_pd(four, _mm_unpackhi_pd(sum[2], sum[2]));
      sum[1] = _mm_add_pd(sum[1], two);
      sum[2] = _mm_add_pd(sum[2], four);
      sum[3] = _mm_add_pd(sum[3], six);
      const __m128d wanted = _mm_set1_pd(target);
      int bits = 0;
      NHOT_UNROLL(4)
      for (int k = 0; k < 4; ++k) {
        bits |= _mm_movemask_pd(_mm_cmple_pd(sum[k], wanted)) << (2 * k);
        const __m128d below =
            k == 0 ? _mm_unpacklo_pd(zero, sum[0]) : _mm_shuffle_pd(sum[k - 1], sum[k], 1);
        const __m128d place = _mm_mul_pd(_mm_sub_pd(wanted, below), _mm_loadu_pd(inverse + 2 * k));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(members + 2 * k), _mm_cvttpd_epi32(place));
      }
      return static_cast<std::size_t>(std::countr_one(static_cast<unsigned>(bits)));
    }

   private:
    static __m128i four(const std::int32_t* counts) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i*>(counts));
    }
    static __m128d product(const double* w, __m128i counts) {
      return _mm_mul_pd(_mm_loadu_pd(w), _mm_cvtepi32_pd(counts));
    }
    __m128d m[4];
  };
#else
  /// Weights of eight levels times their counts.
  struct Eight {
    Eight(const double* w, const std::int32_t* counts, std::size_t level) {
      for (std::size_t k = 0; k < 8; ++k) m[k] = w[level + k] * counts[level + k];
    }
    /// In the order of the other way.
    double sum() const { return ((m[0] + m[2]) + (m[4] + m[6])) + ((m[1] + m[3]) + (m[5] + m[7])); }
    std::size_t passed(double target, const double* inverse, std::int32_t* members) const {
      std::size_t count = 0;
      double below = 0;
      for (std::size_t k = 0; k < 8; k += 2) {
        const double first = m[k] + below;
        const double second = (m[k + 1] + m[k]) + below;
        count += (first <= target) + (second <= target);
        // Only that of the level counts, which is within the range of integers.
        const double places[2] = {(target - below) * inverse[k], (target - first) * inverse[k + 1]};
        for (std::size_t j = 0; j < 2; ++j)
          members[k + j] = std::abs(places[j]) < 0x1p31 ? static_cast<std::int32_t>(places[j]) : 0;
        below = second;
      }
      return count;
    }

   private:
    double m[8];
  };
#endif

  static std::int32_t clamp_index(double position, std::int32_t count) {
    const auto index = static_cast<std::int32_t>(position);
    return index < count ? index : count - 1;
  }

  /// Up to eight levels without a branch.
  NHOT_ALWAYS_INLINE Member find_in_eight(double target, const Eight& masses, Side side,
                                          unsigned entry, const std::int32_t* counts) const {
    std::int32_t members[8];
    const std::size_t level =
        masses.passed(target, inverse_[side & 1U].data() + entry * stride_, members);
    // Past the last sum by a rounding, or on an empty level.
    if (level >= levels_ || counts[level] == 0) [[unlikely]]
      return last_member(counts, row(side, entry));
    return {level, std::min(members[level], counts[level] - 1)};
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
