// The walk that anneals best: single flips within one site of the shell.
//
// A pair exchange must pay for two flips at once, so where single flips are accepted with
// probability p it is accepted with p squared, and cold chains starve. This walk takes the halves
// one at a time. On the shell it tries to flip any site; one site off the shell it only tries the
// flips that lead back. It samples exp(-beta (E - mu)) on the band of neighbouring shells, where
// mu is 0 on the shell and, off it, a chemical potential for each side, adjusted while cooling so
// that the walk spends about half of its time on the shell. Restricted to the shell, and with mu
// fixed, the walk samples pi_n; with mu changing it is a search, all that annealing needs.
//
// With several groups, off the shell means one site too many on one side of one group, and the way
// back is through that group. Free sites flip on the shell.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <vector>

#include "nhot/random/xoshiro.hpp"
#include "nhot/run/anneal/side_potentials.hpp"
#include "nhot/run/visited_states.hpp"
#include "nhot/run/walker.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/flip_site.hpp"
#include "nhot/state/sides.hpp"

namespace nhot {

/// O(1) per try, plus the kernel's flip when it is accepted.
template <class Kernel>
class BandWalk final : public Walker {
 public:
  BandWalk(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const Shell> shell,
           const Xoshiro256& stream)
      : config_{std::move(kernel), std::move(shell), {}, {}},
        engine_(stream),
        quantum_(config_.kernel->quantum()),
        energies_(*config_.kernel),
        potentials_(*config_.shell) {
    if constexpr (is_grouped<Kernel>)
      for (Site i = 0; i < config_.shell->sites(); ++i)
        if (is_free(i) || config_.shell->movable(config_.group(i))) active_.push_back(i);
  }

  void tell(VisitedStates& visited) override { visited_ = &visited; }

  void start(const Bits& bits) override {
    config_.u = config_.shell->relative(bits);
    lists_.build(*config_.shell, config_.u);
    config_.kernel->compute_fields(config_.u, config_.fields);
    units_ = energies_.of(config_);
    off_side_ = on_shell;
    shell_units_ = best_units_ = units_;
    since_best_.clear();
    best_u_ = config_.u;
    best_saved_ = true;
    forgetting_ = false;
    potentials_.reset();
    if (!visited_) return;
    visited_->begin(bits);
    visited_->visit(energy());
  }

  void sweep(double beta, std::uint64_t count) override {
    const std::uint64_t tries = count * config_.sites();
    uphill_ = 0;
    if (any_active())
      for (std::uint64_t t = 0; t < tries; ++t) attempt(beta);
    uphill_share_ = static_cast<double>(uphill_) / static_cast<double>(tries);
    potentials_.adjust(beta, static_cast<double>(tries));
  }

  void forget_best() override {
    forgetting_ = off_side_ != on_shell;
    if (!forgetting_) note_best();
  }

  double energy() const override { return energies_.energy(shell_units_); }
  double best_energy() const override { return energies_.energy(best_units_); }
  Bits best_bits() const override {
    Bits u = best_saved_ ? best_u_ : config_.u;
    if (!best_saved_)
      for (const Site i : since_best_) u[i] ^= 1;
    return config_.shell->relative(u);
  }
  double uphill_share() const override { return uphill_share_; }

 private:
  using Field = typename Kernel::Field;
  using Count = typename EnergyCount<Kernel>::Count;
  static constexpr Side on_shell = ~Side{0};

  void attempt(double beta) {
    // One draw serves both choices: the upper half picks the site, the lower half accepts.
    const std::uint64_t draw = engine_();
    const auto pick = [&](Site size) { return static_cast<Site>(((draw >> 32) * size) >> 32); };
    Site i;
    double price;
    if (off_side_ == on_shell) {
      if constexpr (is_grouped<Kernel>)
        i = active_[pick(static_cast<Site>(active_.size()))];
      else
        i = pick(config_.sites());
      price = is_free(i) ? 0 : potentials_[config_.side(i)];
    } else {
      // Too many sites on this side: one of them goes back.
      i = lists_.at(off_side_, pick(lists_.size(off_side_)));
      price = -potentials_[opposite(off_side_)];
      potentials_.count_try(off_side_);
    }
    const Field cost = config_.delta(i);
    const double tilt = beta * (quantum_ * static_cast<double>(cost) - price);
    if (tilt > 0) {
      if (tilt > 22 ||
          static_cast<double>(static_cast<std::uint32_t>(draw)) * 0x1p-32 >= std::exp(-tilt))
        return;
    }
    flip(i, cost);
  }

  void flip(Site i, Field cost) {
    units_ += energies_.of_change(cost);
    flip_site(
        config_, &lists_, i, [] {}, [](Site, Field) {});
    if (!best_saved_) note_flip(i);
    if (visited_) visited_->flip(i);
    if (off_side_ == on_shell && !is_free(i)) {
      off_side_ = config_.side(i);
      return;
    }
    off_side_ = on_shell;
    // From shell to shell, where mu cancels.
    uphill_ += units_ > shell_units_;
    shell_units_ = units_;
    if (visited_) visited_->visit(energy());
    if (units_ < best_units_ || forgetting_) note_best();
  }

  void note_best() {
    best_units_ = units_;
    best_saved_ = false;
    since_best_.clear();
    forgetting_ = false;
  }

  // The best state is the present one with the flips since then taken back; it is copied only
  // after as many flips as there are sites, so that keeping it costs O(1) per flip.
  void note_flip(Site i) {
    since_best_.push_back(i);
    if (since_best_.size() < config_.sites()) return;
    best_u_ = config_.u;
    for (const Site site : since_best_) best_u_[site] ^= 1;
    best_saved_ = true;
  }

  bool is_free(Site i) const {
    if constexpr (is_grouped<Kernel>)
      return config_.group(i) == config_.shell->groups();
    else
      return false;
  }
  bool any_active() const {
    if constexpr (is_grouped<Kernel>)
      return !active_.empty();
    else
      return true;
  }

  Configuration<Kernel> config_;
  SideLists lists_;
  Xoshiro256 engine_;
  double quantum_;
  EnergyCount<Kernel> energies_;
  SidePotentials potentials_;
  std::vector<Site> active_;  // of a grouped shell: free sites, and those of movable groups
  Side off_side_ = on_shell;  // the side with one site too many
  Count units_ = 0;           // of the energy
  Count shell_units_ = 0;
  Count best_units_ = 0;
  Bits best_u_;
  bool best_saved_ = true;
  bool forgetting_ = false;  // the next state on the shell is the best
  std::vector<Site> since_best_;
  VisitedStates* visited_ = nullptr;
  std::uint64_t uphill_ = 0;
  double uphill_share_ = 0;
};

}  // namespace nhot
