// Move `joint`: one walk through several groups, which all leave the shell and come back.
//
// First the groups g_1 .. g_m, the number of steps k_j in each and the order (up first or down
// first) are drawn, by a law that does not look at the state. Then the walk takes k_1 steps in g_1,
// .. k_m in g_m, all up (or all down), and on the way back k_m in g_m, .. k_1 in g_1 the other way.
// A step flips a site of the allowed side of its group with probability w_i / W, as in `im`.
//
// Detailed balance holds path by path: the reverse takes the same sites in reverse order, which is
// a walk of the same kind with the same groups, lengths and order, and these have the same
// probability from there. So the acceptance is that of `im`,
//
//     log alpha = (kappa gamma - beta) (E1 - E0)
//         + sum over steps [ log W_allowed(u) - log W_other(u') ]
//
// with the totals of the group of the step. While the groups are away, those that the energy
// couples to each other choose their new states together, which group after group cannot do where
// each has to fit the others as they are: a proper colouring in which two neighbours change places.
//
// Groups are joined along couplings: each next one is the group of a uniform neighbour of a uniform
// site of a uniform group so far. Where that is no further movable group, the walk has one less.
#pragma once

#include <algorithm>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/move/declaration.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/move/log_product.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/move/walk_options.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

struct JointOptions {
  LengthRange groups;  // how many at most are joined
  LengthRange length;  // steps in each
  Bias bias = Bias::logistic;
  GammaValue gamma;
  WalkOrder order = WalkOrder::random;
};

/// Samples pi_n. A walk through m groups with k steps in each costs 2 k m selections and flips, and
/// as many flips more when it is rejected.
class JointMove {
 public:
  static MoveDeclaration<JointMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = true;

  explicit JointMove(JointOptions options) : options_(std::move(options)) {
    NHOT_EXPECTS(options_.groups.min >= 1 && options_.groups.min <= options_.groups.max);
  }

  void prepare(double beta, WeightSet& weight_set) {
    beta_ = beta;
    const WeightFunction function{options_.bias, options_.gamma.at(beta)};
    for (Side kind = 0; kind < 2; ++kind) index_[kind] = weight_set.add(kind, function);
    tilt_ = kappa(options_.bias) * function.gamma - beta;
  }

  template <class State, DrawSource Draws>
  requires(State::grouped&& State::weighted) MoveOutcome operator()(State& state, Draws& draws) {
    draw_groups(state, draws);
    const bool up_first = options_.order == WalkOrder::up_down ||
                          (options_.order == WalkOrder::random && draws.below(2) == 0);
    state.begin_walk();
    LogProduct ratio;
    for (const Leg& leg : legs_)
      take(leg, up_first ? differing(leg.group) : agreeing(leg.group), state, draws, ratio);
    for (std::size_t k = legs_.size(); k-- > 0;)
      take(legs_[k], up_first ? agreeing(legs_[k].group) : differing(legs_[k].group), state, draws,
           ratio);
    Site length = 0;
    for (const Leg& leg : legs_) length += leg.length;
    ratio.add_log(State::rounded_weights ? -beta_ : tilt_, state.walk_gain());
    if (!draws.accept(ratio.capped())) {
      state.rollback();
      return {false, length, 2 * length};
    }
    const bool changed = state.walk_changed();
    state.commit();
    return {true, length, 2 * length, changed};
  }

 private:
  struct Leg {
    Group group;
    Site length;
  };

  template <DrawSource Draws>
  static Site draw_length(LengthRange range, Draws& draws) {
    const std::uint64_t span = std::uint64_t{range.max} - range.min + 1;
    return range.min + static_cast<Site>(span > 1 ? draws.below(span) : 0);
  }

  /// Nothing here depends on the bits.
  template <class State, DrawSource Draws>
  void draw_groups(const State& state, Draws& draws) {
    const Shell& shell = state.shell();
    const auto& kernel = state.kernel();
    legs_.clear();
    const auto join = [&](Group group) {
      const Site limit = shell.longest_walk(group, start_side(options_.order));
      legs_.push_back({group, draw_length(options_.length.within(limit), draws)});
    };
    join(state.draw_group(draws));
    for (Site left = draw_length(options_.groups, draws) - 1; left > 0; --left) {
      const Leg& from = legs_[legs_.size() > 1 ? draws.below(legs_.size()) : 0];
      const auto members = shell.members(from.group);
      const Site i = members[draws.below(members.size())];
      const std::size_t degree = kernel.degree(i);
      if (degree == 0) continue;
      const Group next = shell.group_of(kernel.neighbour(i, draws.below(degree)));
      const bool known = std::any_of(legs_.begin(), legs_.end(),
                                     [&](const Leg& leg) { return leg.group == next; });
      if (!known && next < shell.groups() && shell.movable(next)) join(next);
    }
  }

  /// The steps of one group on one side.
  template <class State, DrawSource Draws>
  void take(const Leg& leg, Side side, State& state, Draws& draws, LogProduct& ratio) const {
    const Side other = opposite(side);
    const unsigned forward = index_[side & 1U];
    const unsigned reverse = index_[other & 1U];
    for (Site step = 0; step < leg.length; ++step) {
      ScaledWeight allowed;
      if constexpr (State::rounded_weights) {
        ScaledWeight taken;
        const Site v = state.choose(draws, side, forward, allowed, taken);
        state.step(v);
        ratio.multiply(allowed, state.weight(other, reverse, v), state.total(other, reverse),
                       taken);
      } else {
        state.step(state.choose(draws, side, forward, allowed));
        ratio.multiply(allowed, state.total(other, reverse));
      }
    }
  }

  JointOptions options_;
  double beta_ = 0;
  double tilt_ = 0;         // kappa gamma - beta
  unsigned index_[2] = {};  // in the weight set, by kind of side
  std::vector<Leg> legs_;   // scratch
};

}  // namespace nhot
