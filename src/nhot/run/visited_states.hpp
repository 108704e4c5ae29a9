// The best distinct states that one walk visits.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "nhot/run/best_states.hpp"

namespace nhot {

/// Keeps the `size` best distinct states among those visited, ties by hash as in BestStates. A
/// state is copied lazily: until then it is an index into the list of flips. So a flip costs O(1),
/// and so does a visit to a state that is not among the best or is known. States are told apart by
/// their 64-bit hashes.
///
/// `bound` is an energy above which no state is wanted, by this walk or another; it may only fall.
class VisitedStates {
 public:
  VisitedStates(std::size_t size, const std::atomic<double>& bound) : size_(size), bound_(&bound) {}

  /// A walk begins, at bits.
  void begin(const Bits& bits) {
    write_down();
    base_ = bits;
    hash_ = state_hash(bits);
  }

  void flip(Site site) {
    if (flips_.size() >= std::max(base_.size(), least_flips)) write_down();
    flips_.push_back(site);
    hash_ ^= site_hash(site);
  }

  /// The state after the flips so far lies on the shell and has this energy.
  void visit(double energy) {
    if (!wanted(energy) || !insert(energy, hash_, {})) return;
    pending_.push_back({hash_, flips_.size()});
  }

  /// The same for a state that is at hand.
  void visit(double energy, const Bits& bits) {
    if (wanted(energy)) insert(energy, state_hash(bits), bits);
  }

  /// Whether a state of this energy can be among the best.
  bool wanted(double energy) const {
    return energy <= bound_->load(std::memory_order_relaxed) &&
           (order_.size() < size_ || energy <= order_.front().energy);
  }

  /// Calls take(bits) for every state that is kept, in no order.
  template <class Take>
  void for_each(Take&& take) {
    write_down();
    for (const auto& [hash, bits] : states_) take(bits);
  }

 private:
  static constexpr std::size_t least_flips = 256;

  struct Entry {
    double energy;
    std::uint64_t hash;

    bool operator<(const Entry& other) const {
      return energy != other.energy ? energy < other.energy : hash < other.hash;
    }
  };
  /// A state not copied yet: the one after `place` flips.
  struct Pending {
    std::uint64_t hash;
    std::size_t place;
  };

  bool insert(double energy, std::uint64_t hash, const Bits& bits) {
    const Entry entry{energy, hash};
    const bool full = order_.size() == size_;
    if (full && !(entry < order_.front())) return false;
    if (!states_.try_emplace(hash, bits).second) return false;
    if (full) {
      std::pop_heap(order_.begin(), order_.end());
      states_.erase(order_.back().hash);
      order_.pop_back();
    }
    order_.push_back(entry);
    std::push_heap(order_.begin(), order_.end());
    return true;
  }

  /// Copies what is pending and still kept, and clears the list of flips.
  void write_down() {
    std::size_t done = 0;
    const auto advance = [&](std::size_t place) {
      for (; done < place; ++done) base_[flips_[done]] ^= 1;
    };
    for (const Pending& pending : pending_) {
      const auto found = states_.find(pending.hash);
      if (found == states_.end() || !found->second.empty()) continue;
      advance(pending.place);
      found->second = base_;
    }
    advance(flips_.size());
    flips_.clear();
    pending_.clear();
  }

  std::size_t size_;
  const std::atomic<double>* bound_;
  Bits base_;                                       // the state before the flips
  std::vector<Site> flips_;                         // since then
  std::uint64_t hash_ = 0;                          // of the state after them
  std::unordered_map<std::uint64_t, Bits> states_;  // by hash; empty: pending
  std::vector<Entry> order_;                        // of the states; a heap, the worst in front
  std::vector<Pending> pending_;                    // in order of place
};

}  // namespace nhot
