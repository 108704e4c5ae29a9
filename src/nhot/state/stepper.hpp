// The state as the inner loop of walks sees it.
#pragma once

#include <cstdint>

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/lookahead_draws.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/flip_path.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// Register copy of State; finish() writes energy and path back. Members of the state itself would
/// be reloaded after every store of the loop.
template <class State>
class Stepper {
 public:
  static constexpr bool rounded_weights = State::rounded_weights;
  static constexpr bool grouped = false;

  /// Has room for walks of so many steps.
  Stepper(State& state, std::size_t steps)
      : state_(&state),
        engine_(state.engine_, state.config_),
        u_(state.config_.u.data()),
        path_begin_(state.path_.room_for(steps)),
        path_(path_begin_),
        energies_(state.energies_),
        units_(state.units_),
        saved_units_(state.units_),
        tracks_sides_(state.track_sides_) {}

  const Shell& shell() const { return state_->shell(); }
  template <DrawSource Draws>
  Group draw_group(Draws&) const {
    return 0;
  }
  Bits bits() const { return state_->bits(); }
  double energy() const { return energies_.energy(units_); }
  std::int64_t energy_units() const { return units_; }

  NHOT_ALWAYS_INLINE void begin_walk() {
    path_ = path_begin_;
    saved_units_ = units_;
    engine_.begin_walk();
  }

  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned index,
                                 ScaledWeight& total) const {
    return engine_.choose(draws, side, index, total);
  }
  /// The same, with the weight of the site.
  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned index, ScaledWeight& total,
                                 ScaledWeight& weight) const requires rounded_weights {
    return engine_.choose(draws, side, index, total, weight);
  }
  NHOT_ALWAYS_INLINE ScaledWeight weight(Side side, unsigned index,
                                         Site i) const requires rounded_weights {
    return engine_.weight(side, index, i);
  }
  NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned index) const {
    return engine_.total(side, index);
  }

  NHOT_ALWAYS_INLINE void step(Site i) {
    *path_++ = i;
    units_ += energies_.of_change(engine_.flip(i));
    flipped(i);
  }

  double walk_gain() const { return energies_.change(units_ - saved_units_); }
  /// As State::walk_changed().
  bool walk_changed() const { return units_ != saved_units_ || halves_differ(path_begin_, path_); }
  void commit() {}

  /// Takes the walk back.
  void rollback() {
    // Only sites that were flipped an odd number of times go back.
    const Site* const end = keep_odd(path_begin_, path_, u_);
    for (const Site* i = path_begin_; i != end; ++i) {
      engine_.flip_back(*i);
      flipped(*i);
    }
    engine_.rolled_back();
    path_ = path_begin_;
    units_ = saved_units_;
  }

  /// Cost of flipping a site.
  double delta_energy(Site i) const {
    return state_->to_energy(signed_by(u_[i], state_->field(i)));
  }

  /// The same draws, with the candidates of selections prefetched.
  LookaheadDraws looking_ahead(const RandomDraws& draws) const {
    return {draws, engine_.classes(), state_->sites()};
  }

  bool beyond_caches() const { return state_->beyond_caches(); }
  NHOT_ALWAYS_INLINE void prefetch_step(Site i) const { state_->prefetch_step(i); }

  void refresh_if_due() const {}  // sums of couplings do not drift

  void finish() {
    state_->path_.end_at(path_);
    state_->units_ = units_;
    engine_.finish();
  }

 private:
  NHOT_ALWAYS_INLINE void flipped(Site i) {
    u_[i] ^= 1;
    if (tracks_sides_) [[unlikely]]
      state_->lists_.flipped(0, i, u_[i]);
  }

  State* state_;
  typename State::Engine::Stepper engine_;
  Bit* u_;
  Site* path_begin_;
  Site* path_;
  EnergyCount<typename State::Kernel> energies_;
  std::int64_t units_;
  std::int64_t saved_units_;
  bool tracks_sides_;
};

}  // namespace nhot
