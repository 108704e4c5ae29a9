// What the reads of a search for the lowest energy share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/best_states.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {

/// The best so far, the clock and the reasons to stop.
class Search {
 public:
  Search(const Model& model, const AnnealingPlan& plan, const RunHooks& hooks)
      : model_(model), plan_(plan), hooks_(hooks), best_(plan.keep) {}

  double elapsed() const { return wall_seconds() - begin_; }
  double best_energy() const { return best_energy_; }
  bool reached() const { return plan_.target && best_energy_ <= *plan_.target; }
  bool interrupted() const { return interrupted_; }
  double seconds_to_best() const { return seconds_to_best_; }
  const BestStates& best() const { return best_; }
  const std::vector<BestStep>& trajectory() const { return trajectory_; }
  /// The energy above which no state is kept; falls as better ones come.
  const std::atomic<double>& bound() const { return bound_; }

  bool over() {
    if (over_) return true;
    if (reached() || (plan_.seconds && elapsed() >= *plan_.seconds)) over_ = true;
    if (hooks_.stop && hooks_.stop()) over_ = interrupted_ = true;
    return over_;
  }

  /// Takes a state after recomputing its energy from the model.
  void offer(const Bits& bits) {
    const double energy = model_.energy(bits);
    const std::lock_guard lock(mutex_);
    best_.offer(energy, bits);
    bound_ = best_.bound();
    note(energy);
  }

  /// A state of an unfinished read: counts for the target, but is not kept, as what is the best at
  /// this moment depends on the scheduling of threads.
  void sight(const Bits& bits) {
    const double energy = model_.energy(bits);
    const std::lock_guard lock(mutex_);
    note(energy);
  }

  /// The lowest energy that others have found.
  void know(double energy) {
    const std::lock_guard lock(mutex_);
    note(energy);
  }

  /// An error elsewhere: no read goes on.
  void cancel() { over_ = true; }

  /// The best so far, for a checkpoint; and back, with whatever has been offered since.
  template <class Archive>
  void save(Archive& archive) {
    const std::lock_guard lock(mutex_);
    archive(best_.list(), best_energy_.load(), seconds_to_best_);
    save_values(hooks_.store, "trajectory", trajectory_);
  }
  template <class Archive>
  void restore(Archive& archive) {
    std::vector<FoundState> states;
    double energy = 0;
    const std::lock_guard lock(mutex_);
    archive(states, energy, seconds_to_best_);
    best_energy_ = energy;
    for (const FoundState& state : states) best_.offer(state.energy, state.bits);
    bound_ = best_.bound();
    restore_values(hooks_.store, "trajectory", trajectory_);  // older checkpoints have none
  }

  void report(double fraction, double sweeps) {
    if (!hooks_.progress) return;
    const std::lock_guard lock(mutex_);
    if (plan_.seconds) fraction = std::max(fraction, elapsed() / *plan_.seconds);
    hooks_.progress(
        {false, std::min(1.0, fraction), elapsed(), static_cast<std::uint64_t>(sweeps)});
  }

 private:
  void note(double energy) {
    if (energy >= best_energy_) return;
    best_energy_ = energy;
    seconds_to_best_ = elapsed();
    trajectory_.push_back({seconds_to_best_, energy});
  }

  const Model& model_;
  const AnnealingPlan& plan_;
  const RunHooks& hooks_;
  const double begin_ = wall_seconds() - seconds_before(hooks_.store);
  std::mutex mutex_;
  BestStates best_;
  std::atomic<double> best_energy_{std::numeric_limits<double>::infinity()};
  std::atomic<double> bound_{std::numeric_limits<double>::infinity()};
  double seconds_to_best_ = 0;
  std::vector<BestStep> trajectory_;
  std::atomic<bool> over_{false};
  std::atomic<bool> interrupted_{false};
};

}  // namespace nhot
