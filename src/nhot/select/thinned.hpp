// Engine `thinned`: counts the sites of each (side, field), and picks by thinning: a uniform site
// of the side is kept with probability weight / largest weight.
#pragma once

#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/select/configuration.hpp"
#include "nhot/select/level_weights.hpp"
#include "nhot/select/sides.hpp"

namespace nhot {

/// An update is one decrement and one increment; a selection takes largest / mean weight tries.
/// Best where weights are of one size (high temperature).
template <class Kernel>
class ThinnedEngine {
 public:
  static constexpr const char* name = "thinned";
  using Field = typename Kernel::Field;
  static_assert(Kernel::exact, "thinning counts integer fields");

  ThinnedEngine(const Configuration<Kernel>& c, WeightPalette palette)
      : max_field_(static_cast<Field>(c.kernel->max_field())) {
    set_palette(c, std::move(palette));
    rebuild(c);
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    weights_ = LevelWeights(palette, c.kernel->quantum(), max_field_);
  }

  void rebuild(const Configuration<Kernel>& c) {
    counts_.assign(c.shell->sides() * weights_.stride(), 0);
    for (Site i = 0; i < c.sites(); ++i) ++count(c.side(i), c.fields[i]);
    lists_.build(*c.shell, c.u);
  }

  NHOT_ALWAYS_INLINE void flipped(const Configuration<Kernel>& c, Site i) {
    const Side now = c.side(i);
    --count(opposite(now), c.fields[i]);
    ++count(now, c.fields[i]);
    lists_.flipped(c.shell->group_of(i), i, c.u[i]);
  }

  NHOT_ALWAYS_INLINE void changed(const Configuration<Kernel>& c, Site j, Field shift) {
    std::int32_t* now = &count(c.side(j), c.fields[j]);
    ++*now;
    --*(now - shift);
  }

  NHOT_ALWAYS_INLINE Mass total(const Configuration<Kernel>&, Side side, unsigned entry) const {
    return weights_.total(side, entry, counts(side));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    const Site* sites = lists_.begin(side);
    const double scale = 1 / weights_.largest(side, entry, counts(side), total);
    if (total.log_scale == 0) [[likely]] {
      const double* weight = weights_.row(side, entry) + max_field_;  // by field
      const Field* field = c.fields.data();
      return sites[draws.thin(lists_.size(side), [&](std::uint64_t candidate) {
        return weight[field[sites[candidate]]] * scale;
      })];
    }
    return sites[draws.thin(lists_.size(side), [&](std::uint64_t candidate) {
      const auto level = static_cast<std::size_t>(c.fields[sites[candidate]] + max_field_);
      return weights_.scaled(side, entry, level, total) * scale;
    })];
  }

  /// Mean tries of a pick from a side by its first weight function, if it were thinned.
  double expected_tries(const Configuration<Kernel>& c, Side side) const {
    const Mass sum = total(c, side, 0);
    if (!(sum.value > 0)) return 1;
    return c.shell->side_size(side) * weights_.largest(side, 0, counts(side), sum) / sum.value;
  }

  void save(ByteWriter& out) const { lists_.save(out); }
  void restore(const Configuration<Kernel>& c, ByteReader& in) {
    rebuild(c);
    lists_.restore(in);
  }

 private:
  std::int32_t& count(Side side, Field field) {
    return counts_[side * weights_.stride() + static_cast<std::size_t>(field + max_field_)];
  }
  const std::int32_t* counts(Side side) const { return counts_.data() + side * weights_.stride(); }

  Field max_field_;
  LevelWeights weights_;
  std::vector<std::int32_t> counts_;  // by side, then level
  SideLists lists_;
};

}  // namespace nhot
