// Move `cluster`: the geometric cluster move of Heringa and Bloete, at fixed distance.
//
// A reflection R pairs every site i with its image i'. Exchanging the difference bits of a pair
// keeps the distance, and only pairs whose bits differ matter. Let t_P = +-1 say whether pair P is
// exchanged. As the model is unchanged by R, the energy of these choices is that of an Ising model:
// exchanging exactly one of the pairs P = {i, i'} and Q = {k, k'} costs
//
//     D_PQ = -(Q_ik - Q_ik') (u_i - u_i') (u_k - u_k')
//
// and exchanging both or none costs nothing; there is no field. The move grows one Wolff cluster of
// that model from a pair {i, j}, joining Q to P with probability 1 - exp(-beta D_PQ) where D_PQ is
// positive, and exchanges every pair in it. The bonds on the rim give min(1, exp(-beta D)) forward
// and min(1, exp(beta D)) in reverse, whose ratio is that of the energies: no move is rejected,
// whatever the signs of the couplings.
//
// Seeds: i is uniform on the differing sites and j on the agreeing ones, and R is the one
// reflection of the periodic lattice that takes i to j. Afterwards the same pair is drawn in the
// other order with the same probability, and gives the same R. On an open lattice R is drawn from
// the few there are, i from the differing sites, and j = R(i); where that agrees with i nothing
// happens.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "nhot/move/outcome.hpp"
#include "nhot/move/reflection.hpp"
#include "nhot/select/state.hpp"

namespace nhot {

/// Samples pi_n. Rejection-free on periodic lattices, where it also reaches every state: a cluster
/// of the seed alone has positive probability, and is an exchange of any two sites of opposite
/// sides. Costs the cluster's size times the degree.
class ClusterMove {
 public:
  static constexpr bool needs_sides = true;
  static constexpr bool needs_weights = false;

  explicit ClusterMove(std::shared_ptr<const LatticeReflections> lattice)
      : lattice_(std::move(lattice)) {}

  void prepare(double beta, WeightPalette&) { beta_ = beta; }

  template <class State, DrawSource Draws>
  MoveOutcome operator()(State& state, Draws& draws) {
    using Field = typename State::Field;
    const auto& c = state.configuration();
    const auto& kernel = state.kernel();
    const Group group = state.shell().draw_group(draws);
    const SideLists& lists = state.lists();
    const Site differing_count = lists.size(differing(group));
    const Site agreeing_count = lists.size(agreeing(group));
    if (differing_count == 0 || agreeing_count == 0) return {false, 0, 0};

    const Site i = lists.at(differing(group), static_cast<Site>(draws.below(differing_count)));
    if (lattice_->anywhere()) {
      const Site j = lists.at(agreeing(group), static_cast<Site>(draws.below(agreeing_count)));
      lattice_->through(i, j, mirror_);
    } else {
      lattice_->draw(draws, mirror_);
    }
    const Site j = mirror_(i);
    if (c.u[j]) return {false, 0, 0};

    start_marks(c.sites());
    state.begin_walk();
    open_.clear();
    const auto exchange = [&](Site a, Site b) {
      mark_[a] = mark_[b] = round_;
      state.flip(a);
      state.flip(b);
      open_.emplace_back(a, b);
    };
    exchange(i, j);
    Field known_cost{0};
    double join = 0;  // the probability that belongs to known_cost
    std::uint32_t pairs = 0;
    while (!open_.empty()) {
      const auto [p, p_image] = open_.back();
      open_.pop_back();
      ++pairs;
      const Bit p_before = c.u[p_image];  // the pair has been exchanged already
      const std::size_t degree = kernel.degree(p);
      for (std::size_t s = 0; s < degree; ++s) {
        const Site k = kernel.neighbour(p, s);
        if (mark_[k] == round_) continue;
        const Site k_image = mirror_(k);
        if (c.u[k] == c.u[k_image]) continue;
        const Field direct = kernel.neighbour_coupling(p, s);
        const Field crossed = kernel.coupling(p, k_image);
        // A pair of which both sites are neighbours is one bond: seen from the lower site.
        if (direct == Field{0} || (crossed != Field{0} && k_image < k)) continue;
        const auto cost =
            static_cast<Field>(c.u[k] == p_before ? crossed - direct : direct - crossed);
        if (!(cost > Field{0})) continue;
        if (cost != known_cost) {
          known_cost = cost;
          join = -std::expm1(-beta_ * state.to_energy(cost));
        }
        if (draws.accept(join)) exchange(k, k_image);
      }
    }
    return {true, pairs, 2 * pairs};
  }

 private:
  /// A fresh round of marks, without clearing them all.
  void start_marks(Site sites) {
    if (mark_.size() != sites || ++round_ == 0) {
      mark_.assign(sites, 0);
      round_ = 1;
    }
  }

  std::shared_ptr<const LatticeReflections> lattice_;
  double beta_ = 0;
  // Scratch.
  LatticeReflections::Reflection mirror_;
  std::vector<std::uint32_t> mark_;  // the round in which a site was last in the cluster
  std::uint32_t round_ = 0;
  std::vector<std::pair<Site, Site>> open_;  // pairs whose neighbours are still to be seen
};

}  // namespace nhot
