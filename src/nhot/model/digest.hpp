// A 64-bit digest of numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace nhot {

/// Hashes 64-bit words by value, so that the digest does not depend on the byte order.
class Digest {
 public:
  void add(std::uint64_t word) {
    // Multiplication and rotation mix the word in; the result depends on the order of words.
    state_ = std::rotl(state_ ^ spread(word), 29) * 0x9fb21c651e98df25ULL + 0x3c79ac492ba7b653ULL;
  }
  /// Numbers that compare equal have equal digests: -0 counts as 0.
  void add(double value) { add(std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value)); }

  std::string hex() const {
    static const char* digits = "0123456789abcdef";
    const std::uint64_t value = spread(state_);
    std::string text(16, '0');
    for (std::size_t k = 0; k < 16; ++k) text[k] = digits[(value >> (60 - 4 * k)) & 15];
    return text;
  }

 private:
  static std::uint64_t spread(std::uint64_t z) {
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ULL;
    return z ^ (z >> 32);
  }
  std::uint64_t state_ = 0x6e686f742d6d6f64ULL;
};

}  // namespace nhot
