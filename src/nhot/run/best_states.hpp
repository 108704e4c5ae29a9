// The best distinct states seen, with their energies.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

struct FoundState {
  double energy = 0;
  Bits bits;
};

/// At most `size` states, in order of energy; of equal energies the one found first comes first.
class BestStates {
 public:
  explicit BestStates(std::size_t size) : size_(size) {}

  /// Takes a state unless it is worse than all of a full list or there already.
  void offer(double energy, const Bits& bits) {
    if (!wants(energy)) return;
    for (const FoundState& state : states_)
      if (state.bits == bits) return;
    const auto place =
        std::upper_bound(states_.begin(), states_.end(), energy,
                         [](double e, const FoundState& state) { return e < state.energy; });
    states_.insert(place, {energy, bits});
    if (states_.size() > size_) states_.pop_back();
  }

  bool wants(double energy) const {
    return states_.size() < size_ || energy < states_.back().energy;
  }
  double best_energy() const {
    return states_.empty() ? std::numeric_limits<double>::infinity() : states_.front().energy;
  }
  const std::vector<FoundState>& list() const { return states_; }

 private:
  std::size_t size_;
  std::vector<FoundState> states_;
};

}  // namespace nhot
