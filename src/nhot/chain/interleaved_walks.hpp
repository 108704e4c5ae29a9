// Walks of several chains on one thread, interleaved step by step: while one waits for memory or
// for a result, another computes.
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

/// Every chain has its own state and draws, so interleaving changes nothing but the speed: each
/// walks as it would alone.
template <class Chain>
class InterleavedWalks {
 public:
  /// True when the chain's walks can be interleaved.
  static bool suit(const Chain& chain) {
    const IntraclusterMove* walk = chain.only_walk();
    return walk && walk->constant_gamma() && walk->min_length() > 0 && chain.state_.steppable();
  }

  /// Runs `moves` moves of each of 2 to most_interleaved chains of one setup for which suit()
  /// holds.
  static void advance(std::span<Chain* const> chains, std::uint64_t moves) {
    if (moves == 0) return;
    static_assert(most_interleaved == 4);
    switch (chains.size()) {
      case 2:
        return together(chains, moves, std::make_index_sequence<2>());
      case 3:
        return together(chains, moves, std::make_index_sequence<3>());
      default:
        NHOT_EXPECTS(chains.size() == 4);
        return together(chains, moves, std::make_index_sequence<4>());
    }
  }

 private:
  using Draws = typename Chain::DrawsType;
  using State = typename Chain::StateType;

  /// A chain and its walk: all that steps need, so that the compiler may keep it in registers.
  class Slot {
   public:
    Slot(Chain& chain, std::uint64_t moves)
        : chain_(chain),
          move_(*chain.only_walk()),
          draws_(chain.draws_),
          steps_(chain.state_.stepper(move_.most_steps())),
          walk_(move_.begin(steps_, draws_)),
          left_(moves) {}

    // A step, split where it waits for memory or a result.
    NHOT_ALWAYS_INLINE void choose() {
      chosen_ = move_.template choose<true>(walk_, steps_, draws_);
    }
    NHOT_ALWAYS_INLINE void prefetch() const { steps_.prefetch_step(chosen_); }
    NHOT_ALWAYS_INLINE void step() { move_.template step<true>(walk_, steps_, chosen_); }
    NHOT_ALWAYS_INLINE void add_reverse_step() {
      move_.template add_reverse_step<true>(walk_, steps_, chosen_);
    }

    /// After a step: ends walks that are over and begins the next. False after the last move.
    NHOT_ALWAYS_INLINE bool go_on() {
      if (!move_.ended(walk_)) [[likely]]
        return true;
      chain_.note(move_.end(walk_, steps_, draws_), steps_);
      ++chain_.counters_.moves;
      if (--left_ == 0) return false;
      walk_ = move_.begin(steps_, draws_);
      return true;
    }

    /// The rest of the moves, alone.
    void finish() {
      while (left_ > 0) {
        choose();
        step();
        add_reverse_step();
        go_on();
      }
      steps_.finish();
      chain_.draws_ = draws_;
    }

   private:
    Chain& chain_;
    const IntraclusterMove& move_;
    Draws draws_;
    Stepper<State> steps_;
    IntraclusterMove::Walk walk_;
    std::uint64_t left_;
    Site chosen_ = 0;
  };

  template <std::size_t... k>
  static void together(std::span<Chain* const> chains, std::uint64_t moves,
                       std::index_sequence<k...>) {
    std::array<Slot, sizeof...(k)> slots = {Slot(*chains[k], moves)...};
    const bool far = chains.front()->state_.beyond_caches();
    bool all = true;
    while (all) {
      (slots[k].choose(), ...);
      if (far) (slots[k].prefetch(), ...);
      (slots[k].step(), ...);
      (slots[k].add_reverse_step(), ...);
      ((all &= slots[k].go_on()), ...);
    }
    (slots[k].finish(), ...);
  }
};

}  // namespace nhot
