// The sites that a walk has flipped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// Moves the sites that occur an odd number of times in [begin, end), each once, to the front;
/// returns their end. `marks` has a number below 2 for every site, and is unchanged afterwards.
inline Site* keep_odd(Site* begin, Site* end, Bit* marks) {
  constexpr Bit mark = 2;
  for (const Site* i = begin; i != end; ++i) marks[*i] ^= mark;
  return std::remove_if(begin, end, [&](Site i) {
    const bool even = (marks[i] & mark) == 0;
    marks[i] &= static_cast<Bit>(~mark);
    return even;
  });
}

/// How many sites occur an odd number of times in [begin, end), which is sorted.
inline Site odd_runs(const Site* begin, const Site* end) {
  Site odd = 0;
  while (begin != end) {
    const Site* next = std::find_if(begin, end, [&](Site i) { return i != *begin; });
    odd += static_cast<Site>((next - begin) & 1);
    begin = next;
  }
  return odd;
}

/// Whether a walk that flips a site at most once in each half changes the state: not when both
/// halves flip the same set. Compares xor hashes of the sets, wrong with probability 2^-64.
inline bool halves_differ(const Site* begin, const Site* end) {
  std::uint64_t both = 0;
  for (const Site* i = begin; i != end; ++i) {
    const std::uint64_t mixed = (std::uint64_t{*i} + 1) * 0x9e3779b97f4a7c15U;
    both ^= mixed ^ (mixed >> 29) * 0xbf58476d1ce4e5b9U;
  }
  return both != 0;
}

/// The sites of a walk in order; like a vector, with a push that the hot loop can inline.
class FlipPath {
 public:
  void clear() { size_ = 0; }
  NHOT_ALWAYS_INLINE void push(Site i) {
    if (size_ == room_.size()) [[unlikely]]
      room_.resize(2 * size_ + 64);
    room_[size_++] = i;
  }
  /// Begins a new path in memory for so many sites; end_at() sets its end.
  Site* room_for(std::size_t sites) {
    size_ = 0;
    if (room_.size() < sites) room_.resize(sites);
    return room_.data();
  }
  void end_at(const Site* next) { size_ = static_cast<std::size_t>(next - room_.data()); }
  /// Keeps the sites that were flipped an odd number of times, each once; as keep_odd().
  void keep_odd(Bit* marks) { end_at(nhot::keep_odd(room_.data(), room_.data() + size_, marks)); }
  void assign(const std::vector<Site>& sites) {
    room_ = sites;
    size_ = sites.size();
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Site operator[](std::size_t k) const { return room_[k]; }
  const Site* begin() const { return room_.data(); }
  const Site* end() const { return room_.data() + size_; }
  operator std::vector<Site>() const {  // NOLINT: a path is a list of sites
    return {begin(), end()};
  }

 private:
  std::vector<Site> room_;
  std::size_t size_ = 0;
};

}  // namespace nhot
