// Selection among eight levels of dE without a branch: enough for a site of most lattices.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
#include <emmintrin.h>
#endif

#include "nhot/base/inline.hpp"

namespace nhot {

/// The weights of a side's levels and their inverses, both padded with zeros.
struct LevelRow {
  const double* weight;
  const double* inverse;
  std::size_t levels;

  /// The largest weight on a non-empty level, of at most eight. Without a branch: which levels are
  /// empty is not predictable.
  double largest(const std::int32_t* counts) const {
    double found = 0;
    NHOT_UNROLL(8)
    for (std::size_t l = 0; l < 8; ++l) found = std::max(found, counts[l] ? weight[l] : 0.0);
    return found;
  }
};

/// A level and a member of it: the k-th of the sites on level l.
struct LevelMember {
  std::size_t level;
  std::int32_t index;
};

/// The last member of positive weight, for a target that rounding has put past the last sum.
inline LevelMember last_member(const LevelRow& row, const std::int32_t* counts) {
  for (std::size_t l = row.levels; l > 0; --l)
    if (counts[l - 1] > 0 && row.weight[l - 1] > 0) return {l - 1, counts[l - 1] - 1};
  return {0, 0};
}

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
/// Weights of eight levels times their counts. SSE2, two doubles at a time: every x86-64 has it,
/// and compilers need no option for it.
class EightLevels {
 public:
  NHOT_ALWAYS_INLINE EightLevels(const double* weight, const std::int32_t* counts) {
    const __m128i first = four(counts);
    const __m128i second = four(counts + 4);
    m_[0] = product(weight, first);
    m_[1] = product(weight + 2, _mm_shuffle_epi32(first, 0xee));
    m_[2] = product(weight + 4, second);
    m_[3] = product(weight + 6, _mm_shuffle_epi32(second, 0xee));
  }

  NHOT_ALWAYS_INLINE double sum() const {
    const __m128d both = _mm_add_pd(_mm_add_pd(m_[0], m_[1]), _mm_add_pd(m_[2], m_[3]));
    return _mm_cvtsd_f64(_mm_add_sd(both, _mm_unpackhi_pd(both, both)));
  }

  /// The level and the member that the target, below sum(), falls on. The member is computed for
  /// every level, in parallel with the search for the level.
  NHOT_ALWAYS_INLINE LevelMember find(double target, const LevelRow& row,
                                      const std::int32_t* counts) const {
    std::int32_t members[8];
    return picked(passed(target, row.inverse, members), members, row, counts);
  }

 private:
  NHOT_ALWAYS_INLINE std::size_t passed(double target, const double* inverse,
                                        std::int32_t* members) const {
    // Pairs first, then sums of pairs: short dependency chains.
    const __m128d zero = _mm_setzero_pd();
    __m128d sum[4];
    NHOT_UNROLL(4)
    for (int k = 0; k < 4; ++k) sum[k] = _mm_add_pd(m_[k], _mm_unpacklo_pd(zero, m_[k]));
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
    // Bit 8 is not set, so the count is at most eight.
    return static_cast<std::size_t>(std::countr_zero(~static_cast<unsigned>(bits)));
  }

  static __m128i four(const std::int32_t* counts) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(counts));
  }
  static __m128d product(const double* weight, __m128i counts) {
    return _mm_mul_pd(_mm_loadu_pd(weight), _mm_cvtepi32_pd(counts));
  }

  __m128d m_[4];
#else
/// Weights of eight levels times their counts.
class EightLevels {
 public:
  EightLevels(const double* weight, const std::int32_t* counts) {
    for (std::size_t k = 0; k < 8; ++k) m_[k] = weight[k] * counts[k];
  }

  /// In the order of the SSE2 code, so that both agree to the bit.
  double sum() const {
    return ((m_[0] + m_[2]) + (m_[4] + m_[6])) + ((m_[1] + m_[3]) + (m_[5] + m_[7]));
  }

  /// The level and the member that the target, below sum(), falls on.
  LevelMember find(double target, const LevelRow& row, const std::int32_t* counts) const {
    std::int32_t members[8];
    return picked(passed(target, row.inverse, members), members, row, counts);
  }

 private:
  std::size_t passed(double target, const double* inverse, std::int32_t* members) const {
    std::size_t count = 0;
    double below = 0;
    for (std::size_t k = 0; k < 8; k += 2) {
      const double first = m_[k] + below;
      const double second = (m_[k + 1] + m_[k]) + below;
      count += (first <= target) + (second <= target);
      // Only the entry of the chosen level is used, and that one fits into 32 bits.
      const double places[2] = {(target - below) * inverse[k], (target - first) * inverse[k + 1]};
      for (std::size_t j = 0; j < 2; ++j)
        members[k + j] = std::abs(places[j]) < 0x1p31 ? static_cast<std::int32_t>(places[j]) : 0;
      below = second;
    }
    return count;
  }

  double m_[8];
#endif

  NHOT_ALWAYS_INLINE static LevelMember picked(std::size_t level, const std::int32_t* members,
                                               const LevelRow& row, const std::int32_t* counts) {
    // Past the last sum by a rounding, or on an empty level.
    if (level >= row.levels || counts[level] == 0) [[unlikely]]
      return last_member(row, counts);
    return {level, std::min(members[level], counts[level] - 1)};
  }
};

}  // namespace nhot
