#include "nhot/base/packed_bits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
#include <emmintrin.h>
#endif

#include "nhot/base/bitwise_counter.hpp"
#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

#if !defined(__SSE2__) || defined(NHOT_NO_SSE2)
/// Eight bytes that are 0 or 1, as the bits of one. The product moves byte k to bit 56 + k.
std::uint64_t pack_eight(const Bit* bits) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, bits, 8);
    return bytes * 0x0102040810204080U >> 56;
  } else {
    std::uint64_t packed = 0;
    for (unsigned k = 0; k < 8; ++k) packed |= std::uint64_t{bits[k]} << k;
    return packed;
  }
}
#endif

/// 64 bytes that are 0 or 1, as the bits of one word.
std::uint64_t pack_word(const Bit* bits) {
  std::uint64_t word = 0;
#if defined(__SSE2__) && !defined(NHOT_NO_SSE2)
  for (unsigned k = 0; k < 4; ++k) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bits + 16 * k));
    const auto sixteen = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 7)));
    word |= std::uint64_t{sixteen} << (16 * k);
  }
#else
  for (unsigned k = 0; k < 8; ++k) word |= pack_eight(bits + 8 * k) << (8 * k);
#endif
  return word;
}

/// The bits from a site on, as many as a row of a counter holds; zeros behind the last site.
void read_row(const PackedBits& bits, std::size_t begin, BitwiseCounter::Row& row) {
  const std::size_t first = begin / 64;
  if (first + row.size() <= bits.words()) [[likely]] {
    const std::uint64_t* const words = bits.data() + first;
    const unsigned shift = begin % 64;
    for (std::size_t w = 0; w < row.size(); ++w)
      row[w] = words[w] >> shift | words[w + 1] << 1 << (63 - shift);
    return;
  }
  for (std::size_t w = 0; w < row.size(); ++w)
    row[w] = begin + 64 * w < bits.size() ? bits.word_at(begin + 64 * w) : 0;
}

}  // namespace

void PackedBits::assign(const Bits& bits) {
  size_ = bits.size();
  words_.resize(words() + 1);
  const std::size_t whole = size_ / 64;
  for (std::size_t w = 0; w < whole; ++w) {
    __builtin_prefetch(bits.data() + std::min(64 * w + 2048, size_ - 1));
    words_[w] = pack_word(bits.data() + 64 * w);
  }
  if (size_ % 64 != 0) words_[whole] = 0;
  for (std::size_t i = 64 * whole; i < size_; ++i)
    words_[whole] |= std::uint64_t{bits[i]} << (i % 64);
  words_.back() = 0;
}

void PackedBits::flip(const PackedBits& mask) {
  NHOT_EXPECTS(mask.size_ == size_);
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] ^= mask.words_[w];
}

Bits PackedBits::unpacked() const {
  Bits bits(size_);
  for (std::size_t i = 0; i < size_; ++i) bits[i] = (*this)[i];
  return bits;
}

std::size_t count_ones(const PackedBits& bits, std::size_t begin, std::size_t end) {
  NHOT_EXPECTS(begin <= end && end <= bits.size());
  if (begin == end) return 0;
  const std::uint64_t* const words = bits.data();
  const std::size_t first = begin / 64;
  const std::size_t last = (end - 1) / 64;
  const std::uint64_t head = ~std::uint64_t{0} << (begin % 64);
  const std::uint64_t tail = ~std::uint64_t{0} >> (63 - (end - 1) % 64);
  if (first == last) return ones(words[first] & head & tail);
  std::uint64_t sum = ones(words[first] & head) + ones(words[last] & tail);
  for (std::size_t w = first + 1; w < last; ++w) sum += ones(words[w]);
  return sum;
}

std::size_t count_different(const PackedBits& a, const PackedBits& b) {
  NHOT_EXPECTS(a.size() == b.size());
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < a.words(); ++w) sum += ones(a.data()[w] ^ b.data()[w]);
  return sum;
}

std::size_t count_common(const PackedBits& a, const PackedBits& b) {
  NHOT_EXPECTS(a.size() == b.size());
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < a.words(); ++w) sum += ones(a.data()[w] & b.data()[w]);
  return sum;
}

void count_columns(const PackedBits& bits, std::size_t period, std::vector<std::uint32_t>& counts) {
  NHOT_EXPECTS(period > 0);
  // Rows of several periods where one would leave most of a word unused.
  const std::size_t row = period * std::max<std::size_t>(1, 64 / period);
  std::vector<std::uint32_t> columns(row, 0);
  constexpr std::size_t block = 64 * BitwiseCounter::width;
  BitwiseCounter counter;
  for (std::size_t first = 0; first < std::min(row, bits.size()); first += block) {
    const std::size_t width = std::min(block, row - first);
    for (std::size_t begin = first; begin < bits.size();) {
      std::array<BitwiseCounter::Row, BitwiseCounter::rows_at_once> rows;
      for (BitwiseCounter::Row& words : rows) {
        read_row(bits, begin, words);
        begin += row;
      }
      counter.add(rows);
    }
    counter.give(columns.data() + first, width);
  }
  counts.assign(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(period));
  for (std::size_t begin = period; begin < row; begin += period)
    for (std::size_t k = 0; k < period; ++k) counts[k] += columns[begin + k];
}

void count_sites(std::span<const PackedBits* const> states, std::size_t first, std::size_t size,
                 std::uint32_t* counts) {
  NHOT_EXPECTS(first % 64 == 0 && size <= counted_sites);
  BitwiseCounter counter;
  for (std::size_t s = 0; s < states.size();) {
    std::array<BitwiseCounter::Row, BitwiseCounter::rows_at_once> rows{};
    for (std::size_t r = 0; r < rows.size() && s < states.size(); ++r, ++s)
      for (std::size_t w = 0; 64 * w < size; ++w) rows[r][w] = states[s]->data()[first / 64 + w];
    counter.add(rows);
  }
  std::fill_n(counts, size, 0);
  counter.give(counts, size);
}

}  // namespace nhot
