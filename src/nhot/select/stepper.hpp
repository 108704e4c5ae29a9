// The state as the inner loop of a walk sees it.
#pragma once

#include <cstdint>

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/select/configuration.hpp"
#include "nhot/select/weight.hpp"

namespace nhot {

/// Takes the steps of a walk that has begun, as the state itself would, with everything at hand
/// that they read and write. The state knows of them after finish().
template <class State>
class Stepper {
 public:
  static constexpr bool rounded_weights = false;

  /// Has room for `steps` of them.
  Stepper(State& state, std::size_t steps)
      : state_(&state),
        engine_(state.engine_, state.config_),
        u_(state.config_.u.data()),
        path_(state.path_.room_for(steps)),
        tracks_sides_(state.track_sides_) {}

  template <DrawSource Draws>
  NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned entry, Mass& total) const {
    return engine_.choose(draws, side, entry, total);
  }
  NHOT_ALWAYS_INLINE Mass total(Side side, unsigned entry) const {
    return engine_.total(side, entry);
  }

  NHOT_ALWAYS_INLINE void step(Site i) {
    *path_++ = i;
    turn(i);
  }
  /// A step that the path does not know of.
  NHOT_ALWAYS_INLINE void turn(Site i) {
    units_ += engine_.flip(i);
    u_[i] ^= 1;
    if (tracks_sides_) [[unlikely]]
      state_->lists_.flipped(0, i, u_[i]);
  }

  /// Cost of flipping a site.
  double delta_energy(Site i) const {
    return state_->kernel().quantum() * static_cast<double>(signed_by(u_[i], state_->field(i)));
  }

  NHOT_ALWAYS_INLINE void prefetch_step(Site i) const { state_->prefetch_step(i); }
  void prefetch_neighbours(Site i) const { state_->prefetch_neighbours(i); }

  void finish() {
    state_->path_.end_at(path_);
    state_->units_ += units_;
    engine_.finish();
    units_ = 0;
  }

 private:
  State* state_;
  typename State::Engine::Stepper engine_;
  Bit* u_;
  Site* path_;
  std::int64_t units_ = 0;
  bool tracks_sides_;
};

}  // namespace nhot
