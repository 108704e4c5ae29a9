// Searches of short rows of neighbours, and the words that a neighbour shares with its coupling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
#include <emmintrin.h>

#include <bit>
#endif

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// A neighbour below 2^24 and a coupling of 8 bits in one word.
inline std::uint32_t to_word(Site j, std::int32_t coupling) {
  return j << 8 | (static_cast<std::uint32_t>(coupling) & 0xffU);
}
inline std::int32_t coupling_of(std::uint32_t word) {
  return static_cast<std::int8_t>(word & 0xffU);
}

/// The coupling to the neighbour in the key, in a row of words; 0, the common case, when it is not
/// there.
NHOT_ALWAYS_INLINE std::int32_t find_coupling(const std::uint32_t* word, const std::uint32_t* end,
                                              std::uint32_t key) {
#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(key >> 8));
  const auto found_at = [&](const std::uint32_t* first) NHOT_INLINE_LAMBDA {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(first));
    return _mm_movemask_epi8(_mm_cmpeq_epi32(_mm_srli_epi32(four, 8), wanted));
  };
  if (end - word == 4) [[likely]] {
    const int found = found_at(word);
    if (found == 0) [[likely]]
      return 0;
    return coupling_of(word[std::countr_zero(static_cast<unsigned>(found)) / 4]);
  }
  for (; end - word >= 4; word += 4)
    if (const int found = found_at(word); found != 0) [[unlikely]]
      return coupling_of(word[std::countr_zero(static_cast<unsigned>(found)) / 4]);
#endif
  for (; word < end; ++word)
    if (const std::uint32_t rest = *word ^ key; rest < 256) [[unlikely]]
      return coupling_of(rest);
  return 0;
}

/// Where a site is in a row of 4 to 8 sites; the length, the common case, when it is not there.
NHOT_ALWAYS_INLINE std::size_t find_site(const Site* row, std::size_t length, Site j) {
#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
  // The first four and the last four, which may overlap.
  const __m128i wanted = _mm_set1_epi32(static_cast<int>(j));
  const auto equal = [&](const Site* four) NHOT_INLINE_LAMBDA {
    return _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(four)), wanted);
  };
  if (_mm_movemask_epi8(_mm_or_si128(equal(row), equal(row + length - 4))) == 0) [[likely]]
    return length;
#endif
  return static_cast<std::size_t>(std::find(row, row + length, j) - row);
}

}  // namespace nhot
