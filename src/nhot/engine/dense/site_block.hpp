// What engine `dense` keeps of one run of sites: integer fields, sides, weights and their sums,
// with the copy that a rollback needs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <vector>

#include "nhot/base/aligned.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/engine/dense/pass.hpp"
#include "nhot/engine/eight_spans.hpp"
#include "nhot/model/dense_kernel.hpp"

namespace nhot::dense {

/// A site, and the weight by which it was found.
struct Found {
  Site site;
  double weight;
};

/// Everything that a pass writes. A slot is a (group, formula).
struct Cache {
  AlignedVector<std::int32_t> fields;  // padded
  AlignedVector<float> weights;        // slots x padded
  AlignedVector<float> lane_sums;      // slots x 2 x (segments rounded up to 8) x 16
  AlignedVector<double> lane_totals;   // slots x 2 x 16
  AlignedVector<double> totals;        // slots x 2

  /// Into arrays of the same sizes, which stay where they are.
  void copy_to(Cache& other) const {
    std::copy(fields.begin(), fields.end(), other.fields.begin());
    std::copy(weights.begin(), weights.end(), other.weights.begin());
    std::copy(lane_sums.begin(), lane_sums.end(), other.lane_sums.begin());
    std::copy(lane_totals.begin(), lane_totals.end(), other.lane_totals.begin());
    std::copy(totals.begin(), totals.end(), other.totals.begin());
  }
};

/// Invariant: masks and row bits say the same; after a pass or evaluate_site, weights and sums are
/// those of fields and sides, to the bit whatever came before.
class SiteBlockCache {
 public:
  SiteBlockCache() = default;
  // Slots point into the arrays: they survive a move, but those of a copy would point into the
  // original.
  SiteBlockCache(SiteBlockCache&&) noexcept = default;
  SiteBlockCache& operator=(SiteBlockCache&&) noexcept = default;
  SiteBlockCache(const SiteBlockCache&) = delete;
  SiteBlockCache& operator=(const SiteBlockCache&) = delete;
  ~SiteBlockCache() = default;

  /// No site on any side; slots are numbered group by group, with all formulas for each.
  void resize(SiteRange sites, Side sides, std::span<const WeightFormula> formulas) {
    range_ = sites;
    segments_ = (sites.size() + segment - 1) / segment;
    padded_ = segments_ * segment;
    const std::size_t slots = sides / 2 * formulas.size();
    masks_.assign(sides * padded_, 0);
    row_bits_.assign(sides * padded_ / lanes, 0);
    current_ = 0;
    kept_ = true;
    for (std::size_t c = 0; c < 2; ++c) {
      Cache& cache = caches_[c];
      cache.fields.assign(padded_, 0);
      cache.weights.assign(slots * padded_, 0);
      cache.lane_sums.assign(slots * 2 * sums_of_side(), 0);
      cache.lane_totals.assign(slots * 2 * lanes, 0);
      cache.totals.assign(slots * 2, 0);
      slots_[c].clear();
      for (std::size_t index = 0; index < slots; ++index)
        slots_[c].push_back(make_slot(cache, index, formulas));
    }
  }

  SiteRange range() const { return range_; }
  /// Padded to whole segments.
  std::int32_t* fields() { return caches_[current_].fields.data(); }
  const std::int32_t* fields() const { return caches_[current_].fields.data(); }

  void set_side(Site i, Side side) {
    const std::size_t k = i - range_.begin;
    masks_[side * padded_ + k] = ~SideMask{0};
    masks_[opposite(side) * padded_ + k] = 0;
    const std::size_t rows = padded_ / lanes;
    const auto bit = static_cast<std::uint16_t>(1U << k % lanes);
    row_bits_[side * rows + k / lanes] |= bit;
    row_bits_[opposite(side) * rows + k / lanes] &= static_cast<std::uint16_t>(~bit);
  }

  /// Sides and fields of a run of the same sites and sides.
  void take_state_of(const SiteBlockCache& other) {
    NHOT_EXPECTS(padded_ == other.padded_ && masks_.size() == other.masks_.size());
    std::copy(other.masks_.begin(), other.masks_.end(), masks_.begin());
    std::copy(other.row_bits_.begin(), other.row_bits_.end(), row_bits_.begin());
    std::copy_n(other.fields(), padded_, fields());
  }

  /// A walk begins; keep() copies the cache before the walk first changes it, take_back() returns
  /// to the copy. The caller restores the sides.
  void begin_walk() { kept_ = false; }
  void keep() {
    if (!kept_) make_copy();
  }
  void take_back() {
    if (kept_) current_ ^= 1U;
    kept_ = false;
  }

  /// As passes see it.
  const SiteBlock& slot(std::size_t index) const {
    NHOT_EXPECTS(index < slots_[current_].size());
    return slots_[current_][index];
  }

  double total(std::size_t index, Side side) const {
    return caches_[current_].totals[2 * index + (side & 1U)];
  }

  /// The weight by which find() finds site i, which must be of the side: w_i * s / S, with s the
  /// float sum of its lane in its segment and S the same sum in double.
  double weight(std::size_t index, Side side, Site i) const {
    const SiteBlock& run = slot(index);
    const std::size_t k = i - range_.begin;
    const std::size_t lane = k % lanes;
    const std::size_t s = k / segment;
    const double own = static_cast<double>(run.weights[k]);
    const double share = static_cast<double>(run.lane_sums[side & 1U][s * lanes + lane]);
    const LaneWeights here(run, side & 1U, s, lane);
    return own * (share / sum_of_eight(here.values));
  }

  /// The site at a target in [0, total], with its weight(). Branches on the target would be
  /// mispredicted: up to 1024 sites there are none.
  Found find(std::size_t index, Side side, double target) const {
    const SiteBlock& run = slot(index);
    const unsigned kind = side & 1U;
    const double* totals = run.lane_totals[kind];
    double pairs[eight];
    for (std::size_t k = 0; k < eight; ++k) pairs[k] = totals[k] + totals[k + eight];
    std::size_t lane = find_in_eight(pairs, target);
    const double first = totals[lane];
    const bool second =
        static_cast<unsigned>(target >= first) & static_cast<unsigned>(totals[lane + eight] > 0);
    target -= second ? first : 0;
    lane += second ? eight : 0;

    const float* sums = run.lane_sums[kind] + lane;
    const std::size_t s = find_segment(sums, target);
    const LaneWeights here(run, kind, s, lane);
    const double share = static_cast<double>(sums[s * lanes]);
    const double sum = sum_of_eight(here.values);
    // Spans value * share / sum and target, both times sum: no division to wait for.
    double parts[rows_per_segment];
    for (std::size_t r = 0; r < rows_per_segment; ++r) parts[r] = here.values[r] * share;
    target *= sum;
    const std::size_t row = find_in_eight(parts, target);
    return {range_.begin + static_cast<Site>(s * segment + row * lanes + lane),
            here.values[row] * (share / sum)};
  }

 private:
  static_assert(lanes == 2 * eight && rows_per_segment == eight);

  /// Weights of the 8 sites of a lane in a segment, zero for those of other sides.
  struct LaneWeights {
    LaneWeights(const SiteBlock& run, unsigned kind, std::size_t s, std::size_t lane) {
      const float* weights = run.weights + s * segment + lane;
      const SideMask* mask = run.masks[kind] + s * segment + lane;
      for (std::size_t r = 0; r < rows_per_segment; ++r) {
        const auto bits = std::bit_cast<std::uint32_t>(weights[r * lanes]) & mask[r * lanes];
        values[r] = static_cast<double>(std::bit_cast<float>(bits));
      }
    }
    double values[rows_per_segment];
  };

  /// Sums of a lane in eight segments.
  struct LaneSums {
    explicit LaneSums(const float* sums) {
      for (std::size_t k = 0; k < eight; ++k) values[k] = static_cast<double>(sums[k * lanes]);
    }
    double values[eight];
  };

  std::size_t find_segment(const float* sums, double& target) const {
    if (segments_ <= eight) return find_in_eight(LaneSums(sums).values, target);
    std::size_t found = 0;
    double left = target;
    for (std::size_t s = 0; s < segments_; s += eight) {
      const double sum = sum_of_eight(LaneSums(sums + s * lanes).values);
      // Skips sums of zero; past the end by rounding, takes the last that is positive.
      if (sum > 0) {
        found = s;
        left = target;
        if (target < sum) break;
      }
      target -= sum;
    }
    target = left;
    return found + find_in_eight(LaneSums(sums + found * lanes).values, target);
  }

  /// Number of lane sums of a side, padded to a multiple of eight segments.
  std::size_t sums_of_side() const { return (segments_ + eight - 1) / eight * eight * lanes; }

  SiteBlock make_slot(Cache& cache, std::size_t index,
                      std::span<const WeightFormula> formulas) const {
    const auto group = static_cast<Group>(index / formulas.size());
    const std::size_t stride = sums_of_side();
    float* const sums = cache.lane_sums.data() + 2 * index * stride;
    double* const totals = cache.lane_totals.data() + 2 * index * lanes;
    return {cache.fields.data(),
            range_.size(),
            formulas[index % formulas.size()],
            {side_masks(agreeing(group)), side_masks(differing(group))},
            {side_bits(agreeing(group)), side_bits(differing(group))},
            cache.weights.data() + index * padded_,
            {sums, sums + stride},
            {totals, totals + lanes},
            cache.totals.data() + 2 * index};
  }

  const SideMask* side_masks(Side side) const { return masks_.data() + side * padded_; }
  const std::uint16_t* side_bits(Side side) const {
    return row_bits_.data() + side * padded_ / lanes;
  }

  [[gnu::noinline]] void make_copy() {
    caches_[current_].copy_to(caches_[current_ ^ 1U]);
    kept_ = true;
  }

  SiteRange range_;
  std::size_t segments_ = 0;
  std::size_t padded_ = 0;                 // whole segments
  AlignedVector<SideMask> masks_;          // sides x padded
  AlignedVector<std::uint16_t> row_bits_;  // sides x padded / 16
  std::array<Cache, 2> caches_;            // the current one, and the other: a copy where kept_
  std::array<std::vector<SiteBlock>, 2> slots_;  // of either cache
  unsigned current_ = 0;
  bool kept_ = true;
};

}  // namespace nhot::dense
