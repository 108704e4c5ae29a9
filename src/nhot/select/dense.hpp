// Engine `dense`: for models in which a flip changes whole runs of fields. One fused pass over the
// touched run moves the fields and recomputes weights and sums, with SIMD (dense_pass.hpp).
//
// The law of a selection is exactly what it does: site i is found with probability
// weight(i) / total, where weight() is the float weight times a factor within 1e-6 of 1 that makes
// good for the roundings of the float sums above it. The acceptance of a walk is computed from
// weight() and total(), which depend on the state alone, and from the true energy, so that the
// precision of floats costs a little acceptance at most, and no exactness.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "nhot/base/aligned.hpp"
#include "nhot/base/bytes.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/select/dense_pass.hpp"
#include "nhot/select/scan.hpp"

namespace nhot {

/// O(run) per flip, O(16 + run / 128 + 8) per selection. Sums are recomputed, never updated, so
/// they do not drift. A walk that is taken back costs one copy of every run that it touched.
template <class Kernel>
class DenseEngine {
 public:
  static constexpr const char* name = "dense";
  /// Flips move the fields too; walks are begun and taken back through the engine.
  static constexpr bool moves_fields = true;
  /// The acceptance must use weight(), not the formula of the bias.
  static constexpr bool rounds_weights = true;

  DenseEngine(const Configuration<Kernel>& c, WeightPalette palette)
      : passes_(dense::passes(simd_path())) {
    set_palette(c, std::move(palette));
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    palette_ = std::move(palette);
    choose_laws();
    double largest = 0;
    for (Side kind = 0; kind < 2; ++kind)
      for (unsigned e = 0; e < palette_.entries(kind); ++e)
        largest = std::max(largest, std::abs(palette_(kind, e).gamma));
    in_float_range_ = c.kernel->field_bound() <= 1e25 && largest <= 1e10;
    for (unsigned r = 0; r < Kernel::runs; ++r)
      runs_[r].resize(c.kernel->run(r), c.shell->groups(), laws_.size());
    rebuild(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      RunCache& run = runs_[r];
      std::fill(run.masks.begin(), run.masks.end(), 0);
      for (Site i = run.range.begin; i < run.range.end; ++i) set_mask(c, run, i);
      run.kept = true;
      if (!in_float_range_) continue;
      // A pass without a row only reads the fields.
      auto* fields = const_cast<double*>(c.fields.data()) + run.range.begin;
      for (std::size_t slot = 0; slot < slots(c); ++slot) passes_.evaluate(view(run, slot, fields));
    }
  }

  /// Brings fields, weights and sums up to date after u_i has changed.
  void flip(Configuration<Kernel>& c, Site i) {
    const unsigned touched = c.kernel->touched_run(i);
    const unsigned own = c.kernel->run_of(i);
    RunCache& run = runs_[touched];
    keep(c, run);
    if (own != touched) keep(c, runs_[own]);
    set_mask(c, runs_[own], i);
    if (!in_float_range_) [[unlikely]] {
      c.kernel->apply_flip(i, c.u[i], c.fields);
      return;
    }
    double* fields = c.fields.data() + run.range.begin;
    passes_.add_and_evaluate(view(run, 0, fields), c.kernel->row(i), c.u[i] == 0);
    for (std::size_t slot = 1; slot < slots(c); ++slot) passes_.evaluate(view(run, slot, fields));
    if (own == touched) return;
    RunCache& home = runs_[own];
    const std::size_t first = c.shell->group_of(i) * laws_.size();
    for (std::size_t law = 0; law < laws_.size(); ++law)
      dense::evaluate_site(view(home, first + law, c.fields.data() + home.range.begin),
                           i - home.range.begin);
  }

  void begin_walk() {
    for (RunCache& run : runs_) run.kept = false;
  }

  /// Takes back all flips since begin_walk(), with fields; the bits are back already. `path` names
  /// at least the sites that were flipped.
  template <class Path>
  void rollback(Configuration<Kernel>& c, const Path& path) {
    for (const Site i : path) set_mask(c, runs_[c.kernel->run_of(i)], i);
    for (RunCache& run : runs_) {
      if (!run.kept) continue;
      std::copy(run.kept_fields.begin(), run.kept_fields.end(), c.fields.begin() + run.range.begin);
      std::swap(run.sums, run.kept_sums);
      run.kept = false;
    }
  }

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    const double sum = float_total(side, entry);
    if (trusted(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(c, side, palette_(side, entry));
  }

  /// The weight by which select() finds a site of the side.
  Mass weight(const Configuration<Kernel>& c, Side side, unsigned entry, Site i) const {
    if (!trusted(float_total(side, entry))) [[unlikely]]
      return {1, palette_(side, entry).log_weight(c.delta_energy(i))};
    const RunCache& run = runs_[c.kernel->run_of(i)];
    const std::size_t slot = slot_of(side, entry);
    const std::size_t k = i - run.range.begin;
    const std::size_t lane = k % dense::lanes;
    const std::size_t s = k / dense::segment;
    const LaneWeights here = lane_weights(run, slot, side, s, lane);
    const double share = run.lane_sums(slot, side & 1U)[s * dense::lanes + lane];
    return {here.values[k % dense::segment / dense::lanes] * (share / here.sum), 0};
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    if (total.log_scale != 0 || !trusted(float_total(side, entry))) [[unlikely]]
      return scan::scaled_select(c, draws, side, palette_(side, entry), total);
    return draws.locate(total.value,
                        [&](double target) { return find(slot_of(side, entry), side, target); });
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// The (at most) 8 sites of a lane of a segment, those of other sides as zeros.
  struct LaneWeights {
    std::array<double, dense::rows_per_segment> values;
    double sum;
  };

  /// Weights and sums of a run, slot by slot; a slot is a (group, law).
  struct Sums {
    AlignedVector<float> weights;       // slots x padded
    AlignedVector<float> lane_sums;     // slots x 2 x segments x 16
    AlignedVector<double> lane_totals;  // slots x 2 x 16
    AlignedVector<double> totals;       // slots x 2
  };

  struct RunCache {
    SiteRange range;
    std::size_t padded = 0;                // whole segments
    std::size_t segments = 0;              // padded / 128
    AlignedVector<dense::SideMask> masks;  // groups x 2 x padded
    Sums sums;
    // As they were at begin_walk(), once a flip has touched the run.
    bool kept = true;
    Sums kept_sums;
    AlignedVector<double> kept_fields;

    void resize(SiteRange sites, Group groups, std::size_t laws) {
      range = sites;
      segments = (sites.size() + dense::segment - 1) / dense::segment;
      padded = segments * dense::segment;
      masks.assign(2 * groups * padded, 0);
      const std::size_t slots = groups * laws;
      sums.weights.assign(slots * padded, 0);
      sums.lane_sums.assign(slots * 2 * segments * dense::lanes, 0);
      sums.lane_totals.assign(slots * 2 * dense::lanes, 0);
      sums.totals.assign(slots * 2, 0);
      kept_sums = sums;
      kept_fields.assign(sites.size(), 0);
    }
    const float* lane_sums(std::size_t slot, unsigned kind) const {
      return sums.lane_sums.data() + (2 * slot + kind) * segments * dense::lanes;
    }
    const double* lane_totals(std::size_t slot, unsigned kind) const {
      return sums.lane_totals.data() + (2 * slot + kind) * dense::lanes;
    }
    const dense::SideMask* side_masks(Side side) const { return masks.data() + side * padded; }
  };

  /// Entries of the two kinds of side share a law, and so a pass, when they have one bias.
  void choose_laws() {
    laws_.clear();
    law_of_ = {};
    const unsigned longest = std::max(palette_.entries(0), palette_.entries(1));
    for (unsigned e = 0; e < longest; ++e) {
      const bool both = e < palette_.entries(0) && e < palette_.entries(1);
      if (both && palette_(0, e).bias == palette_(1, e).bias) {
        for (auto& list : law_of_) list.push_back(laws_.size());
        laws_.emplace_back(palette_(0, e), palette_(1, e));
        continue;
      }
      for (Side kind = 0; kind < 2; ++kind) {
        if (e >= palette_.entries(kind)) continue;
        law_of_[kind].push_back(laws_.size());
        laws_.emplace_back(palette_(kind, e), palette_(kind, e));
      }
    }
  }

  std::size_t slots(const Configuration<Kernel>& c) const {
    return c.shell->groups() * laws_.size();
  }
  std::size_t slot_of(Side side, unsigned entry) const {
    return side / 2 * laws_.size() + law_of_[side & 1U][entry];
  }

  static void set_mask(const Configuration<Kernel>& c, RunCache& run, Site i) {
    const Side side = c.side(i);
    const std::size_t k = i - run.range.begin;
    run.masks[side * run.padded + k] = ~dense::SideMask{0};
    run.masks[opposite(side) * run.padded + k] = 0;
  }

  /// Keeps a copy of a run when a walk first touches it.
  static void keep(const Configuration<Kernel>& c, RunCache& run) {
    if (run.kept) return;
    run.kept = true;
    std::copy(c.fields.begin() + run.range.begin, c.fields.begin() + run.range.end,
              run.kept_fields.begin());
    run.kept_sums = run.sums;
  }

  dense::Run view(RunCache& run, std::size_t slot, double* fields) const {
    const std::size_t group = slot / laws_.size();
    const std::size_t stride = run.segments * dense::lanes;
    float* const lane_sums = run.sums.lane_sums.data() + 2 * slot * stride;
    double* const lane_totals = run.sums.lane_totals.data() + 2 * slot * dense::lanes;
    return {fields,
            run.range.size(),
            laws_[slot % laws_.size()],
            {run.side_masks(agreeing(static_cast<Group>(group))),
             run.side_masks(differing(static_cast<Group>(group)))},
            run.sums.weights.data() + slot * run.padded,
            {lane_sums, lane_sums + stride},
            {lane_totals, lane_totals + dense::lanes},
            run.sums.totals.data() + 2 * slot};
  }

  double float_total(Side side, unsigned entry) const {
    const std::size_t slot = slot_of(side, entry);
    double sum = 0;
    for (const RunCache& run : runs_) sum += run.sums.totals[2 * slot + (side & 1U)];
    return sum;
  }

  /// False when weights that were cut to the range of floats may matter: then everything is
  /// computed again, slowly and for any range.
  bool trusted(double total) const { return in_float_range_ && total > 0x1p-80 && total < 0x1p120; }

  LaneWeights lane_weights(const RunCache& run, std::size_t slot, Side side, std::size_t s,
                           std::size_t lane) const {
    const float* weights = run.sums.weights.data() + slot * run.padded + s * dense::segment + lane;
    const dense::SideMask* masks = run.side_masks(side) + s * dense::segment + lane;
    LaneWeights result{};
    for (std::size_t r = 0; r < dense::rows_per_segment; ++r)
      result.values[r] = masks[r * dense::lanes] != 0 ? weights[r * dense::lanes] : 0.0F;
    for (const double w : result.values) result.sum += w;
    return result;
  }

  /// The first k whose running sum exceeds the target, which is then reduced to the part inside k.
  /// Past the end by a rounding: the last k that is not zero, and a target past its end too.
  template <class At>
  static std::size_t descend(std::size_t count, double& target, At&& at) {
    double sum = 0;
    double below = 0;
    std::size_t k = 0;
    for (std::size_t j = 0; j < count; ++j) {
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

  Site find(std::size_t slot, Side side, double target) const {
    const unsigned kind = side & 1U;
    const std::size_t r = descend(
        Kernel::runs, target, [&](std::size_t k) { return runs_[k].sums.totals[2 * slot + kind]; });
    const RunCache& run = runs_[r];
    const double* totals = run.lane_totals(slot, kind);
    const std::size_t lane =
        descend(dense::lanes, target, [&](std::size_t k) { return totals[k]; });
    const float* sums = run.lane_sums(slot, kind) + lane;
    const std::size_t s = descend(run.segments, target, [&](std::size_t k) {
      return static_cast<double>(sums[k * dense::lanes]);
    });
    const LaneWeights here = lane_weights(run, slot, side, s, lane);
    target *= here.sum / static_cast<double>(sums[s * dense::lanes]);
    const std::size_t row =
        descend(dense::rows_per_segment, target, [&](std::size_t k) { return here.values[k]; });
    return run.range.begin + static_cast<Site>(s * dense::segment + row * dense::lanes + lane);
  }

  WeightPalette palette_;
  dense::Passes passes_;
  bool in_float_range_ = true;
  std::vector<dense::Law> laws_;
  std::array<std::vector<std::size_t>, 2> law_of_;  // by kind of side, then entry
  std::array<RunCache, Kernel::runs> runs_;
};

}  // namespace nhot
