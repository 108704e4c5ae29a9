// What engine `dense` keeps of one run of sites: integer fields, sides, weights and their sums,
// with the copy that a walk needs to be taken back.
#pragma once

#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "nhot/base/aligned.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/select/dense_pass.hpp"

namespace nhot::dense {

/// The first k whose running sum exceeds the target, which is then reduced to the part inside k.
/// Past the end by a rounding: the last k that is not zero, and a target past its end too.
template <class At>
std::size_t descend(std::size_t count, double& target, At&& at) {
  double sum = 0;
  double below = 0;
  std::size_t k = 0;
  for (std::size_t j = 0; j < count; ++j) {  // without branches that cannot be predicted
    sum += at(j);
    const bool past = target >= sum;
    k += past;
    below = past ? sum : below;
  }
  if (k < count) [[likely]] {
    target -= below;
    return k;
  }
  target = std::numeric_limits<double>::infinity();
  do --k;
  while (k > 0 && at(k) == 0);
  return k;
}

/// A site, and the weight by which it was found.
struct Found {
  Site site;
  double weight;
};

/// Everything that a pass writes. A slot is a (group, law).
struct Cache {
  AlignedVector<std::int32_t> fields;  // padded
  AlignedVector<float> weights;        // slots x padded
  AlignedVector<float> lane_sums;      // slots x 2 x segments x 16
  AlignedVector<double> lane_totals;   // slots x 2 x 16
  AlignedVector<double> totals;        // slots x 2
};

/// Invariant: masks and row bits say the same; after a pass or evaluate_site, weights and sums are
/// those of fields and sides, to the bit whatever came before.
class RunCache {
 public:
  SiteRange range;
  std::size_t segments = 0;
  std::size_t padded = 0;                 // whole segments
  AlignedVector<SideMask> masks;          // sides x padded
  AlignedVector<std::uint16_t> row_bits;  // sides x padded / 16
  Cache cache;

  void resize(SiteRange sites, Side sides, std::size_t laws) {
    range = sites;
    laws_ = laws;
    const std::size_t slots = sides / 2 * laws;
    segments = (sites.size() + segment - 1) / segment;
    padded = segments * segment;
    masks.assign(sides * padded, 0);
    row_bits.assign(sides * padded / lanes, 0);
    cache.fields.assign(padded, 0);
    cache.weights.assign(slots * padded, 0);
    cache.lane_sums.assign(slots * 2 * segments * lanes, 0);
    cache.lane_totals.assign(slots * 2 * lanes, 0);
    cache.totals.assign(slots * 2, 0);
    kept_cache_ = cache;
    kept_ = true;
  }

  void set_side(Site i, Side side) {
    const std::size_t k = i - range.begin;
    masks[side * padded + k] = ~SideMask{0};
    masks[opposite(side) * padded + k] = 0;
    const std::size_t rows = padded / lanes;
    const auto bit = static_cast<std::uint16_t>(1U << k % lanes);
    row_bits[side * rows + k / lanes] |= bit;
    row_bits[opposite(side) * rows + k / lanes] &= static_cast<std::uint16_t>(~bit);
  }

  /// A walk begins; keep() copies the cache before the walk first changes it, take_back() returns
  /// to the copy. Sides are the caller's.
  void begin_walk() { kept_ = false; }
  void keep() {
    if (kept_) return;
    kept_ = true;
    kept_cache_ = cache;
  }
  void take_back() {
    if (kept_) std::swap(cache, kept_cache_);
    kept_ = false;
  }

  /// A slot as passes see it.
  Run slot(std::size_t index, const Law& law) {
    const auto group = static_cast<Group>(index / laws_);
    const std::size_t stride = segments * lanes;
    float* const sums = cache.lane_sums.data() + 2 * index * stride;
    double* const totals = cache.lane_totals.data() + 2 * index * lanes;
    return {cache.fields.data(),
            range.size(),
            law,
            {side_masks(agreeing(group)), side_masks(differing(group))},
            {side_bits(agreeing(group)), side_bits(differing(group))},
            cache.weights.data() + index * padded,
            {sums, sums + stride},
            {totals, totals + lanes},
            cache.totals.data() + 2 * index};
  }

  double total(std::size_t index, Side side) const { return cache.totals[2 * index + (side & 1U)]; }

  /// The weight by which find() finds a site, which must be of the side: the float weight, with
  /// what the float sum of its lane has lost or won by rounding spread over the lane.
  double weight(std::size_t index, Side side, Site i) const {
    const std::size_t k = i - range.begin;
    const std::size_t lane = k % lanes;
    const std::size_t s = k / segment;
    const double own = static_cast<double>(cache.weights[index * padded + k]);
    const double share = static_cast<double>(lane_sums(index, side)[s * lanes + lane]);
    return own * (share / lane_weights(index, side, s, lane).sum);
  }

  /// The site at a target in [0, total], with its weight().
  Found find(std::size_t index, Side side, double target) const {
    const double* totals = cache.lane_totals.data() + (2 * index + (side & 1U)) * lanes;
    const std::size_t quad = descend(lanes / 4, target, [&](std::size_t k) {
      return (totals[4 * k] + totals[4 * k + 1]) + (totals[4 * k + 2] + totals[4 * k + 3]);
    });
    const std::size_t lane =
        4 * quad + descend(4, target, [&](std::size_t k) { return totals[4 * quad + k]; });
    const float* sums = lane_sums(index, side) + lane;
    const std::size_t s = descend(
        segments, target, [&](std::size_t k) { return static_cast<double>(sums[k * lanes]); });
    const LaneWeights here = lane_weights(index, side, s, lane);
    const double share = static_cast<double>(sums[s * lanes]);
    target *= here.sum / share;
    const std::size_t row =
        descend(rows_per_segment, target, [&](std::size_t k) { return here.values[k]; });
    return {range.begin + static_cast<Site>(s * segment + row * lanes + lane),
            here.values[row] * (share / here.sum)};
  }

 private:
  /// The (at most) 8 sites of a lane of a segment, those of other sides as zeros.
  struct LaneWeights {
    std::array<double, rows_per_segment> values;
    double sum;
  };

  LaneWeights lane_weights(std::size_t index, Side side, std::size_t s, std::size_t lane) const {
    const float* weights = cache.weights.data() + index * padded + s * segment + lane;
    const SideMask* mask = side_masks(side) + s * segment + lane;
    LaneWeights result;
    for (std::size_t r = 0; r < rows_per_segment; ++r) {
      const auto bits = std::bit_cast<std::uint32_t>(weights[r * lanes]) & mask[r * lanes];
      result.values[r] = static_cast<double>(std::bit_cast<float>(bits));
    }
    const auto& v = result.values;
    result.sum = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
    return result;
  }

  const float* lane_sums(std::size_t index, Side side) const {
    return cache.lane_sums.data() + (2 * index + (side & 1U)) * segments * lanes;
  }
  const SideMask* side_masks(Side side) const { return masks.data() + side * padded; }
  const std::uint16_t* side_bits(Side side) const {
    return row_bits.data() + side * padded / lanes;
  }

  std::size_t laws_ = 0;
  Cache kept_cache_;
  bool kept_ = true;
};

}  // namespace nhot::dense
