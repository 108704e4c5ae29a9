// A configuration packed 64 sites to a word: an eighth of the memory of Bits, and counts take a
// word at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

/// Invariant: behind the last site all bits are zero, and there is one more word of zeros, so that
/// word_at() may look past the end.
class PackedBits {
 public:
  PackedBits() = default;
  PackedBits(const Bits& bits) { assign(bits); }  // NOLINT: the same configuration

  /// Replaces the content, in the same memory where that is enough.
  void assign(const Bits& bits);
  /// Flips the sites where `mask` is 1 (xor). Both have the same size.
  void flip(const PackedBits& mask);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Bit operator[](std::size_t i) const { return static_cast<Bit>(words_[i / 64] >> (i % 64) & 1U); }
  Bits unpacked() const;

  /// Words that hold sites.
  std::size_t words() const { return (size_ + 63) / 64; }
  const std::uint64_t* data() const { return words_.data(); }
  /// The 64 bits from site i < size() on; zeros behind the last site.
  std::uint64_t word_at(std::size_t i) const {
    const std::uint64_t* const word = words_.data() + i / 64;
    const unsigned shift = i % 64;
    return word[0] >> shift | word[1] << 1 << (63 - shift);
  }

  bool operator==(const PackedBits&) const = default;

 private:
  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

/// Population count, by sums of neighbouring bits: compilers vectorize loops of it for any
/// processor.
constexpr std::uint64_t ones(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  word += word >> 8;
  word += word >> 16;
  word += word >> 32;
  return word & 0x7fU;
}

/// Ones of the sites [begin, end).
std::size_t count_ones(const PackedBits& bits, std::size_t begin, std::size_t end);
/// Sites where two configurations of one size differ, and where both are 1.
std::size_t count_different(const PackedBits& a, const PackedBits& b);
std::size_t count_common(const PackedBits& a, const PackedBits& b);

/// counts[k] = ones among the sites k, k + period, k + 2 period, ... for k < period.
void count_columns(const PackedBits& bits, std::size_t period, std::vector<std::uint32_t>& counts);

/// counts[k] = ones of site first + k over all states, for k < size. `first` is a multiple of 64,
/// and `size` at most counted_sites.
inline constexpr std::size_t counted_sites = 256;
void count_sites(std::span<const PackedBits* const> states, std::size_t first, std::size_t size,
                 std::uint32_t* counts);

}  // namespace nhot
