#include "nhot/base/packed_numbers.hpp"

#include <bit>
#include <utility>

namespace nhot {
namespace {

/// Codes of numbers in order of appearance, 256 at most: a hash table with open addressing.
class Codes {
 public:
  /// -1 when there are too many different numbers.
  int of(double number) {
    const auto bits = std::bit_cast<std::uint64_t>(number);
    std::size_t slot = (bits * 0x9e3779b97f4a7c15U) >> 54;
    while (code_[slot] >= 0) {
      if (bits_[slot] == bits) return code_[slot];
      slot = (slot + 1) % slots;
    }
    if (different_.size() == 256) return -1;
    bits_[slot] = bits;
    code_[slot] = static_cast<std::int16_t>(different_.size());
    different_.push_back(number);
    return code_[slot];
  }
  const std::vector<double>& different() const { return different_; }

 private:
  static constexpr std::size_t slots = 1024;
  std::vector<std::int16_t> code_ = std::vector<std::int16_t>(slots, -1);
  std::vector<std::uint64_t> bits_ = std::vector<std::uint64_t>(slots);
  std::vector<double> different_;
};

}  // namespace

PackedNumbers::PackedNumbers(std::vector<double> numbers) : size_(numbers.size()) {
  Codes codes;
  // Counts first: an array with too many different numbers is kept as it is, without a copy.
  for (const double number : numbers) {
    if (codes.of(number) >= 0) continue;
    values_ = std::move(numbers);
    return;
  }
  if (codes.different().size() > 1) {
    codes_.reserve(size_);
    for (const double number : numbers)
      codes_.push_back(static_cast<std::uint8_t>(codes.of(number)));
  }
  values_ = codes.different();
}

}  // namespace nhot
