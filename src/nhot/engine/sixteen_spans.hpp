// Sixteen whole numbers as consecutive spans of [0, sum): the one that a target falls into.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
#include <emmintrin.h>

#include <bit>
#endif

#include "nhot/base/inline.hpp"

namespace nhot {

inline constexpr std::size_t sixteen = 16;

/// Of four numbers, the span that the target, at least 0 and below the sum, falls into, without a
/// branch on it; the target becomes the offset within the span.
NHOT_ALWAYS_INLINE std::size_t find_in_four(const std::int64_t* v, std::int64_t& target) {
  const std::int64_t two = v[0] + v[1];
  const std::int64_t below[] = {0, v[0], two, two + v[2]};
  const std::size_t span =
      std::size_t{target >= below[1]} + (target >= below[2]) + (target >= below[3]);
  target -= below[span];
  return span;
}

/// The same of sixteen.
NHOT_ALWAYS_INLINE std::size_t find_in_sixteen(const std::int64_t* v, std::int64_t& target) {
  const std::int64_t first = (v[0] + v[1]) + (v[2] + v[3]);
  const std::int64_t second = first + ((v[4] + v[5]) + (v[6] + v[7]));
  const std::int64_t third = second + ((v[8] + v[9]) + (v[10] + v[11]));
  const std::int64_t below[] = {0, first, second, third};
  const std::size_t four = std::size_t{target >= first} + (target >= second) + (target >= third);
  target -= below[four];
  return 4 * four + find_in_four(v + 4 * four, target);
}

/// A site with its weight: a count, to be summed with those of the same key.
struct WeighedSite {
  double field;
  std::uint32_t count;  // 2^26 at most
  std::uint32_t key;
};

/// The same among the counts, of sixteen sites, that have this key.
NHOT_ALWAYS_INLINE std::size_t find_in_sixteen(const WeighedSite* sites, std::uint32_t key,
                                               std::int64_t target) {
#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
  static_assert(sizeof(WeighedSite) == 16 && offsetof(WeighedSite, count) == 8);
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(key));
  // Running sums of four sites.
  const auto running = [&](const WeighedSite* four) NHOT_INLINE_LAMBDA {
    const auto* const at = reinterpret_cast<const float*>(four);
    const __m128 first = _mm_shuffle_ps(_mm_load_ps(at), _mm_load_ps(at + 4), 0xee);
    const __m128 second = _mm_shuffle_ps(_mm_load_ps(at + 8), _mm_load_ps(at + 12), 0xee);
    const __m128i counts = _mm_castps_si128(_mm_shuffle_ps(first, second, 0x88));
    const __m128i keys = _mm_castps_si128(_mm_shuffle_ps(first, second, 0xdd));
    __m128i sum = _mm_and_si128(counts, _mm_cmpeq_epi32(keys, wanted));
    sum = _mm_add_epi32(sum, _mm_slli_si128(sum, 4));
    return _mm_add_epi32(sum, _mm_slli_si128(sum, 8));
  };
  const auto last = [](__m128i four) NHOT_INLINE_LAMBDA { return _mm_shuffle_epi32(four, 0xff); };
  const __m128i a = running(sites);
  const __m128i b = _mm_add_epi32(running(sites + 4), last(a));
  const __m128i c = running(sites + 8);
  const __m128i d = _mm_add_epi32(running(sites + 12), last(c));
  const __m128i half = last(b);
  const __m128i t = _mm_set1_epi32(static_cast<int>(target));
  const __m128i rest = _mm_sub_epi32(t, half);
  const __m128i past =
      _mm_packs_epi16(_mm_packs_epi32(_mm_cmpgt_epi32(a, t), _mm_cmpgt_epi32(b, t)),
                      _mm_packs_epi32(_mm_cmpgt_epi32(c, rest), _mm_cmpgt_epi32(d, rest)));
  const auto bits = static_cast<unsigned>(_mm_movemask_epi8(past));
  return static_cast<std::size_t>(std::countr_zero(bits | 1U << (sixteen - 1)));
#else
  std::int64_t sum = 0;
  std::size_t span = 0;
  for (std::size_t k = 0; k + 1 < sixteen; ++k) {
    sum += sites[k].key == key ? sites[k].count : 0;
    span += target >= sum;
  }
  return span;
#endif
}

}  // namespace nhot
