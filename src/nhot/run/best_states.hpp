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

template <class Archive>
void visit_fields(Archive& archive, FoundState& state) {
  archive(state.energy, state.bits, state.hash);
}

/// Zobrist hashing: the hash of a state is the xor of those of its ones, O(1) per flip.
inline std::uint64_t site_hash(std::size_t site) {  // the mixer of SplitMix64
  std::uint64_t value = (site + 1) * 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}
inline std::uint64_t state_hash(const Bits& bits) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i]) value ^= site_hash(i);
  return value;
}

/// At most `size` states, in order of energy. Of states with equal energy those with the smaller
/// hash come first, whatever the order in which they were offered: the list depends on the set of
/// offers alone, so not on threads.
class BestStates {
 public:
  explicit BestStates(std::size_t size) : size_(size) {}

  /// Takes a state unless it comes after all of a full list or is there already.
  void offer(double energy, const Bits& bits) {
    if (states_.size() == size_ && energy > states_.back().energy) return;
    const FoundState found{energy, bits, state_hash(bits)};
    const auto place = std::lower_bound(states_.begin(), states_.end(), found, before);
    if (place != states_.end() && place->hash == found.hash && place->bits == bits) return;
    states_.insert(place, found);
    if (states_.size() > size_) states_.pop_back();
  }

  /// The energy above which no state is taken any more.
  double bound() const {
    return states_.size() < size_ ? std::numeric_limits<double>::infinity() : states_.back().energy;
  }
  double best_energy() const {
    return states_.empty() ? std::numeric_limits<double>::infinity() : states_.front().energy;
  }
  const std::vector<FoundState>& list() const { return states_; }

 private:
  static bool before(const FoundState& a, const FoundState& b) {
    if (a.energy != b.energy) return a.energy < b.energy;
    return a.hash != b.hash ? a.hash < b.hash : a.bits < b.bits;
  }

  std::size_t size_;
  std::vector<FoundState> states_;
};

}  // namespace nhot
