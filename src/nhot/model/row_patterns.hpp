// Rows of a matrix that repeat: on a lattice most sites see their neighbours in the same
// directions, with the same couplings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

/// Every row as the index of its pattern, and the patterns: two bytes a site instead of four an
/// entry, and patterns that stay in the L1 cache. A pattern is a row of words; what they mean is up
/// to the caller, as long as it does not depend on the site.
class RowPatterns {
 public:
  /// The row of the next site. False, and no more rows can be added, once there are too many
  /// patterns.
  bool add(std::span<const std::uint32_t> row) {
    const std::uint64_t key = hash(row);
    if (!numbers_.empty() && same(number_of_last_, row)) {
      numbers_.push_back(number_of_last_);
      return true;
    }
    const auto [first, last] = known_.equal_range(key);
    for (auto candidate = first; candidate != last; ++candidate) {
      if (!same(candidate->second, row)) continue;
      number_of_last_ = candidate->second;
      numbers_.push_back(number_of_last_);
      return true;
    }
    if (begin_.size() > most_patterns) return false;
    number_of_last_ = static_cast<std::uint16_t>(begin_.size() - 1);
    known_.emplace(key, number_of_last_);
    words_.insert(words_.end(), row.begin(), row.end());
    begin_.push_back(static_cast<std::uint32_t>(words_.size()));
    numbers_.push_back(number_of_last_);
    return true;
  }

  std::vector<std::uint16_t>& numbers() { return numbers_; }  // of the pattern of each site
  std::vector<std::uint32_t>& begin() { return begin_; }      // of each pattern, and the end
  std::vector<std::uint32_t>& words() { return words_; }

 private:
  static constexpr std::size_t most_patterns = std::size_t{1} << 12;

  static std::uint64_t hash(std::span<const std::uint32_t> row) {
    std::uint64_t h = row.size();
    for (const std::uint32_t word : row) h = (h ^ word) * 0x9e3779b97f4a7c15U + (h >> 29);
    return h;
  }

  bool same(std::uint16_t number, std::span<const std::uint32_t> row) const {
    const std::size_t begin = begin_[number];
    if (begin_[number + std::size_t{1}] - begin != row.size()) return false;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (words_[begin + k] != row[k]) return false;
    return true;
  }

  std::vector<std::uint16_t> numbers_;
  std::vector<std::uint32_t> begin_ = {0};
  std::vector<std::uint32_t> words_;
  std::uint16_t number_of_last_ = 0;
  std::unordered_multimap<std::uint64_t, std::uint16_t> known_;
};

/// The offset, modulo 2^32, to a site whose distance is known modulo `modulus`; nullopt where both
/// signs are possible among `sites` sites.
inline std::optional<Site> row_offset(Site distance, Site modulus, Site sites) {
  if (distance <= modulus - sites) return distance;  // backwards would be `sites` or more
  if (distance >= sites) return distance - modulus;
  return std::nullopt;
}

}  // namespace nhot
