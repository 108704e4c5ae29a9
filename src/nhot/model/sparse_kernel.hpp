// A sparse quadratic model in the frame of a reference, as the hot loop wants it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/model/frame.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// Number is double for real couplings, or std::int32_t when everything lies on a grid: then
/// fields, energies and classes are exact integers in units of the quantum, and nothing can drift.
/// Flipping a site costs O(degree).
template <class Number>
class SparseKernel {
 public:
  using Field = Number;
  static constexpr bool exact = std::is_integral_v<Number>;

  /// For integers: the grid of the model; for doubles: a default Grid.
  SparseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference, Grid grid)
      : model_(std::move(model)), quantum_(exact ? grid.quantum : 1.0), max_field_(grid.max_field) {
    NHOT_EXPECTS(!exact || grid.quantum > 0);
    const Site sites = model_->sites();
    const std::vector<double> linear = framed_linear(*model_, reference);
    linear_.resize(sites);
    row_begin_.resize(sites + std::size_t{1});
    neighbours_.reserve(2 * model_->couplings());
    couplings_.reserve(2 * model_->couplings());
    for (Site i = 0; i < sites; ++i) {
      linear_[i] = to_number(linear[i]);
      const QuadraticModel::Row row = model_->row(i);
      for (std::size_t k = 0; k < row.sites.size(); ++k) {
        const Site j = row.sites[k];
        neighbours_.push_back(j);
        couplings_.push_back(to_number(
            framed_coupling(model_->convention(), reference[i], reference[j], row.values[k])));
      }
      row_begin_[i + std::size_t{1}] = neighbours_.size();
    }
  }

  Site sites() const { return static_cast<Site>(linear_.size()); }
  /// Energy of one unit of Field.
  double quantum() const { return quantum_; }
  /// Largest |field| in any state, in units; meaningful for integers.
  long long max_field() const { return max_field_; }

  /// Energy from scratch of a state in the model's own bits.
  double energy(const Bits& bits) const { return model_->energy(bits); }

  /// All fields from scratch, for difference bits u.
  void compute_fields(const Bits& u, std::vector<Number>& fields) const {
    fields = linear_;
    for (Site i = 0; i < sites(); ++i) {
      if (!u[i]) continue;
      for (std::size_t k = row_begin_[i]; k < row_begin_[i + std::size_t{1}]; ++k)
        fields[neighbours_[k]] += couplings_[k];
    }
  }

  /// Updates the fields after u_i became `now`; calls changed(j, change of the field) for each
  /// neighbour j.
  template <class Changed>
  NHOT_ALWAYS_INLINE void apply_flip(Site i, Bit now, std::vector<Number>& fields,
                                     Changed&& changed) const {
    const Number sign = now ? Number{1} : Number{-1};
    const std::size_t end = row_begin_[i + std::size_t{1}];
    const Site* neighbours = neighbours_.data();
    const Number* couplings = couplings_.data();
    Number* field = fields.data();
    for (std::size_t k = row_begin_[i]; k < end; ++k) {
      const Site j = neighbours[k];
      const Number shift = sign * couplings[k];
      field[j] += shift;
      changed(j, shift);
    }
  }

  /// Q_ij, zero when not coupled. Short rows are scanned without a branch, long ones searched.
  Number coupling(Site i, Site j) const {
    const std::size_t begin = row_begin_[i];
    const std::size_t end = row_begin_[i + std::size_t{1}];
    if (end - begin <= 8) [[likely]] {
      Number sum{0};
      for (std::size_t k = begin; k < end; ++k)
        sum += neighbours_[k] == j ? couplings_[k] : Number{0};
      return sum;
    }
    const Site* first = neighbours_.data() + begin;
    const Site* last = neighbours_.data() + end;
    const Site* found = std::lower_bound(first, last, j);
    return found != last && *found == j
               ? couplings_[begin + static_cast<std::size_t>(found - first)]
               : Number{0};
  }

  /// a_i in units.
  Number linear(Site i) const { return linear_[i]; }

  std::size_t degree(Site i) const { return row_begin_[i + std::size_t{1}] - row_begin_[i]; }

  /// A site's k-th neighbour.
  Site neighbour(Site i, std::size_t k) const { return neighbours_[row_begin_[i] + k]; }
  /// Its coupling to that neighbour.
  Number neighbour_coupling(Site i, std::size_t k) const { return couplings_[row_begin_[i] + k]; }

 private:
  Number to_number(double value) const {
    if constexpr (exact)
      return static_cast<Number>(std::llround(value / quantum_));
    else
      return value;
  }

  std::shared_ptr<const QuadraticModel> model_;
  double quantum_;
  long long max_field_;
  std::vector<Number> linear_;
  std::vector<std::size_t> row_begin_;
  std::vector<Site> neighbours_;
  std::vector<Number> couplings_;
};

}  // namespace nhot
