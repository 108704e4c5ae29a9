// Walks of several chains on one thread that take turns: while one waits for memory or for a
// result, another computes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/chain/any_chain.hpp"
#include "nhot/move/intracluster.hpp"

namespace nhot {

/// Every chain has its own state and draws, so their turns change nothing but the speed: each walks
/// as it would alone.
template <class Chain>
class Turns {
 public:
  /// True when one chain after the other would take longer. All chains are of one setup.
  static bool pay(std::span<Chain* const> chains) {
    return chains.size() > 1 &&
           chains.front()->state_.sites() >= Chain::StateType::Engine::turns_pay_from &&
           std::all_of(chains.begin(), chains.end(), [](const Chain* chain) {
             const IntraclusterMove* walk = chain->only_walk();
             return walk && walk->constant_gamma() && walk->min_length() > 0;
           });
  }

  /// At most most_in_turns chains, for which turns pay.
  explicit Turns(std::span<Chain* const> chains) : size_(chains.size()) {
    NHOT_EXPECTS(size_ <= most_in_turns);
    for (std::size_t k = 0; k < size_; ++k)
      seats_[k] = {.chain = chains[k], .move = chains[k]->only_walk()};
  }

  void advance(std::uint64_t moves) {
    if (moves == 0 || size_ == 0) return;
    if (seats_[0].chain->state_.beyond_caches())
      walk<true>(moves);
    else
      walk<false>(moves);
  }

 private:
  struct Seat {
    Chain* chain = nullptr;
    const IntraclusterMove* move = nullptr;
    IntraclusterMove::Walk walk{};
    std::uint64_t left = 0;  // moves
    Site chosen = 0;
  };

  /// A step is cut where it waits: its parts are done for all chains before the next part.
  template <bool prefetch>
  void walk(std::uint64_t moves) {
    std::size_t busy = size_;
    for (std::size_t k = 0; k < busy; ++k) {
      seats_[k].left = moves;
      begin(seats_[k]);
    }
    while (busy > 0) {
      for (std::size_t k = 0; k < busy; ++k) {
        Seat& seat = seats_[k];
        auto& state = seat.chain->state_;
        seat.chosen = seat.move->template choose<true>(seat.walk, state, seat.chain->draws_);
        if constexpr (prefetch) state.prefetch_step(seat.chosen);
      }
      if constexpr (prefetch)
        for (std::size_t k = 0; k < busy; ++k)
          seats_[k].chain->state_.prefetch_neighbours(seats_[k].chosen);
      for (std::size_t k = 0; k < busy; ++k) {
        Seat& seat = seats_[k];
        seat.move->template step<true>(seat.walk, seat.chain->state_, seat.chosen);
      }
      for (std::size_t k = 0; k < busy; ++k) {
        Seat& seat = seats_[k];
        seat.move->template look_back<true>(seat.walk, seat.chain->state_, seat.chosen);
      }
      for (std::size_t k = 0; k < busy;) {
        if (!seats_[k].move->ended(seats_[k].walk) || go_on(seats_[k])) [[likely]]
          ++k;
        else
          std::swap(seats_[k], seats_[--busy]);
      }
    }
  }

  void begin(Seat& seat) { seat.walk = seat.move->begin(seat.chain->state_, seat.chain->draws_); }

  /// Ends a walk and begins the next; false when that was the last.
  bool go_on(Seat& seat) {
    Chain& chain = *seat.chain;
    chain.note(seat.move->end(seat.walk, chain.state_, chain.draws_));
    ++chain.counters_.moves;
    if (--seat.left == 0) return false;
    begin(seat);
    return true;
  }

  std::size_t size_;
  std::array<Seat, most_in_turns> seats_;
};

}  // namespace nhot
