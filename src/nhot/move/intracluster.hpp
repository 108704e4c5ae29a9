// Move `im`: the intracluster move of Hamze and de Freitas.
//
// k steps towards the reference and k steps away from it (or the other order), each step flipping a
// site of the allowed side with probability w_i / W, then one acceptance for the whole walk:
//
//     log alpha = -beta (E1 - E0)
//         + sum over steps [ log(w'_v / W_other(u')) - log(w_v / W_allowed(u)) ]
//
// The reverse walk takes the same sites in reverse order. Where the forward walk flips v from u to
// u', the reverse flips v from u' on the other side, and dE_v has changed sign; so both totals are
// known in the forward pass. With one gamma throughout, log(w'_v / w_v) = kappa gamma dE_v, and the
// sum of the weights' terms is kappa gamma (E1 - E0). Where an engine rounds its weights, the
// rounded weights are used: detailed balance holds for any weights.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/move/declaration.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/move/log_product.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/move/walk_options.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

struct IntraclusterOptions {
  Site min_length = 1;
  Site max_length = 1;
  Bias bias = Bias::logistic;
  GammaSchedule gamma_up = {GammaValue{}};
  GammaSchedule gamma_down = {GammaValue{}};
  WalkOrder order = WalkOrder::random;
};

/// Samples pi_n by pathwise detailed balance (the paper's Definition 1). A walk of length k costs
/// 2k selections and flips, and 2k more flips when it is rejected. On a grouped shell a walk stays
/// within one group, drawn like its length whatever the state; the length is fitted to the group.
class IntraclusterMove {
 public:
  static MoveDeclaration<IntraclusterMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = true;

  explicit IntraclusterMove(IntraclusterOptions options) : options_(std::move(options)) {
    NHOT_EXPECTS(options_.min_length <= options_.max_length);
    NHOT_EXPECTS(!options_.gamma_up.empty() && !options_.gamma_down.empty());
  }

  void prepare(double beta, WeightSet& weight_set) {
    beta_ = beta;
    const std::array<const GammaSchedule*, 2> schedules = {&options_.gamma_down,
                                                           &options_.gamma_up};
    for (Side kind = 0; kind < 2; ++kind) {
      steps_[kind].clear();
      for (const GammaValue& gamma : *schedules[kind]) {
        const WeightFunction function{options_.bias, gamma.at(beta)};
        steps_[kind].push_back({weight_set.add(kind, function), function});
      }
    }
    constant_gamma_ = true;
    for (const auto& list : steps_)
      for (const StepWeight& step : list)
        constant_gamma_ &= step.function == steps_[0].front().function;
    tilt_ = kappa(options_.bias) * steps_[0].front().function.gamma - beta;
  }

  /// The state of a walk between steps, for interleaved chains.
  struct Walk {
    Side side;             // that the next step takes a site from
    unsigned forward = 0;  // indices into the weight set
    unsigned reverse = 0;
    Site length;
    Site done = 0;  // steps of this half
    bool first_half = true;
    ScaledWeight allowed = {};  // total weight of the side before the step
    ScaledWeight taken = {};    // weight of the site, where weights are rounded
    LogProduct ratio = {};
  };

  template <class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE MoveOutcome operator()(State& state, Draws& draws) const {
    return constant_gamma_ ? run<true>(state, draws) : run<false>(state, draws);
  }

  /// The same in parts: begin(), then choose(), step() and add_reverse_step() until ended(), then
  /// end(). `constant` is constant_gamma().
  template <class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE Walk begin(State& state, Draws& draws) const {
    const Group group = state.draw_group(draws);
    // Length and order in one draw.
    LengthRange lengths{options_.min_length, options_.max_length};
    if constexpr (State::grouped)
      lengths = lengths.within(state.shell().longest_walk(group, start_side(options_.order)));
    const std::uint64_t span = std::uint64_t{lengths.max} - lengths.min + 1;
    const std::uint64_t orders = options_.order == WalkOrder::random ? 2 : 1;
    const std::uint64_t drawn = span * orders > 1 ? draws.below(span * orders) : 0;
    const bool second_order = drawn >= span;
    const Site length = lengths.min + static_cast<Site>(drawn - (second_order ? span : 0));
    const bool up_first = options_.order == WalkOrder::up_down || (orders == 2 && !second_order);
    state.begin_walk();
    Walk walk{.side = up_first ? differing(group) : agreeing(group), .length = length};
    enter_half(walk);
    return walk;
  }

  bool constant_gamma() const { return constant_gamma_; }
  Site min_length() const { return options_.min_length; }
  std::size_t most_steps() const { return 2 * std::size_t{options_.max_length}; }

  /// The site of the next step.
  template <bool constant, class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE Site choose(Walk& walk, const State& state, Draws& draws) const {
    if constexpr (!constant) {
      walk.forward = law(walk.side, walk.done).entry;
      // Step s of a half is reversed by step length-1-s of the reverse walk's other half.
      walk.reverse = law(opposite(walk.side), walk.length - 1 - walk.done).entry;
    }
    if constexpr (State::rounded_weights)
      return state.choose(draws, walk.side, walk.forward, walk.allowed, walk.taken);
    else
      return state.choose(draws, walk.side, walk.forward, walk.allowed);
  }

  /// Flips that site.
  template <bool constant, class State>
  NHOT_ALWAYS_INLINE void step(Walk& walk, State& state, Site v) const {
    if constexpr (!constant && !State::rounded_weights)
      walk.ratio.add_log(-law(walk.side, walk.done).function.log_weight(state.delta_energy(v)));
    state.step(v);
  }

  /// Multiplies the ratio by W_allowed(u) / W_other(u'), and by weights that do not telescope.
  template <bool constant, class State>
  NHOT_ALWAYS_INLINE void add_reverse_step(Walk& walk, const State& state, Site v) const {
    const Side other = opposite(walk.side);
    const ScaledWeight total = state.total(other, walk.reverse);
    if constexpr (State::rounded_weights) {
      walk.ratio.multiply(walk.allowed, state.weight(other, walk.reverse, v), total, walk.taken);
    } else {
      if constexpr (!constant)
        walk.ratio.add_log(
            law(other, walk.length - 1 - walk.done).function.log_weight(state.delta_energy(v)));
      walk.ratio.multiply(walk.allowed, total);
    }
    ++walk.done;
  }

  /// True after the last step. Between the halves, switches to the other side.
  NHOT_ALWAYS_INLINE bool ended(Walk& walk) const {
    if (walk.done < walk.length) [[likely]]
      return false;
    if (!walk.first_half) return true;
    walk.first_half = false;
    walk.side = opposite(walk.side);
    enter_half(walk);
    return walk.length == 0;
  }

  /// Accepts the walk or rolls it back.
  template <class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE MoveOutcome end(Walk& walk, State& state, Draws& draws) const {
    const bool telescopes = constant_gamma_ && !State::rounded_weights;
    walk.ratio.add_log(telescopes ? tilt_ : -beta_, state.walk_gain());
    const bool accepted = draws.accept(walk.ratio.capped());
    if (!accepted) {
      state.rollback();
      return {false, walk.length, 2 * walk.length, false};
    }
    const bool changed = state.walk_changed();
    state.commit();
    return {true, walk.length, 2 * walk.length, changed};
  }

 private:
  struct StepWeight {
    unsigned entry;  // in the weight_set
    WeightFunction function;
  };

  const StepWeight& law(Side side, Site step) const {
    const auto& list = steps_[side & 1U];
    return list[std::min<std::size_t>(step, list.size() - 1)];
  }

  template <bool constant, class State, DrawSource Draws>
  NHOT_ALWAYS_INLINE MoveOutcome run(State& state, Draws& draws) const {
    Walk walk = begin(state, draws);
    const bool far = state.beyond_caches();
    while (!ended(walk)) {
      const Site v = choose<constant>(walk, state, draws);
      if (far) state.prefetch_step(v);
      step<constant>(walk, state, v);
      add_reverse_step<constant>(walk, state, v);
    }
    return end(walk, state, draws);
  }

  void enter_half(Walk& walk) const {
    walk.done = 0;
    walk.forward = law(walk.side, 0).entry;
    walk.reverse = law(opposite(walk.side), 0).entry;
  }

  IntraclusterOptions options_;
  double beta_ = 0;
  std::array<std::vector<StepWeight>, 2>
      steps_;  // by kind of side: agreeing (down), differing (up)
  bool constant_gamma_ = true;
  double tilt_ = 0;  // kappa gamma - beta
};

}  // namespace nhot
