// The steps of a chain over a band: those of move `im`, one at a time and without return.
//
// A step flips a site of the side that its direction allows, chosen with probability w_i / W,
// w_i = 1 / (1 + exp(beta dE_i)). At this balanced weight the terms of the energy cancel, and with
// W' the total of the other side after the flip
//
//     alpha = min(1, (w_{n'} / w_n) W_allowed(x) / W'_other(x')).
//
// The direction is part of the state (a lifted chain): it stays while steps are accepted, so that
// the chain crosses the band in long runs, and turns when a step is rejected or would leave the
// band. The reverse of a step outward is a step inward, and both directions are equally probable,
// so pi(x, direction) = pi(x) / 2 is kept: pi(x) q(x -> y, out) a(x, y) = pi(y) q(y -> x, in) a(y,
// x) and the rejected share of (x, out) goes to (x, in), which are equally probable. A few turns by
// chance keep the chain from being periodic where nearly every step is accepted.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/chain/band/band_chain.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"
#include "nhot/move/log_product.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// A step costs one selection and flip of the engine and three totals, and one more flip when it is
/// rejected.
template <class Kernel, template <class> class Engine, DrawSource Draws>
class WeightedBandChain final : public BandChain {
 public:
  WeightedBandChain(std::shared_ptr<const Kernel> kernel, Bits reference, ShellBand band,
                    double beta, Draws draws, const Bits& start)
      : kernel_(std::move(kernel)),
        reference_(std::move(reference)),
        band_(band),
        window_(band),
        beta_(beta),
        turn_(0.5 / static_cast<double>(band.shells())),
        draws_(std::move(draws)),
        factors_(band.shells() - 1, ScaledWeight{1, 0}),
        tally_(band.shells()) {
    set_bits(start);
  }

  void set_weights(const BandWeights& weights, double push) override {
    NHOT_EXPECTS(weights.size() == factors_.size() && push >= 0);
    for (std::size_t k = 0; k < weights.size(); ++k) factors_[k] = scaled_exp(weights[k]);
    pushes_ = push > 0;
    push_ = std::exp(push);
  }

  void confine(ShellBand window) override {
    NHOT_EXPECTS(band_.contains(window.first) && band_.contains(window.last));
    NHOT_EXPECTS(window.contains(distance_));
    window_ = window;
  }

  void advance(std::uint64_t steps) override {
    Draws draws = draws_;  // a copy can stay in registers
    if constexpr (StateType::has_stepper) {
      if (state_->steppable()) {
        auto stepper = state_->stepper(1);
        run(stepper, draws, steps);
        stepper.finish();
        draws_ = draws;
        return;
      }
    }
    run(*state_, draws, steps);
    draws_ = draws;
  }

  void rebuild() override { place(bits()); }

  void set_bits(const Bits& bits) override {
    distance_ = Shell(reference_, 0).distance_of(bits);
    NHOT_EXPECTS(band_.contains(distance_));
    crossing_from_ = 0;
    note_end();
    place(bits);
    counters_.best_energy = std::min(counters_.best_energy, energy());
  }

  Site distance() const override { return distance_; }
  bool outward() const override { return outward_; }
  void set_outward(bool outward) override { outward_ = outward; }

  const BandTally& tally() const override { return tally_; }
  void fade_tally(double share) override {
    for (ShellTally& shell : tally_) shell.fade(share);
  }
  std::uint64_t crossings() const override { return crossings_; }

  double energy() const override { return state_->energy(); }
  Bits bits() const override { return state_->bits(); }

  const ChainCounters& counters() const override { return counters_; }
  void reset_counters() override {
    counters_ = {};
    counters_.best_energy = energy();
    crossings_ = 0;
  }
  LastMove last_move() const override { return {accepted_, 1, accepted_ ? 1U : 0U}; }

  void save(ByteWriter& out) const override {
    out.put(bits());
    out.put(std::uint8_t{outward_});
    out.put(std::uint8_t{accepted_});
    out.put(crossing_from_);
    out.put(crossings_);
    out.put(counters_);
    out.put(tally_);
    if constexpr (requires { draws_.engine(); }) out.put(draws_.engine().state());
  }
  void restore(ByteReader& in) override {
    Bits bits;
    in.get_sized(bits, reference_.size());
    for (const Bit bit : bits)
      if (bit > 1) ByteReader::damaged();
    if (!band_.contains(Shell(reference_, 0).distance_of(bits))) ByteReader::damaged();
    set_bits(bits);
    outward_ = in.get<std::uint8_t>() != 0;
    accepted_ = in.get<std::uint8_t>() != 0;
    in.get(crossing_from_);
    in.get(crossings_);
    in.get(counters_);
    in.get_sized(tally_, band_.shells());
    if constexpr (requires { draws_.engine(); }) {
      const auto engine = in.get<Xoshiro256::State>();
      if (engine == Xoshiro256::State{}) ByteReader::damaged();
      draws_.set_engine(Xoshiro256(engine));
    }
  }

 private:
  using StateType = State<Kernel, Engine>;

  void place(const Bits& bits) {
    const WeightFunction balanced{Bias::logistic, beta_};
    WeightSet weight_set;
    weight_set.add(agreeing(0), balanced);
    weight_set.add(differing(0), balanced);
    state_.emplace(kernel_, std::make_shared<const Shell>(reference_, distance_), bits,
                   std::move(weight_set), false);
  }

  template <class Where>
  NHOT_ALWAYS_INLINE void run(Where& where, Draws& draws, std::uint64_t steps) {
    for (std::uint64_t s = 0; s < steps; ++s) {
      if (draws.accept(turn_)) outward_ = !outward_;
      accepted_ = step(where, draws);
      counters_.accepted += accepted_ ? 1 : 0;
      if (!accepted_) outward_ = !outward_;
      where.refresh_if_due();
    }
    counters_.moves += steps;
    counters_.steps += steps;
    counters_.changed = counters_.accepted;
    counters_.best_energy = std::min(counters_.best_energy, where.energy());
  }

  /// One step in the present direction; false when the state stays.
  template <class Where>
  NHOT_ALWAYS_INLINE bool step(Where& where, Draws& draws) {
    ShellTally& shell = tally_[distance_ - band_.first];
    shell.visits += 1;
    if (pushes_) [[unlikely]]
      push_away(distance_ - band_.first);
    const Side side = outward_ ? agreeing(0) : differing(0);
    const Side other = opposite(side);
    const bool ahead = distance_ != (outward_ ? band_.last : band_.first);
    const bool behind = distance_ != (outward_ ? band_.first : band_.last);
    if (behind) (outward_ ? shell.inward : shell.outward).add(where.total(other, 0));
    if (!ahead) return false;
    if (distance_ == (outward_ ? window_.last : window_.first)) [[unlikely]] {
      (outward_ ? shell.outward : shell.inward).add(where.total(side, 0));
      return false;
    }
    where.begin_walk();
    ScaledWeight allowed;
    LogProduct ratio;
    if constexpr (Where::rounded_weights) {
      ScaledWeight taken;
      const Site i = where.choose(draws, side, 0, allowed, taken);
      where.step(i);
      ratio.multiply(allowed, where.weight(other, 0, i), where.total(other, 0), taken);
      ratio.add_log(-beta_, where.walk_gain());
    } else {
      const Site i = where.choose(draws, side, 0, allowed);
      where.step(i);
      ratio.multiply(allowed, where.total(other, 0));
    }
    (outward_ ? shell.outward : shell.inward).add(allowed);
    constexpr ScaledWeight one{1, 0};
    if (outward_)
      ratio.multiply(factors_[distance_ - band_.first], one);
    else
      ratio.multiply(one, factors_[distance_ - band_.first - 1]);
    const double alpha = ratio.capped();
    (outward_ ? shell.steps_outward : shell.steps_inward).add(alpha);
    if (!draws.accept(alpha)) {
      where.rollback();
      return false;
    }
    where.commit();
    distance_ += outward_ ? Site{1} : ~Site{0};
    if (distance_ == band_.first || distance_ == band_.last) [[unlikely]]
      note_end();
    return true;
  }

  static ScaledWeight scaled_exp(double exponent) {
    const double value = std::exp(exponent);
    return in_safe_range(value) ? ScaledWeight{value, 0} : ScaledWeight{1, exponent};
  }

  /// Lowers the weight of a shell.
  void push_away(std::size_t shell) {
    const auto scale = [&](ScaledWeight& factor, double by) {
      factor.value *= by;
      if (!in_safe_range(factor.value)) factor = scaled_exp(factor.log());
    };
    if (shell < factors_.size()) scale(factors_[shell], push_);
    if (shell > 0) scale(factors_[shell - 1], 1 / push_);
  }

  /// Counts a crossing when the chain has come from the other end.
  void note_end() {
    const std::uint8_t end = distance_ == band_.first ? 1 : distance_ == band_.last ? 2 : 0;
    if (end == 0) return;
    if (crossing_from_ != 0 && crossing_from_ != end) ++crossings_;
    crossing_from_ = end;
  }

  std::shared_ptr<const Kernel> kernel_;
  Bits reference_;
  ShellBand band_;
  ShellBand window_;  // the part of the band that steps stay in
  double beta_;
  double turn_;  // probability of a turn by chance
  Draws draws_;
  std::vector<ScaledWeight> factors_;  // w_{n+1} / w_n
  bool pushes_ = false;
  double push_ = 1;
  BandTally tally_;
  std::optional<StateType> state_;
  Site distance_ = 0;
  bool outward_ = true;
  bool accepted_ = false;
  std::uint8_t crossing_from_ = 0;  // the end it was at last: 1 the first shell, 2 the last
  std::uint64_t crossings_ = 0;
  ChainCounters counters_;
};

/// A chain with the kernel and engine that `setup` has chosen for walks.
template <DrawSource Draws>
std::unique_ptr<BandChain> make_band_chain(const ChainSetup& setup, const Bits& reference,
                                           ShellBand band, double beta, Draws draws,
                                           const Bits& start) {
  return std::visit(
      [&]<class Kernel>(const std::shared_ptr<const Kernel>& kernel) -> std::unique_ptr<BandChain> {
        const auto build = [&]<template <class> class Engine>() -> std::unique_ptr<BandChain> {
          return std::make_unique<WeightedBandChain<Kernel, Engine, Draws>>(
              kernel, reference, band, beta, std::move(draws), start);
        };
        if constexpr (State<Kernel, NoEngine>::bulk) {
          return build.template operator()<DenseEngine>();
        } else {
          if constexpr (Kernel::exact)
            if (setup.engine() == "classes") return build.template operator()<ClassesEngine>();
          return build.template operator()<TreeEngine>();
        }
      },
      setup.kernel());
}

}  // namespace nhot
