// Move `im`: the intracluster move of Hamze and de Freitas.
//
// k steps towards the reference and k steps away from it (or the other order), each step flipping a
// site of the allowed side with probability w_i / W, then one acceptance for the whole walk:
//
//     log alpha = -beta (E1 - E0) + sum over steps [ log(w'_v / W_other(u')) - log(w_v /
//     W_allowed(u)) ]
//
// The reverse walk takes the same sites in reverse order. Where the forward walk flips v from u to
// u', the reverse flips v from u' on the other side, and dE_v has changed sign; so both totals are
// at hand in the forward pass. With one gamma throughout, log(w'_v / w_v) = kappa gamma dE_v, and
// the weights telescope to kappa gamma (E1 - E0). Where an engine rounds its weights, the weights
// themselves are used: the walk is balanced whatever they are.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/move/log_product.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/select/state.hpp"

namespace nhot {

enum class WalkOrder { up_down, down_up, random };

struct IntraclusterOptions {
  Site min_length = 1;
  Site max_length = 1;
  Bias bias = Bias::logistic;
  GammaSchedule gamma_up = {GammaValue{}};
  GammaSchedule gamma_down = {GammaValue{}};
  WalkOrder order = WalkOrder::random;
};

/// Samples pi_n by pathwise detailed balance (the paper's Definition 1). A walk of length k costs
/// 2k selections and flips, and 2k more flips when it is rejected.
class IntraclusterMove {
 public:
  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = true;

  explicit IntraclusterMove(IntraclusterOptions options) : options_(std::move(options)) {
    NHOT_EXPECTS(options_.min_length <= options_.max_length);
    NHOT_EXPECTS(!options_.gamma_up.empty() && !options_.gamma_down.empty());
  }

  void prepare(double beta, WeightPalette& palette) {
    beta_ = beta;
    const std::array<const GammaSchedule*, 2> schedules = {&options_.gamma_down,
                                                           &options_.gamma_up};
    for (Side kind = 0; kind < 2; ++kind) {
      steps_[kind].clear();
      for (const GammaValue& gamma : *schedules[kind]) {
        const WeightFunction function{options_.bias, gamma.at(beta)};
        steps_[kind].push_back({palette.add(kind, function), function});
      }
    }
    constant_gamma_ = true;
    for (const auto& list : steps_)
      for (const StepLaw& step : list)
        constant_gamma_ &= step.function == steps_[0].front().function;
    tilt_ = kappa(options_.bias) * steps_[0].front().function.gamma - beta;
  }

  template <class State, DrawSource Draws>
  MoveOutcome operator()(State& state, Draws& draws) const {
    const Group group = state.shell().draw_group(draws);
    const std::uint64_t span = std::uint64_t{options_.max_length} - options_.min_length + 1;
    const Site length = options_.min_length + static_cast<Site>(span > 1 ? draws.below(span) : 0);
    const bool up_first = options_.order == WalkOrder::up_down ||
                          (options_.order == WalkOrder::random && draws.below(2) == 0);
    const Side first = up_first ? differing(group) : agreeing(group);

    state.begin_walk();
    LogProduct ratio;
    if (constant_gamma_) {
      walk<true>(state, draws, first, length, ratio);
      walk<true>(state, draws, opposite(first), length, ratio);
    } else {
      walk<false>(state, draws, first, length, ratio);
      walk<false>(state, draws, opposite(first), length, ratio);
    }

    const bool telescopes = constant_gamma_ && !State::rounded_weights;
    ratio.add_log(telescopes ? tilt_ : -beta_, state.walk_gain());

    const double log_alpha = ratio.log();
    const bool accepted = draws.accept(log_alpha >= 0 ? 1.0 : std::exp(log_alpha));
    if (accepted)
      state.commit();
    else
      state.rollback();
    return {accepted, length, 2 * length};
  }

 private:
  struct StepLaw {
    unsigned entry;  // in the palette
    WeightFunction function;
  };

  const StepLaw& law(Side side, Site step) const {
    const auto& list = steps_[side & 1U];
    return list[std::min<std::size_t>(step, list.size() - 1)];
  }

  /// Half of the move. Step s of it is step length-1-s of the other half's kind in the reverse
  /// walk.
  template <bool constant_gamma, class State, DrawSource Draws>
  void walk(State& state, Draws& draws, Side side, Site length, LogProduct& ratio) const {
    unsigned forward_entry = law(side, 0).entry;
    unsigned reverse_entry = law(opposite(side), 0).entry;
    for (Site s = 0; s < length; ++s) {
      const StepLaw* forward = nullptr;
      const StepLaw* reverse = nullptr;
      if constexpr (!constant_gamma) {
        forward = &law(side, s);
        reverse = &law(opposite(side), length - 1 - s);
        forward_entry = forward->entry;
        reverse_entry = reverse->entry;
      }
      const Mass allowed = state.total(side, forward_entry);
      const Site v = state.select(draws, side, forward_entry, allowed);
      if constexpr (State::rounded_weights) {
        const Mass taken = state.weight(side, forward_entry, v);
        state.step(v);
        ratio.multiply(allowed, state.weight(opposite(side), reverse_entry, v),
                       state.total(opposite(side), reverse_entry), taken);
        continue;
      }
      if constexpr (!constant_gamma) {
        const double dE = state.delta_energy(v);
        ratio.add_log(reverse->function.log_weight(-dE));
        ratio.add_log(-forward->function.log_weight(dE));
      }
      state.step(v);
      ratio.multiply(allowed, state.total(opposite(side), reverse_entry));
    }
  }

  IntraclusterOptions options_;
  double beta_ = 0;
  std::array<std::vector<StepLaw>, 2> steps_;  // by kind of side: agreeing (down), differing (up)
  bool constant_gamma_ = true;
  double tilt_ = 0;  // kappa gamma - beta
};

}  // namespace nhot
