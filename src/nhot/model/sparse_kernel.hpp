// A sparse quadratic model in the frame of a reference, as the hot loop wants it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/base/packed_numbers.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/model/frame.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// Number is double for real couplings, or std::int32_t when everything lies on a grid: then
/// fields, energies and classes are exact integers in units of the quantum, and nothing can drift.
/// Flipping a site costs O(degree).
///
/// Where indices have at most 24 bits and couplings 8, which is most grids, a neighbour and its
/// coupling share one word: less to read from the cache, 4 bytes each.
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
    row_begin_ = model_->row_begin();
    std::vector<double> linear = framed_linear(*model_, reference);
    for (double& a : linear) a = static_cast<double>(to_number(a));
    linear_ = PackedNumbers(std::move(linear));
    if (exact && sites <= word_sites && pack(reference)) return;
    neighbours_.reserve(row_begin_.back());
    couplings_.reserve(row_begin_.back());
    for_each_entry(reference, [&](Site j, Number coupling) {
      neighbours_.push_back(j);
      couplings_.push_back(coupling);
      return true;
    });
  }

  Site sites() const { return model_->sites(); }
  /// Energy of one unit of Field.
  double quantum() const { return quantum_; }
  /// Largest |field| in any state, in units; meaningful for integers.
  long long max_field() const { return max_field_; }

  /// Energy from scratch of a state in the model's own bits.
  double energy(const Bits& bits) const { return model_->energy(bits); }

  /// All fields from scratch, for difference bits u.
  void compute_fields(const Bits& u, std::vector<Number>& fields) const {
    fields.clear();
    reserve_large(fields, sites());
    for (const double a : linear_.all()) fields.push_back(static_cast<Number>(a));
    for (Site i = 0; i < sites(); ++i) {
      if (!u[i]) continue;
      for (std::size_t k = 0; k < degree(i); ++k)
        fields[neighbour(i, k)] += neighbour_coupling(i, k);
    }
  }

  /// Updates the fields after u_i became `now`; calls changed(j, change of the field) for each
  /// neighbour j.
  template <class Changed>
  NHOT_ALWAYS_INLINE void apply_flip(Site i, Bit now, std::vector<Number>& fields,
                                     Changed&& changed) const {
    const std::size_t end = row_begin_[i + std::size_t{1}];
    Number* field = fields.data();
    if constexpr (exact) {
      if (!words_.empty()) [[likely]] {
        const std::uint32_t* words = words_.data();
        const Number mask = static_cast<Number>(now) - 1;  // all ones for a flip to 0
        for (std::size_t k = row_begin_[i]; k < end; ++k) {
          const Site j = words[k] >> 8;
          const Number shift = (coupling_of(words[k]) ^ mask) - mask;
          field[j] += shift;
          changed(j, shift);
        }
        return;
      }
    }
    const Number sign = now ? Number{1} : Number{-1};
    const Site* neighbours = neighbours_.data();
    const Number* couplings = couplings_.data();
    for (std::size_t k = row_begin_[i]; k < end; ++k) {
      const Site j = neighbours[k];
      const Number shift = sign * couplings[k];
      field[j] += shift;
      changed(j, shift);
    }
  }

  /// Q_ij, zero when not coupled. Short rows are scanned, long ones searched.
  Number coupling(Site i, Site j) const {
    const std::size_t begin = row_begin_[i];
    const std::size_t end = row_begin_[i + std::size_t{1}];
    if (end - begin <= 8) [[likely]] {
      if (exact && !words_.empty()) [[likely]] {
        const std::uint32_t key = j << 8;
        for (std::size_t k = begin; k < end; ++k) {
          const std::uint32_t rest = words_[k] ^ key;
          if (rest < 256) [[unlikely]]
            return coupling_of(rest);
        }
        return Number{0};
      }
      for (std::size_t k = begin; k < end; ++k)
        if (neighbours_[k] == j) [[unlikely]]
          return couplings_[k];
      return Number{0};
    }
    std::size_t low = begin;
    std::size_t high = end;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (entry_site(middle) < j)
        low = middle + 1;
      else
        high = middle;
    }
    return low < end && entry_site(low) == j ? entry_coupling(low) : Number{0};
  }

  /// a_i in units.
  Number linear(Site i) const { return static_cast<Number>(linear_[i]); }

  std::size_t degree(Site i) const { return row_begin_[i + std::size_t{1}] - row_begin_[i]; }

  /// A site's k-th neighbour.
  Site neighbour(Site i, std::size_t k) const { return entry_site(row_begin_[i] + k); }
  /// Its coupling to that neighbour.
  Number neighbour_coupling(Site i, std::size_t k) const {
    return entry_coupling(row_begin_[i] + k);
  }

 private:
  static constexpr Site word_sites = Site{1} << 24;

  static Number coupling_of(std::uint32_t word) {
    return static_cast<Number>(static_cast<std::int8_t>(word & 0xffU));
  }
  Site entry_site(std::size_t k) const { return words_.empty() ? neighbours_[k] : words_[k] >> 8; }
  Number entry_coupling(std::size_t k) const {
    return words_.empty() ? couplings_[k] : coupling_of(words_[k]);
  }

  /// Calls visit(neighbour, coupling) for all entries row by row, until it says false.
  template <class Visit>
  bool for_each_entry(const Bits& reference, Visit&& visit) const {
    for (Site i = 0; i < model_->sites(); ++i) {
      const QuadraticModel::Row row = model_->row(i);
      for (std::size_t k = 0; k < row.sites.size(); ++k) {
        const Site j = row.sites[k];
        if (!visit(j, to_number(framed_coupling(model_->convention(), reference[i], reference[j],
                                                row.values[k]))))
          return false;
      }
    }
    return true;
  }

  /// Fills words_; false, and no words, when a coupling does not fit.
  bool pack(const Bits& reference) {
    reserve_large(words_, row_begin_.back());
    const bool fits = for_each_entry(reference, [&](Site j, Number coupling) {
      if (coupling < -128 || coupling > 127) return false;
      words_.push_back(j << 8 | (static_cast<std::uint32_t>(coupling) & 0xffU));
      return true;
    });
    if (!fits) words_ = {};
    return fits;
  }

  Number to_number(double value) const {
    if constexpr (exact)
      return static_cast<Number>(std::llround(value / quantum_));
    else
      return value;
  }

  std::shared_ptr<const QuadraticModel> model_;
  double quantum_;
  long long max_field_;
  PackedNumbers linear_;                      // whole numbers of units
  std::span<const std::uint32_t> row_begin_;  // the model's
  std::vector<std::uint32_t> words_;          // neighbour << 8 | coupling, or empty:
  std::vector<Site> neighbours_;              // then these two
  std::vector<Number> couplings_;
};

}  // namespace nhot
