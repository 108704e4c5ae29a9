// Engine `dense`: for models in which a flip changes whole runs of fields. One fused pass over the
// touched run moves integer fields and recomputes weights and sums, with SIMD (dense_pass.hpp).
//
// The law of a selection is exactly what it does: site i is found with probability
// weight(i) / total, where weight() is the float weight times a factor within 1e-6 of 1 that makes
// good for the roundings of the float sums above it. The acceptance of a walk is computed from
// weight() and total(), which depend on the state alone, and from the true energy, so that the
// precision of weights costs a little acceptance at most, and no exactness.
//
// The true fields, in double, do not serve to select. Inside a walk the cost of a step follows from
// the field at the start and the couplings to the sites flipped since; the fields themselves move
// when the walk is accepted. A rejected walk never touches them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
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
  /// The engine takes walks back itself.
  static constexpr bool walks = true;
  /// The acceptance must use weight(), not the formula of the bias.
  static constexpr bool rounds_weights = true;

  DenseEngine(const Configuration<Kernel>& c, WeightPalette palette)
      : passes_(dense::passes(simd_path())) {
    // Fields span at most 2^30 quanta.
    int exponent = 0;
    std::frexp(c.kernel->field_bound(), &exponent);
    quantum_ = std::ldexp(1.0, std::max(exponent, -60) - 30);
    palette_ = std::move(palette);
    prepare(c);
    rebuild(c);
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    palette_ = std::move(palette);
    const std::array<RunCache, Kernel::runs> old = std::move(runs_);
    prepare(c);
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      runs_[r].masks = old[r].masks;
      runs_[r].row_bits = old[r].row_bits;
      runs_[r].cache.fields = old[r].cache.fields;
    }
    evaluate(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (RunCache& run : runs_) {
      std::fill(run.masks.begin(), run.masks.end(), 0);
      std::fill(run.row_bits.begin(), run.row_bits.end(), std::uint16_t{0});
      for (Site i = run.range.begin; i < run.range.end; ++i) {
        set_side(c, run, i);
        run.cache.fields[i - run.range.begin] = dense::steps_of(c.kernel->linear(i), 1 / quantum_);
      }
    }
    for (Site i = 0; i < c.sites(); ++i) {
      if (c.u[i] == 0) continue;
      RunCache& run = runs_[c.kernel->touched_run(i)];
      dense::apply(run.cache.fields.data(), run.range.size(), change_of(c, i));
    }
    evaluate(c);
  }

  /// Brings everything up to date after u_i has changed.
  void flip(Configuration<Kernel>& c, Site i) {
    keep_fields(c);
    c.kernel->apply_flip(i, c.u[i], c.fields);
    follow(c, i);
  }

  void begin_walk() {
    for (RunCache& run : runs_) run.kept = false;
    fields_kept_ = false;
  }

  /// flip() for a step of a walk, where the fields stay behind; returns what the flip cost.
  double step(Configuration<Kernel>& c, Site i) {
    follow(c, i);
    const double field = field_in_walk(c, i);
    const unsigned own = c.kernel->run_of(i);
    std::vector<Pending>& list = pending_[own];
    const Site place = i - runs_[own].range.begin;
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const Pending& p) { return p.place == place; });
    if (known != list.end()) {  // flipped back
      *known = list.back();
      list.pop_back();
    } else {
      list.push_back({place, c.u[i] != 0 ? 1.0 : -1.0});
      // Steps would cost more with a longer list.
      if (list.size() == most_pending) {
        keep_fields(c);
        commit(c);
      }
    }
    return -signed_by(c.u[i], field);
  }

  /// The fields catch up with the steps.
  void commit(Configuration<Kernel>& c) {
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      for (const Pending& p : pending_[r])
        c.kernel->apply_flip(runs_[r].range.begin + p.place, p.sign > 0, c.fields);
      pending_[r].clear();
    }
  }

  /// Takes back all flips since begin_walk(), with fields; the bits are back already. `path` names
  /// at least the sites that were flipped.
  template <class Path>
  void rollback(Configuration<Kernel>& c, const Path& path) {
    for (const Site i : path) set_side(c, runs_[c.kernel->run_of(i)], i);
    for (std::vector<Pending>& list : pending_) list.clear();
    for (RunCache& run : runs_) {
      if (run.kept) std::swap(run.cache, run.kept_cache);
      run.kept = false;
    }
    if (fields_kept_) std::swap(c.fields, kept_fields_);
    fields_kept_ = false;
  }

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    const double sum = float_total(side, entry);
    if (trusted(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(View{*this, c}, side, palette_(side, entry));
  }

  /// The weight by which select() finds a site of the side.
  Mass weight(const Configuration<Kernel>& c, Side side, unsigned entry, Site i) const {
    if (!trusted(float_total(side, entry))) [[unlikely]]
      return {1, palette_(side, entry).log_weight(View{*this, c}.delta_energy(i))};
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
      return scan::scaled_select(View{*this, c}, draws, side, palette_(side, entry), total);
    return draws.locate(total.value,
                        [&](double target) { return find(slot_of(side, entry), side, target); });
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// The configuration by the integer fields, for totals out of the range of floats.
  struct View {
    const DenseEngine& engine;
    const Configuration<Kernel>& c;

    Site sites() const { return c.sites(); }
    Side side(Site i) const { return c.side(i); }
    double delta_energy(Site i) const {
      const RunCache& run = engine.runs_[c.kernel->run_of(i)];
      return engine.quantum_ *
             signed_by(c.u[i], static_cast<double>(run.cache.fields[i - run.range.begin]));
    }
  };

  /// A flipped site of a run that the fields do not know of yet.
  struct Pending {
    Site place;
    double sign;  // 1 where it differs now, -1 where it agrees
  };
  static constexpr std::size_t most_pending = 32;

  /// The (at most) 8 sites of a lane of a segment, those of other sides as zeros.
  struct LaneWeights {
    std::array<double, dense::rows_per_segment> values;
    double sum;
  };

  /// What a pass writes; a slot is a (group, law).
  struct Cache {
    AlignedVector<std::int32_t> fields;  // padded
    AlignedVector<float> weights;        // slots x padded
    AlignedVector<float> lane_sums;      // slots x 2 x segments x 16
    AlignedVector<double> lane_totals;   // slots x 2 x 16
    AlignedVector<double> totals;        // slots x 2
  };

  struct RunCache {
    SiteRange range;
    std::size_t segments = 0;
    std::size_t padded = 0;                 // whole segments
    AlignedVector<dense::SideMask> masks;   // sides x padded
    AlignedVector<std::uint16_t> row_bits;  // sides x padded / 16
    Cache cache;
    Cache kept_cache;  // as it was at begin_walk()
    bool kept = true;  // once a flip has touched the run

    void resize(SiteRange sites, Side sides, std::size_t slots) {
      range = sites;
      segments = (sites.size() + dense::segment - 1) / dense::segment;
      padded = segments * dense::segment;
      masks.assign(sides * padded, 0);
      row_bits.assign(sides * padded / dense::lanes, 0);
      cache.fields.assign(padded, 0);
      cache.weights.assign(slots * padded, 0);
      cache.lane_sums.assign(slots * 2 * segments * dense::lanes, 0);
      cache.lane_totals.assign(slots * 2 * dense::lanes, 0);
      cache.totals.assign(slots * 2, 0);
      kept_cache = cache;
      kept = true;
    }
    const float* lane_sums(std::size_t slot, unsigned kind) const {
      return cache.lane_sums.data() + (2 * slot + kind) * segments * dense::lanes;
    }
    const double* lane_totals(std::size_t slot, unsigned kind) const {
      return cache.lane_totals.data() + (2 * slot + kind) * dense::lanes;
    }
    const dense::SideMask* side_masks(Side side) const { return masks.data() + side * padded; }
    const std::uint16_t* side_bits(Side side) const {
      return row_bits.data() + side * padded / dense::lanes;
    }
  };

  /// Laws and room for the palette.
  void prepare(const Configuration<Kernel>& c) {
    choose_laws(c.kernel->field_bound());
    in_float_range_ = true;
    for (const dense::Law& law : laws_)
      for (const float scale : law.scale) in_float_range_ &= std::abs(scale) < 1e20F;
    for (unsigned r = 0; r < Kernel::runs; ++r) {
      runs_[r].resize(c.kernel->run(r), c.shell->sides(), slots(c));
      pending_[r].clear();
      pending_[r].reserve(most_pending);
    }
    fields_kept_ = true;
  }

  /// Entries of the two kinds of side share a law, and so a pass, when they have one bias.
  void choose_laws(double bound) {
    laws_.clear();
    law_of_ = {};
    const auto add = [&](const WeightFunction& a, const WeightFunction& d) {
      laws_.emplace_back(a, d, quantum_, bound);
      return laws_.size() - 1;
    };
    const unsigned longest = std::max(palette_.entries(0), palette_.entries(1));
    for (unsigned e = 0; e < longest; ++e) {
      const bool both = e < palette_.entries(0) && e < palette_.entries(1);
      if (both && palette_(0, e).bias == palette_(1, e).bias) {
        const std::size_t law = add(palette_(0, e), palette_(1, e));
        for (auto& list : law_of_) list.push_back(law);
        continue;
      }
      for (Side kind = 0; kind < 2; ++kind)
        if (e < palette_.entries(kind))
          law_of_[kind].push_back(add(palette_(kind, e), palette_(kind, e)));
    }
  }

  std::size_t slots(const Configuration<Kernel>& c) const {
    return c.shell->groups() * laws_.size();
  }
  std::size_t slot_of(Side side, unsigned entry) const {
    return side / 2 * laws_.size() + law_of_[side & 1U][entry];
  }

  static void set_side(const Configuration<Kernel>& c, RunCache& run, Site i) {
    const Side side = c.side(i);
    const std::size_t k = i - run.range.begin;
    run.masks[side * run.padded + k] = ~dense::SideMask{0};
    run.masks[opposite(side) * run.padded + k] = 0;
    const std::size_t rows = run.padded / dense::lanes;
    const auto bit = static_cast<std::uint16_t>(1U << k % dense::lanes);
    run.row_bits[side * rows + k / dense::lanes] |= bit;
    run.row_bits[opposite(side) * rows + k / dense::lanes] &= static_cast<std::uint16_t>(~bit);
  }

  dense::Change change_of(const Configuration<Kernel>& c, Site i) const {
    return {c.kernel->row(i), 1 / quantum_, c.u[i] == 0};
  }

  /// Weights and sums of everything.
  void evaluate(const Configuration<Kernel>& c) {
    for (RunCache& run : runs_)
      for (std::size_t slot = 0; slot < slots(c); ++slot) passes_.evaluate(pass_over(run, slot));
  }

  /// Integer fields, weights and sums after u_i has changed.
  void follow(const Configuration<Kernel>& c, Site i) {
    const unsigned touched = c.kernel->touched_run(i);
    const unsigned own = c.kernel->run_of(i);
    RunCache& run = runs_[touched];
    RunCache& home = runs_[own];
    keep(run);
    keep(home);
    set_side(c, home, i);
    passes_.change_and_evaluate(pass_over(run, 0), change_of(c, i));
    for (std::size_t slot = 1; slot < slots(c); ++slot) passes_.evaluate(pass_over(run, slot));
    if (own == touched) return;
    const std::size_t first = c.shell->group_of(i) * laws_.size();
    for (std::size_t law = 0; law < laws_.size(); ++law)
      dense::evaluate_site(pass_over(home, first + law), i - home.range.begin);
  }

  /// Keeps a copy when a walk first touches a run, and when it first touches the fields.
  static void keep(RunCache& run) {
    if (run.kept) return;
    run.kept = true;
    run.kept_cache = run.cache;
  }
  void keep_fields(const Configuration<Kernel>& c) {
    if (fields_kept_) return;
    fields_kept_ = true;
    kept_fields_ = c.fields;
  }

  /// The true field of a site after the steps so far.
  double field_in_walk(const Configuration<Kernel>& c, Site i) const {
    const std::vector<Pending>& flipped = pending_[c.kernel->touched_run(i)];
    const CouplingRows::Row row = c.kernel->row(i);
    double sums[2] = {c.fields[i], 0};
    if (row.narrow != nullptr)
      for (std::size_t k = 0; k < flipped.size(); ++k)
        sums[k & 1U] += flipped[k].sign * static_cast<double>(row.narrow[flipped[k].place]);
    else
      for (std::size_t k = 0; k < flipped.size(); ++k)
        sums[k & 1U] += flipped[k].sign * row.wide[flipped[k].place];
    return sums[0] + sums[1];
  }

  dense::Run pass_over(RunCache& run, std::size_t slot) const {
    const auto group = static_cast<Group>(slot / laws_.size());
    const std::size_t stride = run.segments * dense::lanes;
    float* const lane_sums = run.cache.lane_sums.data() + 2 * slot * stride;
    double* const lane_totals = run.cache.lane_totals.data() + 2 * slot * dense::lanes;
    return {run.cache.fields.data(),
            run.range.size(),
            laws_[slot % laws_.size()],
            {run.side_masks(agreeing(group)), run.side_masks(differing(group))},
            {run.side_bits(agreeing(group)), run.side_bits(differing(group))},
            run.cache.weights.data() + slot * run.padded,
            {lane_sums, lane_sums + stride},
            {lane_totals, lane_totals + dense::lanes},
            run.cache.totals.data() + 2 * slot};
  }

  double float_total(Side side, unsigned entry) const {
    const std::size_t slot = slot_of(side, entry);
    double sum = 0;
    for (const RunCache& run : runs_) sum += run.cache.totals[2 * slot + (side & 1U)];
    return sum;
  }

  /// False when weights that were cut to the range of floats may matter: then everything is
  /// computed again, slowly and for any range.
  bool trusted(double total) const { return in_float_range_ && total > 0x1p-80 && total < 0x1p120; }

  LaneWeights lane_weights(const RunCache& run, std::size_t slot, Side side, std::size_t s,
                           std::size_t lane) const {
    const float* weights = run.cache.weights.data() + slot * run.padded + s * dense::segment + lane;
    const dense::SideMask* masks = run.side_masks(side) + s * dense::segment + lane;
    LaneWeights result;
    for (std::size_t r = 0; r < dense::rows_per_segment; ++r) {
      const auto bits = std::bit_cast<std::uint32_t>(weights[r * dense::lanes]);
      result.values[r] =
          static_cast<double>(std::bit_cast<float>(bits & masks[r * dense::lanes]));
    }
    const auto& v = result.values;
    result.sum = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
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
    const std::size_t r = descend(Kernel::runs, target, [&](std::size_t k) {
      return runs_[k].cache.totals[2 * slot + kind];
    });
    const RunCache& run = runs_[r];
    const double* totals = run.lane_totals(slot, kind);
    const std::size_t quad = descend(dense::lanes / 4, target, [&](std::size_t k) {
      return (totals[4 * k] + totals[4 * k + 1]) + (totals[4 * k + 2] + totals[4 * k + 3]);
    });
    const std::size_t lane =
        4 * quad + descend(4, target, [&](std::size_t k) { return totals[4 * quad + k]; });
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
  double quantum_ = 1;
  bool in_float_range_ = true;
  std::vector<dense::Law> laws_;
  std::array<std::vector<std::size_t>, 2> law_of_;  // by kind of side, then entry
  std::array<RunCache, Kernel::runs> runs_;
  std::array<std::vector<Pending>, Kernel::runs> pending_;  // by the run of the flipped site
  bool fields_kept_ = true;
  typename FieldsOf<Kernel>::type kept_fields_;  // as they were at begin_walk()
};

}  // namespace nhot
