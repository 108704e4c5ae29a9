// Positional population count: the ones at each bit position over many rows of words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nhot {

/// Bit-sliced counters, one per bit position: sums_[d] holds binary digit d of every count. Rows
/// are added by full adders (Harley and Seal): eight rows give one carry into the digit of eights,
/// about one adder of five operations a row.
class BitwiseCounter {
 public:
  static constexpr std::size_t width = 4;
  static constexpr std::size_t rows_at_once = 8;
  using Row = std::array<std::uint64_t, width>;

  void add(const std::array<Row, rows_at_once>& rows) {
    std::array<Row, 4> twos;
    std::array<Row, 2> fours;
    Row eights;
    for (std::size_t k = 0; k < 4; ++k) twos[k] = add(sums_[0], rows[2 * k], rows[2 * k + 1]);
    for (std::size_t k = 0; k < 2; ++k) fours[k] = add(sums_[1], twos[2 * k], twos[2 * k + 1]);
    eights = add(sums_[2], fours[0], fours[1]);
    // The second carry into a digit is added together with the first.
    std::size_t digit = 3;
    for (; (eights_ >> (digit - 3) & 1U) != 0; ++digit)
      eights = add(sums_[digit], waiting_[digit], eights);
    waiting_[digit] = eights;
    ++eights_;
  }

  /// Adds the counts of the first `size` bits to counts[0], counts[1], ... and resets them.
  void give(std::uint32_t* counts, std::size_t size) {
    for (std::size_t digit = 0; digit < digits; ++digit) {
      if (digit >= 3 && eights_ >> (digit - 3) == 0) break;
      give(sums_[digit], digit, counts, size);
      if (digit >= 3 && (eights_ >> (digit - 3) & 1U) != 0)
        give(waiting_[digit], digit, counts, size);
      sums_[digit] = {};
    }
    eights_ = 0;
  }

 private:
  static constexpr std::size_t digits = 32;

  /// sum + b + c: the sum keeps the digit, the carry is returned.
  static Row add(Row& sum, const Row& b, const Row& c) {
    Row carry;
    for (std::size_t w = 0; w < width; ++w) {
      const std::uint64_t either = sum[w] ^ b[w];
      carry[w] = (sum[w] & b[w]) | (either & c[w]);
      sum[w] = either ^ c[w];
    }
    return carry;
  }

  static void give(const Row& row, std::size_t digit, std::uint32_t* counts, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k)
      counts[k] += static_cast<std::uint32_t>(row[k / 64] >> (k % 64) & 1U) << digit;
  }

  std::uint32_t eights_ = 0;  // calls of add(), eight rows each
  std::array<Row, digits> sums_{};
  std::array<Row, digits> waiting_;  // first carries into the digits where eights_ has a one
};

}  // namespace nhot
