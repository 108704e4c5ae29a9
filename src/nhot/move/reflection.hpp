// Reflections that map a lattice onto itself, and whether a model is invariant under them.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// A lattice with the reflections that leave the energy unchanged in the frame of the reference,
/// u = x xor c: fields a and couplings Q satisfy a_{R i} = a_i, Q_{R i R j} = Q_ij.
///
/// Periodic: x -> p - x (modulo the sides) for every p; for each pair of sites exactly one takes
/// one site to the other. Together they generate all translations, so the condition is that a is
/// the same everywhere and Q_ij depends on the displacement only.
/// Open: x_d -> side_d - 1 - x_d, along one axis or along all, whichever leave the model unchanged.
class LatticeReflections {
 public:
  /// InputError when the model is no lattice or no reflection leaves it unchanged; the message says
  /// which coupling, field or reference bit stands in the way.
  LatticeReflections(const Model& model, const Shell& shell);

  /// True for periodic lattices: for every pair of sites a reflection takes one to the other.
  bool anywhere() const { return periodic_; }
  Site sites() const { return sites_; }

  /// One reflection, an involution on the sites.
  class Reflection {
   public:
    Site operator()(Site i) const {
      const std::size_t dimensions = lattice_->axes_.size();
      const Site* x = lattice_->coordinates_.data() + i * dimensions;
      Site image = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const Axis& axis = lattice_->axes_[d];
        const Site sum = sums_[d];
        Site y = sum >= x[d] ? sum - x[d] : sum + axis.side - x[d];
        if (sum == keep) y = x[d];
        image += y * axis.stride;
      }
      return image;
    }

   private:
    friend class LatticeReflections;
    static constexpr Site keep = ~Site{0};

    const LatticeReflections* lattice_ = nullptr;
    std::vector<Site> sums_;  // x_d + image_d modulo the side; keep: not mirrored along this axis
  };

  /// The reflection of a periodic lattice that takes i to j.
  void through(Site i, Site j, Reflection& reflection) const {
    NHOT_EXPECTS(periodic_);
    const std::size_t dimensions = axes_.size();
    reflection.lattice_ = this;
    reflection.sums_.resize(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
      const Site sum = coordinates_[i * dimensions + d] + coordinates_[j * dimensions + d];
      reflection.sums_[d] = sum >= axes_[d].side ? sum - axes_[d].side : sum;
    }
  }

  /// One of the reflections of an open lattice, uniformly.
  template <DrawSource Draws>
  void draw(Draws& draws, Reflection& reflection) const {
    NHOT_EXPECTS(!periodic_);
    const std::size_t count = mirrors_.size();
    reflection = mirrors_[count > 1 ? draws.below(count) : 0];
    reflection.lattice_ = this;
  }

 private:
  struct Axis {
    Site side;
    Site stride;
  };

  void check_translations(const Model& model, const Shell& shell) const;
  void find_mirrors(const Model& model, const Shell& shell);

  Site sites_ = 0;
  bool periodic_ = true;
  std::vector<Axis> axes_;
  std::vector<Site> coordinates_;    // by site, then axis
  std::vector<Reflection> mirrors_;  // of an open lattice
};

}  // namespace nhot
