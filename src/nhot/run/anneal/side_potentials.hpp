// The chemical potentials that bring a band walk back to the shell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "nhot/shell/shell.hpp"

namespace nhot {

/// mu by side of the site that leaves, adjusted such that the walk spends half of its time on the
/// shell and the rest off every side of every group in proportion to the group's sites. Small
/// groups of the same size and distance share their potentials: alone they see too few tries.
class SidePotentials {
 public:
  explicit SidePotentials(const Shell& shell) {
    std::map<std::pair<Site, Site>, std::size_t> pool_of;
    for (Group g = 0; g < shell.groups(); ++g) {
      const Site size = shell.group_size(g);
      std::size_t pool = sites_.size();
      if (size <= largest_small)
        pool = pool_of.try_emplace({size, shell.distance(g)}, pool).first->second;
      if (pool == sites_.size()) sites_.push_back(0);
      sites_[pool] += shell.grouped() && !shell.movable(g) ? 0 : size;
      pool_.push_back(pool);
    }
    for (const double sites : sites_) all_ += sites;
    reset();
  }

  void reset() {
    mu_.assign(2 * pool_.size(), 0.0);
    tries_.assign(2 * pool_.size(), 0);
  }

  double operator[](Side side) const { return mu_[side]; }

  /// A try with one site too many on this side.
  void count_try(Side side) { ++tries_[side]; }

  /// Lowers mu on a side where the walk has spent more of its tries than wanted, or raises it.
  void adjust(double beta, double tries) {
    constexpr double gain = 0.5;
    constexpr double wanted = 0.25;
    std::vector<double> share(2 * sites_.size());  // of the tries, by pool and kind of side
    for (Side side = 0; side < tries_.size(); ++side)
      share[pooled(side)] += static_cast<double>(tries_[side]) / tries;
    std::fill(tries_.begin(), tries_.end(), 0);
    if (beta <= 0) return;
    for (Side side = 0; side < mu_.size(); ++side) {
      // Flipping a site of one side leaves one too many on the opposite side.
      const double fraction = sites_[pool_[side / 2]] / all_;
      if (fraction > 0)
        mu_[side] -= gain * (share[pooled(opposite(side))] / fraction - wanted) / beta;
    }
  }

 private:
  static constexpr Site largest_small = 64;

  std::size_t pooled(Side side) const { return 2 * pool_[side / 2] + (side & 1U); }

  std::vector<std::size_t> pool_;     // by group
  std::vector<double> sites_;         // by pool
  double all_ = 0;                    // movable sites
  std::vector<double> mu_;            // by side of the site that leaves
  std::vector<std::uint64_t> tries_;  // by side with one too many
};

}  // namespace nhot
