// Changes of the sizes of up to sixteen classes with a flip, as one vector.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
#include <emmintrin.h>
#endif

#include "nhot/base/inline.hpp"

namespace nhot {

/// Collects the changes of a few sites, at most 127, then adds them to the counts at once: after
/// scalar stores a vector load of the counts would stall, as store forwarding fails.
class CountChanges {
 public:
  static constexpr std::size_t most_classes = 16;

  /// A site goes from one class to another.
  NHOT_ALWAYS_INLINE void note(std::uint32_t from, std::uint32_t to) {
    changes_ += one_hot(to) - one_hot(from);
  }

  /// `counts`: sixteen of them, at a multiple of 16 bytes.
  NHOT_ALWAYS_INLINE void add_to(std::int32_t* counts) const {
#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
    // Sign-extends bytes to 32 bits: unpacks each into the top byte, then an arithmetic shift.
    const auto bytes = reinterpret_cast<__m128i>(changes_);
    const __m128i low = _mm_unpacklo_epi8(bytes, bytes);
    const __m128i high = _mm_unpackhi_epi8(bytes, bytes);
    const auto add = [](std::int32_t* to, __m128i words) NHOT_INLINE_LAMBDA {
      auto* const four = reinterpret_cast<__m128i*>(to);
      _mm_store_si128(four, _mm_add_epi32(_mm_load_si128(four), _mm_srai_epi32(words, 24)));
    };
    add(counts, _mm_unpacklo_epi16(low, low));
    add(counts + 4, _mm_unpackhi_epi16(low, low));
    add(counts + 8, _mm_unpacklo_epi16(high, high));
    add(counts + 12, _mm_unpackhi_epi16(high, high));
#else
    for (std::size_t k = 0; k < most_classes; ++k) counts[k] += changes_[k];
#endif
  }

 private:
  using Changes = std::int8_t __attribute__((vector_size(16)));
  using Row = std::array<std::int8_t, most_classes>;

  NHOT_ALWAYS_INLINE static Changes one_hot(std::uint32_t k) {
    Changes row;
    std::memcpy(&row, rows.data() + k, sizeof row);
    return row;
  }
  alignas(64) static constexpr std::array<Row, most_classes> rows = [] {
    std::array<Row, most_classes> table{};
    for (std::size_t k = 0; k < most_classes; ++k) table[k][k] = 1;
    return table;
  }();

  Changes changes_{};
};

/// In place of it, where the counts are restored or recounted.
struct NoCountChanges {
  void note(std::uint32_t, std::uint32_t) const {}
  void add_to(std::int32_t*) const {}
};

}  // namespace nhot
