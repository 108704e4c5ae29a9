// Models in which a flip touches long contiguous runs of fields: the dense Boltzmann machine and
// the RBM, in the frame of a reference. Flipping a site costs one pass over the touched run.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "nhot/model/frame.hpp"
#include "nhot/model/rbm.hpp"

namespace nhot {

/// A contiguous run of sites, [begin, end).
struct SiteRange {
  Site begin = 0;
  Site end = 0;
};

/// Dense Boltzmann machine: a full symmetric matrix, zero on the diagonal.
class DenseKernel {
 public:
  using Field = double;
  static constexpr bool exact = false;

  DenseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference);

  Site sites() const { return static_cast<Site>(linear_.size()); }
  double quantum() const { return 1.0; }
  double energy(const Bits& bits) const { return model_->energy(bits); }
  void compute_fields(const Bits& u, std::vector<double>& fields) const;

  /// Updates the fields after u_i became `now`; returns the run of sites whose fields may have
  /// changed.
  SiteRange apply_flip(Site i, Bit now, std::vector<double>& fields) const {
    const double* row = matrix_.data() + std::size_t{i} * sites();
    double* field = fields.data();
    const Site size = sites();
    if (now)
      for (Site j = 0; j < size; ++j) field[j] += row[j];
    else
      for (Site j = 0; j < size; ++j) field[j] -= row[j];
    return {0, size};
  }

  double coupling(Site i, Site j) const { return matrix_[std::size_t{i} * sites() + j]; }
  std::size_t degree(Site) const { return sites() - 1; }
  Site neighbour(Site i, std::size_t k) const { return static_cast<Site>(k < i ? k : k + 1); }
  double neighbour_coupling(Site i, std::size_t k) const { return coupling(i, neighbour(i, k)); }

 private:
  std::shared_ptr<const QuadraticModel> model_;
  std::vector<double> linear_;
  std::vector<double> matrix_;
};

/// RBM: the fields of one layer change when a unit of the other flips.
class RbmKernel {
 public:
  using Field = double;
  static constexpr bool exact = false;

  RbmKernel(std::shared_ptr<const Rbm> rbm, const Bits& reference);

  Site sites() const { return visible_ + hidden_; }
  double quantum() const { return 1.0; }
  double energy(const Bits& bits) const { return rbm_->energy(bits); }
  void compute_fields(const Bits& u, std::vector<double>& fields) const;

  SiteRange apply_flip(Site i, Bit now, std::vector<double>& fields) const {
    const SiteRange other = i < visible_ ? SiteRange{visible_, sites()} : SiteRange{0, visible_};
    const double* row = row_of(i);
    double* field = fields.data() + other.begin;
    const Site size = other.end - other.begin;
    if (now)
      for (Site j = 0; j < size; ++j) field[j] += row[j];
    else
      for (Site j = 0; j < size; ++j) field[j] -= row[j];
    return other;
  }

  double coupling(Site i, Site j) const {
    if ((i < visible_) == (j < visible_)) return 0;
    return row_of(i)[i < visible_ ? j - visible_ : j];
  }
  std::size_t degree(Site i) const { return i < visible_ ? hidden_ : visible_; }
  Site neighbour(Site i, std::size_t k) const {
    return static_cast<Site>(i < visible_ ? visible_ + k : k);
  }
  double neighbour_coupling(Site i, std::size_t k) const { return row_of(i)[k]; }
  /// The visible units (0) or the hidden ones (1).
  SiteRange layer(unsigned which) const {
    return which == 0 ? SiteRange{0, visible_} : SiteRange{visible_, sites()};
  }

 private:
  /// Couplings of a unit to the other layer.
  const double* row_of(Site i) const {
    return i < visible_ ? by_visible_.data() + std::size_t{i} * hidden_
                        : by_hidden_.data() + std::size_t{i - visible_} * visible_;
  }

  std::shared_ptr<const Rbm> rbm_;
  Site visible_;
  Site hidden_;
  std::vector<double> linear_;
  std::vector<double> by_hidden_;   // hidden x visible
  std::vector<double> by_visible_;  // visible x hidden
};

}  // namespace nhot
