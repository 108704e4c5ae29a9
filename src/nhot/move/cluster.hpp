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
// positive, and exchanges every pair in it. Each bond on the boundary gives min(1, exp(-beta D))
// forward and min(1, exp(beta D)) in reverse; the product of the ratios is exp(-beta dE): no move
// is rejected, whatever the signs of the couplings.
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

#include "nhot/move/declaration.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/move/reflection.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// Samples pi_n. Rejection-free on periodic lattices, where it also reaches every state: a cluster
/// of the seed alone has positive probability, and is an exchange of any two sites of opposite
/// sides. Costs the cluster's size times the degree.
class ClusterMove {
 public:
  static MoveDeclaration<ClusterMove> declaration();

  static constexpr bool needs_weights = false;
  /// Lists of the sides cost a fifth of a large cluster's time, so they are kept only where a side
  /// is so small that drawing a site of it by rejection would take many tries.
  bool needs_sides;

  ClusterMove(std::shared_ptr<const LatticeReflections> lattice, bool keep_lists)
      : needs_sides(keep_lists), lattice_(std::move(lattice)) {}

  void prepare(double beta, WeightSet&) { beta_ = beta; }

  template <class State, DrawSource Draws>
  requires is_pairwise<typename State::Kernel> MoveOutcome operator()(State& state, Draws& draws) {
    const auto& c = state.configuration();
    const Group group = state.draw_group(draws);
    const Side from = differing(group);
    if (c.shell->side_size(from) == 0 || c.shell->side_size(opposite(from)) == 0)
      return {false, 0, 0};
    const Site i = draw_site(state, draws, from);
    if (lattice_->anywhere())
      lattice_->through(i, draw_site(state, draws, opposite(from)), mirror_);
    else
      lattice_->draw(draws, mirror_);
    const Site j = mirror_(i);
    if (c.side(j) != opposite(from)) return {false, 0, 0};

    state.begin_walk();
    const std::uint32_t pairs = grow(state, draws, i, j);
    return {true, pairs, 2 * pairs, true};
  }

 private:
  /// A uniform site of a side.
  template <class State, DrawSource Draws>
  Site draw_site(const State& state, Draws& draws, Side side) const {
    if (needs_sides) {
      const SideLists& lists = state.lists();
      return lists.at(side, static_cast<Site>(draws.below(lists.size(side))));
    }
    const auto& c = state.configuration();
    return static_cast<Site>(draws.thin(c.sites(), [&](std::uint64_t k) {
      return c.side(static_cast<Site>(k)) == side ? 1.0 : 0.0;
    }));
  }

  /// Exchanges the pair {i, j} and every pair that joins it; returns how many. A pair is exchanged
  /// when it joins, while its surroundings are in the cache.
  template <class State, DrawSource Draws>
  std::uint32_t grow(State& state, Draws& draws, Site i, Site j) {
    using Field = typename State::Field;
    const auto& c = state.configuration();
    const auto& kernel = state.kernel();
    start_marks(c.sites());
    open_.clear();
    std::uint32_t pairs = 0;
    const auto join = [&](Site a, Site b) {
      mark_[a] = mark_[b] = round_;
      open_.push_back(a);
      state.flip(a);
      state.flip(b);
      ++pairs;
    };
    join(i, j);
    Field known_cost{0};
    double probability = 0;  // of joining at known_cost
    while (!open_.empty()) {
      const Site p = open_.back();
      open_.pop_back();
      const Bit before = c.u[p] ^ 1;  // the pair has been exchanged, those outside have not
      const std::size_t degree = kernel.degree(p);
      for (std::size_t s = 0; s < degree; ++s) {
        const Site k = kernel.neighbour(p, s);
        if (mark_[k] == round_) continue;
        const Site image = mirror_(k);
        if (c.u[k] == c.u[image]) continue;
        const Field direct = kernel.neighbour_coupling(p, s);
        const Field crossed = kernel.coupling(p, image);
        // A pair of which both sites are neighbours is one bond: visited at its lower site.
        if (direct == Field{0} || (crossed != Field{0} && image < k)) continue;
        const auto cost =
            static_cast<Field>(c.u[k] == before ? crossed - direct : direct - crossed);
        if (!(cost > Field{0})) continue;
        if (cost != known_cost) {
          known_cost = cost;
          probability = -std::expm1(-beta_ * state.to_energy(cost));
        }
        if (draws.accept(probability)) join(k, image);
      }
    }
    return pairs;
  }

  /// Invalidates all marks in O(1), by a new round.
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
  std::vector<Site> open_;  // stack: one site of every pair whose neighbours are not visited yet
};

}  // namespace nhot
