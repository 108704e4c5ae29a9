// A sparse quadratic model in the frame of a reference, laid out for the hot loop.
#pragma once

#include <algorithm>
#include <array>
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
#include "nhot/model/row_patterns.hpp"
#include "nhot/model/row_search.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// Number is double for real couplings, or std::int32_t when everything lies on a grid: then
/// fields, energies and classes are integers in units of the quantum. Sums of doubles are exact,
/// too: all are multiples of one power of two (FixedPoint). Flipping a site costs O(degree).
///
/// Where indices have at most 24 bits and couplings 8, which is most grids, a neighbour and its
/// coupling share one 4-byte word. Where rows repeat, as on lattices, a site has the two-byte index
/// of a pattern and no row of its own; in models that fit into the caches, only where at least half
/// of the sites share one pattern of four neighbours.
template <class Number>
class SparseKernel {
  /// The commonest row, where it has four neighbours: sites i + offset, modulo 2^32.
  struct CommonRow {
    std::array<Site, 4> offsets{};
    std::array<std::int32_t, 4> couplings{};
    std::uint16_t number = 0;  // index of the pattern
  };

 public:
  using Field = Number;
  static constexpr bool exact = std::is_integral_v<Number>;

  /// For integers: the grid of the model; for doubles: a default Grid.
  SparseKernel(std::shared_ptr<const QuadraticModel> model, const Bits& reference, Grid grid)
      : model_(std::move(model)),
        sites_(model_->sites()),
        grid_units_(exact ? grid.units : 1),
        quantum_(exact ? model_->fixed_point().unit() * static_cast<double>(grid.units) : 1.0),
        max_field_(grid.max_field),
        energies_(model_->offset(), model_->fixed_point(), model_->energy_units(reference),
                  exact ? grid.units : 1, exact ? 1 : model_->fixed_point().steps_per_unit()) {
    NHOT_EXPECTS(!exact || grid.useful());
    row_begin_ = model_->row_begin();
    std::vector<double> linear;
    linear.reserve(sites_);
    for (const std::int64_t a : framed_linear(*model_, reference))
      linear.push_back(static_cast<double>(to_number(a)));
    linear_ = PackedNumbers(std::move(linear));
    Number largest = 0;
    for_each_entry(reference,
                   [&](Site, Number coupling) { largest = std::max(largest, std::abs(coupling)); });
    if (exact && sites_ <= word_sites && largest <= 127) {
      if (!find_patterns(reference)) {
        reserve_large(words_, row_begin_.back());
        for_each_entry(reference, [&](Site j, Number coupling) {
          words_.push_back(to_word(j, static_cast<std::int32_t>(coupling)));
        });
        own_length_ = common_length();
      }
      return;
    }
    neighbours_.reserve(row_begin_.back());
    couplings_.reserve(row_begin_.back());
    for_each_entry(reference, [&](Site j, Number coupling) {
      neighbours_.push_back(j);
      couplings_.push_back(coupling);
    });
    if (!exact) own_length_ = common_length();
  }

  Site sites() const { return model_->sites(); }
  /// Energy of one unit of Field.
  double quantum() const { return quantum_; }
  /// Largest |field| in any state, in units; meaningful for integers.
  std::int64_t max_field() const { return max_field_; }

  /// From whole numbers of energy_step() to energies.
  const EnergyScale& energies() const { return energies_; }
  double energy_step() const { return exact ? quantum_ : model_->fixed_point().step(); }

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
    Number* const field = fields.data();
    const Number sign = now ? Number{1} : Number{-1};
    visit_row(i, [&](Site j, Number coupling) NHOT_INLINE_LAMBDA {
      const Number shift = sign * coupling;
      field[j] += shift;
      changed(j, shift);
    });
  }

  /// Whether the row of a site is the commonest one, for Rows::visit_common().
  bool has_common_row(Site i) const {
    return has_common_row_ && patterns_[i] == common_row_.number;
  }

  /// Register copy of what finding a row reads, for loops: no store of the loop can alias it.
  class Rows {
   public:
    explicit Rows(const SparseKernel& kernel)
        : kernel_(&kernel),
          patterns_(kernel.has_common_row_ ? kernel.patterns_.data() : nullptr),
          common_(kernel.common_row_),
          own_words_(kernel.words_.data()),
          neighbours_(kernel.neighbours_.data()),
          couplings_(kernel.couplings_.data()),
          own_length_(kernel.own_length_) {}

    /// Calls visit(j, coupling) for the neighbours of a site.
    template <class Visit>
    NHOT_ALWAYS_INLINE void visit(Site i, Visit&& visit) const {
      if constexpr (exact) {
        // A predicted branch: the addresses of the neighbours are known before the pattern is
        // loaded.
        if (patterns_ && patterns_[i] == common_.number) [[likely]]
          return visit_common(i, visit);
      }
      // Lattices of two and three dimensions: all rows have one length, a compile-time constant.
      if (own_length_ == 6) return visit_own<6>(i, visit);
      if (own_length_ == 4) return visit_own<4>(i, visit);
      kernel_->visit_any_row(i, visit);
    }

    /// The same for a site that has the common row.
    template <class Visit>
    NHOT_ALWAYS_INLINE void visit_common(Site i, Visit&& visit) const {
      NHOT_UNROLL(4)
      for (std::size_t k = 0; k < 4; ++k)
        visit(i + common_.offsets[k], static_cast<Number>(common_.couplings[k]));
    }

   private:
    template <std::size_t length, class Visit>
    NHOT_ALWAYS_INLINE void visit_own(Site i, Visit&& visit) const {
      if constexpr (exact) {
        const std::uint32_t* const row = own_words_ + length * i;
        NHOT_UNROLL(6)
        for (std::size_t k = 0; k < length; ++k) visit(row[k] >> 8, coupling_of(row[k]));
      } else {
        const Site* const neighbours = neighbours_ + length * i;
        const Number* const couplings = couplings_ + length * i;
        NHOT_UNROLL(6)
        for (std::size_t k = 0; k < length; ++k) visit(neighbours[k], couplings[k]);
      }
    }

    const SparseKernel* kernel_;
    const std::uint16_t* patterns_;  // null: no common row
    CommonRow common_;
    const std::uint32_t* own_words_;
    const Site* neighbours_;
    const Number* couplings_;
    std::size_t own_length_;
  };

  /// Calls visit(j, coupling) for the neighbours of a site.
  template <class Visit>
  NHOT_ALWAYS_INLINE void visit_row(Site i, Visit&& visit) const {
    Rows(*this).visit(i, visit);
  }

  /// Q_ij, zero when not coupled. Short rows are scanned, others bisected.
  NHOT_ALWAYS_INLINE Number coupling(Site i, Site j) const {
    if constexpr (exact) {
      if (!words_.empty()) [[likely]] {
        const WordRow row = word_row(i);
        if (row.end - row.begin <= 8) [[likely]]
          return find_coupling(row.begin, row.end, to_word(j - row.base, 0));
      }
    } else if (own_length_ >= 4 && own_length_ <= 8) {
      const std::size_t begin = own_length_ * i;
      const std::size_t found = find_site(neighbours_.data() + begin, own_length_, j);
      return found < own_length_ ? couplings_[begin + found] : Number{0};
    }
    std::size_t low = 0;
    std::size_t high = degree(i);
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (neighbour(i, middle) < j)
        low = middle + 1;
      else
        high = middle;
    }
    return low < degree(i) && neighbour(i, low) == j ? neighbour_coupling(i, low) : Number{0};
  }

  /// Prefetches what finding the row of a site reads first.
  void prefetch(Site i) const {
    if (!patterns_.empty()) {
      __builtin_prefetch(patterns_.data() + i);
      return;
    }
    __builtin_prefetch(row_begin_.data() + i);
    if (own_length_ == 0) return;
    if constexpr (exact) {
      __builtin_prefetch(words_.data() + own_length_ * i);
    } else {
      __builtin_prefetch(neighbours_.data() + own_length_ * i);
      __builtin_prefetch(couplings_.data() + own_length_ * i);
    }
  }

  /// Calls visit(j) for the neighbours that i has if its row is the commonest: a guess without a
  /// load. No calls where rows do not repeat.
  template <class Visit>
  NHOT_ALWAYS_INLINE void visit_common_row(Site i, Visit&& visit) const {
    for (const std::uint32_t word : common_words_)
      if (const Site j = (i + (word >> 8)) & (word_sites - 1); j < sites_) visit(j);
  }

  /// a_i.
  Number linear(Site i) const { return static_cast<Number>(linear_[i]); }

  NHOT_ALWAYS_INLINE std::size_t degree(Site i) const {
    if (!in_words()) return row_begin_[i + std::size_t{1}] - row_begin_[i];
    const WordRow row = word_row(i);
    return static_cast<std::size_t>(row.end - row.begin);
  }

  /// A site's k-th neighbour; they are in increasing order.
  NHOT_ALWAYS_INLINE Site neighbour(Site i, std::size_t k) const {
    if (!in_words()) return neighbours_[row_begin_[i] + k];
    const WordRow row = word_row(i);
    return row.site(row.begin[k]);
  }
  /// Its coupling to that neighbour.
  NHOT_ALWAYS_INLINE Number neighbour_coupling(Site i, std::size_t k) const {
    if (!in_words()) return couplings_[row_begin_[i] + k];
    return coupling_of(word_row(i).begin[k]);
  }

 private:
  static constexpr Site word_sites = Site{1} << 24;
  static constexpr std::size_t few_words = std::size_t{1} << 15;  // that fit into the caches

  /// Whether rows are kept as words; never for real couplings.
  bool in_words() const { return exact && !words_.empty(); }

  /// Neighbours are at base + (word >> 8), modulo 2^24: base is the site itself in a pattern, and 0
  /// in a row of its own.
  struct WordRow {
    const std::uint32_t* begin;
    const std::uint32_t* end;
    Site base;
    Site site(std::uint32_t word) const { return (base + (word >> 8)) & (word_sites - 1); }
  };
  NHOT_ALWAYS_INLINE WordRow word_row(Site i) const {
    const std::uint32_t* words = words_.data();
    if (!patterns_.empty()) {
      const std::size_t pattern = patterns_[i];
      return {words + pattern_begin_[pattern], words + pattern_begin_[pattern + 1], i};
    }
    return {words + row_begin_[i], words + row_begin_[i + std::size_t{1}], 0};
  }

  template <class Visit>
  NHOT_ALWAYS_INLINE void visit_any_row(Site i, Visit&& visit) const {
    if constexpr (exact) {
      if (!words_.empty()) [[likely]] {
        const WordRow row = word_row(i);
        for (const std::uint32_t* word = row.begin; word < row.end; ++word)
          visit(row.site(*word), coupling_of(*word));
        return;
      }
    }
    const Site* const neighbours = neighbours_.data();
    const Number* const couplings = couplings_.data();
    const std::size_t end = row_begin_[i + std::size_t{1}];
    for (std::size_t k = row_begin_[i]; k < end; ++k) visit(neighbours[k], couplings[k]);
  }

  /// True when rows repeat so much that their patterns take less room.
  bool find_patterns(const Bits& reference) {
    RowPatterns found;
    reserve_large(found.numbers(), model_->sites());
    std::vector<std::uint32_t> row;
    for (Site i = 0; i < model_->sites(); ++i) {
      row.clear();
      for_each_entry_of(i, reference, [&](Site j, Number coupling) {
        row.push_back(to_word(j - i, static_cast<std::int32_t>(coupling)));
      });
      if (!found.add(row)) return false;
    }
    if (2 * found.words().size() > row_begin_.back() || found.words().empty()) return false;
    std::vector<std::size_t> uses(found.begin().size() - 1, 0);
    for (const std::uint16_t number : found.numbers()) ++uses[number];
    const auto usual =
        static_cast<std::size_t>(std::max_element(uses.begin(), uses.end()) - uses.begin());
    const bool rule_of_four =
        found.begin()[usual + 1] - found.begin()[usual] == 4 && 2 * uses[usual] >= sites_;
    if (row_begin_.back() <= few_words && !rule_of_four) return false;
    patterns_ = std::move(found.numbers());
    pattern_begin_ = std::move(found.begin());
    words_ = std::move(found.words());
    common_words_.assign(words_.begin() + pattern_begin_[usual],
                         words_.begin() + pattern_begin_[usual + 1]);
    has_common_row_ = rule_of_four;
    common_row_.number = static_cast<std::uint16_t>(usual);
    for (std::size_t k = 0; has_common_row_ && k < 4; ++k) {
      const auto offset = row_offset(common_words_[k] >> 8, word_sites, sites_);
      has_common_row_ = offset.has_value();
      common_row_.offsets[k] = offset.value_or(0);
      common_row_.couplings[k] = static_cast<std::int32_t>(coupling_of(common_words_[k]));
    }
    return true;
  }

  /// The length of all rows; 0 where they differ in length.
  std::size_t common_length() const {
    const std::size_t length = row_begin_[1] - row_begin_[0];
    for (std::size_t i = 0; i < sites_; ++i)
      if (row_begin_[i + 1] - row_begin_[i] != length) return 0;
    return length;
  }

  /// Calls visit(neighbour, coupling) for all entries, row by row.
  template <class Visit>
  void for_each_entry(const Bits& reference, Visit&& visit) const {
    for (Site i = 0; i < model_->sites(); ++i) for_each_entry_of(i, reference, visit);
  }
  template <class Visit>
  void for_each_entry_of(Site i, const Bits& reference, Visit&& visit) const {
    const QuadraticModel::Row row = model_->row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const Site j = row.sites[k];
      visit(j, to_number(framed_coupling(*model_, reference[i], reference[j], row.values[k])));
    }
  }

  Number to_number(std::int64_t units) const {
    if constexpr (exact)
      return static_cast<Number>(units / grid_units_);
    else
      return model_->fixed_point().field(units);
  }

  std::shared_ptr<const QuadraticModel> model_;
  Site sites_;
  std::int64_t grid_units_;  // of the model's fixed point, in a quantum
  double quantum_;
  std::int64_t max_field_;
  EnergyScale energies_;
  PackedNumbers linear_;                      // a_i, as fields
  std::span<const std::uint32_t> row_begin_;  // the model's
  std::vector<std::uint16_t> patterns_;       // the pattern of each row, or empty
  std::vector<std::uint32_t> pattern_begin_;  // in words_
  std::vector<std::uint32_t> words_;          // neighbour << 8 | coupling, or empty
  std::vector<std::uint32_t> common_words_;   // of the commonest pattern
  CommonRow common_row_;                      // the same, unpacked
  bool has_common_row_ = false;
  std::size_t own_length_ = 0;    // common_length() of rows that sites have of their own; else 0
  std::vector<Site> neighbours_;  // these two where words_ is empty
  std::vector<Number> couplings_;
};

}  // namespace nhot
