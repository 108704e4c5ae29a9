// A quadratic model of binary variables: Ising or QUBO, as the user wrote it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nhot/base/packed_numbers.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/fixed_point.hpp"

namespace nhot {

/// What a variable's value is in the energy: v = 2x - 1 (spin) or v = x (binary), x the site's bit.
enum class Convention { spin, binary };

/// The largest model: what the memory of a large machine holds. Also stops a wrong number in a file
/// from asking for all memory.
inline constexpr Site max_sites = Site{1} << 28;

/// The most couplings: entries, two a coupling, have 32-bit indices.
inline constexpr std::size_t max_couplings = (std::size_t{1} << 31) - 1;

/// One term value * v_i * v_j.
struct Coupling {
  Site i;
  Site j;
  double value;
};

/// The terms of a model as a file or a generator gives them: any order, duplicates allowed.
struct QuadraticTerms {
  Site sites = 0;
  Convention convention = Convention::spin;
  double offset = 0;
  std::vector<double> linear;  // empty (all zero) or one per site
  std::vector<Coupling>
      couplings;  // i == j: spin adds to the offset (v^2 = 1), binary to linear (v^2 = v)
};

/// E(x) = offset + sum_i linear_i v_i + sum_{i<j} q_ij v_i v_j, with symmetric sparse couplings.
///
/// Duplicated couplings are summed and terms that sum to zero are dropped. Values are finite, and
/// so is the energy of every state; anything else is refused with the place. Building takes time
/// and memory linear in sites + couplings; what stays is 4 bytes a site, 8 a coupling, and the
/// PackedNumbers.
///
/// The values stay as they were given; the energy sums them on the grid of fixed_point().
class QuadraticModel {
 public:
  explicit QuadraticModel(QuadraticTerms terms);

  Site sites() const { return sites_; }
  Convention convention() const { return convention_; }
  double offset() const { return offset_; }
  PackedNumbers::View linear() const { return linear_.all(); }
  /// Number of coupled pairs.
  std::size_t couplings() const { return columns_.size() / 2; }
  /// How many coupling entries of the terms were merged into an earlier one.
  std::size_t merged() const { return merged_; }

  struct Row {
    std::span<const Site> sites;
    PackedNumbers::View values;
  };
  /// Neighbours of a site in increasing order, with the couplings.
  Row row(Site i) const {
    const std::size_t begin = row_begin_[i];
    const std::size_t size = row_begin_[i + 1] - begin;
    return {{columns_.data() + begin, size}, values_.slice(begin, size)};
  }
  /// Where the row of each site begins in an array of all rows, and where the last one ends.
  std::span<const std::uint32_t> row_begin() const { return row_begin_; }

  const FixedPoint& fixed_point() const { return fixed_point_; }

  /// The energy from scratch, without the offset, in units of fixed_point(): exact.
  std::int64_t energy_units(std::span<const Bit> bits) const;
  /// The same as an energy, offset included.
  double energy(std::span<const Bit> bits) const {
    return offset_ + fixed_point_.unit() * static_cast<double>(energy_units(bits));
  }

  /// The terms again: sorted, each pair once with i < j.
  QuadraticTerms terms() const;

 private:
  Site sites_;
  Convention convention_;
  double offset_;
  PackedNumbers linear_;
  std::vector<std::uint32_t> row_begin_;
  std::vector<Site> columns_;
  PackedNumbers values_;
  std::size_t merged_ = 0;
  FixedPoint fixed_point_;
};

/// The same energies in the wanted convention. Halving and quartering are exact (but for numbers
/// below 1e-307); sums are rounded once per site, from a compensated sum. `rounded`, when given,
/// counts the values that are not exact: 0 means that no energy changed at all.
QuadraticTerms convert(const QuadraticModel& model, Convention wanted,
                       std::size_t* rounded = nullptr);

}  // namespace nhot
