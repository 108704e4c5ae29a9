// Models in which a flip touches long contiguous runs of fields: the dense Boltzmann machine and
// the RBM, in the frame of a reference. Flipping a site costs one pass over the touched run. Fields
// and couplings are multiples of one power of two (FixedPoint), so that sums in any order are
// exact.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "nhot/model/coupling_rows.hpp"
#include "nhot/model/frame.hpp"
#include "nhot/model/rbm.hpp"

namespace nhot {

/// A contiguous run of sites, [begin, end).
struct SiteRange {
  Site begin = 0;
  Site end = 0;

  Site size() const { return end - begin; }
  bool contains(Site i) const { return i >= begin && i < end; }
};

/// 1 where a bit became 1, -1 where it became 0.
inline double sign_of(Bit now) { return now != 0 ? 1.0 : -1.0; }

/// Dense Boltzmann machine: a full symmetric matrix, zero on the diagonal.
class DenseKernel {
 public:
  using Field = double;
  using Fields = AlignedVector<double>;
  static constexpr bool exact = false;

  DenseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference);

  Site sites() const { return static_cast<Site>(linear_.size()); }
  double quantum() const { return 1.0; }
  const EnergyScale& energies() const { return energies_; }
  double energy_step() const { return model_->fixed_point().step(); }
  template <class Fields>
  void compute_fields(const Bits& u, Fields& fields) const {
    fields.assign(linear_.begin(), linear_.end());
    for (Site i = 0; i < sites(); ++i)
      if (u[i]) apply_flip(i, 1, fields);
  }

  /// Updates the fields after u_i became `now`; returns the run of sites whose fields may have
  /// changed.
  template <class Fields>
  SiteRange apply_flip(Site i, Bit now, Fields& fields) const {
    matrix_.add({i, sign_of(now)}, fields.data());
    return {0, sites()};
  }
  /// Updates the fields after many sites of a run have flipped; signs are sign_of() their bits.
  template <class Fields>
  void apply_flips(unsigned /*own_run*/, std::span<const SignedPlace> flipped,
                   Fields& fields) const {
    matrix_.add(flipped, fields.data());
  }

  double coupling(Site i, Site j) const { return matrix_(i, j); }
  std::size_t degree(Site) const { return sites() - 1; }
  Site neighbour(Site i, std::size_t k) const { return static_cast<Site>(k < i ? k : k + 1); }
  double neighbour_coupling(Site i, std::size_t k) const { return coupling(i, neighbour(i, k)); }

  /// The runs that flips touch, for engines that work run by run.
  static constexpr unsigned runs = 1;
  SiteRange run(unsigned) const { return {0, sites()}; }
  unsigned run_of(Site) const { return 0; }
  /// The run whose fields a flip of the site changes, and the row of changes.
  unsigned touched_run(Site) const { return 0; }
  CouplingRows::Row row(Site i) const { return matrix_.row(i); }

  /// F_i where no site differs.
  double linear(Site i) const { return linear_[i]; }
  /// At least |F_i| for every site in every state.
  double field_bound() const { return field_bound_; }

 private:
  std::shared_ptr<const QuadraticModel> model_;
  std::vector<double> linear_;
  CouplingRows matrix_;
  EnergyScale energies_;
  double field_bound_;
};

/// RBM: the fields of one layer change when a unit of the other flips.
class RbmKernel {
 public:
  using Field = double;
  using Fields = AlignedVector<double>;
  static constexpr bool exact = false;

  RbmKernel(std::shared_ptr<const Rbm> rbm, const Bits& reference);

  Site sites() const { return visible_ + hidden_; }
  double quantum() const { return 1.0; }
  const EnergyScale& energies() const { return energies_; }
  double energy_step() const { return rbm_->fixed_point().step(); }
  template <class Fields>
  void compute_fields(const Bits& u, Fields& fields) const {
    fields.assign(linear_.begin(), linear_.end());
    for (Site i = 0; i < sites(); ++i)
      if (u[i]) apply_flip(i, 1, fields);
  }

  template <class Fields>
  SiteRange apply_flip(Site i, Bit now, Fields& fields) const {
    if (i < visible_) {
      by_visible_.add({i, sign_of(now)}, fields.data() + visible_);
      return layer(1);
    }
    by_hidden_.add({i - visible_, sign_of(now)}, fields.data());
    return layer(0);
  }
  template <class Fields>
  void apply_flips(unsigned own, std::span<const SignedPlace> flipped, Fields& fields) const {
    if (own == 0)
      by_visible_.add(flipped, fields.data() + visible_);
    else
      by_hidden_.add(flipped, fields.data());
  }

  double coupling(Site i, Site j) const {
    if ((i < visible_) == (j < visible_)) return 0;
    return i < visible_ ? by_visible_(i, j - visible_) : by_hidden_(i - visible_, j);
  }
  std::size_t degree(Site i) const { return i < visible_ ? hidden_ : visible_; }
  Site neighbour(Site i, std::size_t k) const {
    return static_cast<Site>(i < visible_ ? visible_ + k : k);
  }
  double neighbour_coupling(Site i, std::size_t k) const {
    return i < visible_ ? by_visible_(i, k) : by_hidden_(i - visible_, k);
  }
  /// The visible units (0) or the hidden ones (1).
  SiteRange layer(unsigned which) const {
    return which == 0 ? SiteRange{0, visible_} : SiteRange{visible_, sites()};
  }

  static constexpr unsigned runs = 2;
  SiteRange run(unsigned which) const { return layer(which); }
  unsigned run_of(Site i) const { return i < visible_ ? 0 : 1; }
  unsigned touched_run(Site i) const { return i < visible_ ? 1 : 0; }
  CouplingRows::Row row(Site i) const {
    return i < visible_ ? by_visible_.row(i) : by_hidden_.row(i - visible_);
  }
  double linear(Site i) const { return linear_[i]; }
  double field_bound() const { return field_bound_; }

 private:
  std::shared_ptr<const Rbm> rbm_;
  Site visible_;
  Site hidden_;
  std::vector<double> linear_;
  CouplingRows by_hidden_;   // hidden x visible
  CouplingRows by_visible_;  // visible x hidden
  EnergyScale energies_;
  double field_bound_ = 0;
};

}  // namespace nhot
