// The best distinct states seen, with their energies.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

struct FoundState {
  double energy = 0;
  Bits bits;
  std::uint64_t hash = 0;
};

/// At most `size` states, in order of energy. Of states with equal energy those with the smaller
/// hash come first, whatever the order in which they were offered: the list depends on the set of
/// offers alone, so not on threads.
class BestStates {
 public:
  explicit BestStates(std::size_t size) : size_(size) {}

  /// Takes a state unless it comes after all of a full list or is there already.
  void offer(double energy, const Bits& bits) {
    if (states_.size() == size_ && energy > states_.back().energy) return;
    const FoundState found{energy, bits, hash(bits)};
    const auto place = std::lower_bound(states_.begin(), states_.end(), found, before);
    if (place != states_.end() && place->hash == found.hash && place->bits == bits) return;
    states_.insert(place, found);
    if (states_.size() > size_) states_.pop_back();
  }

  double best_energy() const {
    return states_.empty() ? std::numeric_limits<double>::infinity() : states_.front().energy;
  }
  const std::vector<FoundState>& list() const { return states_; }

 private:
  static std::uint64_t hash(const Bits& bits) {  // FNV-1a, then mixed
    std::uint64_t value = 0xcbf29ce484222325ULL;
    for (const Bit bit : bits) value = (value ^ bit) * 0x100000001b3ULL;
    return (value ^ (value >> 32)) * 0x9e3779b97f4a7c15ULL;
  }
  static bool before(const FoundState& a, const FoundState& b) {
    if (a.energy != b.energy) return a.energy < b.energy;
    return a.hash != b.hash ? a.hash < b.hash : a.bits < b.bits;
  }

  std::size_t size_;
  std::vector<FoundState> states_;
};

}  // namespace nhot
