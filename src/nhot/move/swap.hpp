// Move `swap`: constant-set Metropolis. One uniform site from each side of a group changes side.
#pragma once

#include <array>
#include <utility>

#include "nhot/base/inline.hpp"
#include "nhot/move/declaration.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// Samples pi_n: the proposal is symmetric, accepted with probability min(1, exp(-beta dE)).
/// O(1) per attempt, plus the flips when accepted.
class SwapMove {
 public:
  static MoveDeclaration<SwapMove> declaration();

  static constexpr bool needs_sides = true;
  static constexpr bool needs_weights = false;

  void prepare(double, WeightSet&) {}

  template <class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE MoveOutcome operator()(State& state, Draws& draws) const {
    const Group group = state.draw_group(draws);
    const SideLists& lists = state.lists();
    const Site differing_count = lists.size(differing(group));
    const Site agreeing_count = lists.size(agreeing(group));
    if (differing_count == 0 || agreeing_count == 0) return {false, 1, 1};
    const auto [a, b] = draw_pair(draws, differing_count, agreeing_count);
    const Site i = lists.at(differing(group), a);
    const Site j = lists.at(agreeing(group), b);
    const auto cost = state.delta_unlike(i, j);
    if (!draws.accept(state.boltzmann(cost))) return {false, 1, 1};
    state.exchange(group, a, b, i, j, cost);
    return {true, 1, 1, true};
  }
};

/// Runs ahead of the moves of a chain that is larger than the caches, with a copy of its draws, and
/// prefetches the sites that will be tried. A move takes one draw for the pair and one for
/// the acceptance, whatever the state, so the copy meets the pairs that the chain will meet;
/// nothing but speed depends on it.
class SwapPrefetcher {
 public:
  /// Where looking ahead pays: fields and lists that no longer fit into the inner caches.
  static constexpr Site least_sites = Site{1} << 16;

  template <class State>
  SwapPrefetcher(const State& state, const RandomDraws& draws) : draws_(draws) {
    for (unsigned k = 0; k < reach; ++k) prefetch_next(state);
  }

  /// To be called before every move.
  template <class State>
  NHOT_ALWAYS_INLINE void prefetch_next(const State& state) {
    const SideLists& lists = state.lists();
    const Site* ones = lists.begin(differing(0));
    const Site* zeros = lists.begin(agreeing(0));
    const unsigned now = turn_++;
    Attempt& fresh = attempts_[now % reach];
    // Three stages: the entries of the lists, then the fields of the sites, then what an exchange
    // would change.
    const Attempt& listed = attempts_[(now + 2 * reach / 3) % reach];
    state.prefetch(ones[listed.one]);
    state.prefetch(zeros[listed.zero]);
    const Attempt& near = attempts_[(now + reach / 3) % reach];
    const Site i = ones[near.one];
    const Site j = zeros[near.zero];
    if (near.uniform < state.boltzmann(state.delta_apart(i, j))) {
      state.prefetch_exchange(i);
      state.prefetch_exchange(j);
    }
    const auto [one, zero] = draws_.below_pair(lists.size(differing(0)), lists.size(agreeing(0)));
    fresh = {one, zero, draws_.uniform()};
    __builtin_prefetch(ones + one);
    __builtin_prefetch(zeros + zero);
  }

 private:
  struct Attempt {
    std::uint32_t one = 0;  // indices in the lists of sides
    std::uint32_t zero = 0;
    double uniform = 1;
  };
  static constexpr unsigned reach = 32;

  RandomDraws draws_;
  unsigned turn_ = 0;
  std::array<Attempt, reach> attempts_{};
};

}  // namespace nhot
