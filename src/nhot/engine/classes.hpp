// Engine `classes`: sites in buckets by (side, field), for models whose fields take few values.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/buckets.hpp"
#include "nhot/engine/count_changes.hpp"
#include "nhot/engine/level_weights.hpp"
#include "nhot/state/configuration.hpp"

namespace nhot {

/// O(1) selection (a level by its total weight and a site of it uniformly, in one draw), O(1)
/// update per changed site, totals from integer counts. The bucket of a site encodes its side and
/// its field, which is stored nowhere else.
template <class Kernel>
class ClassesEngine {
 public:
  static constexpr const char* name = "classes";
  /// A step is one long chain of dependent operations, so interleaving chains hides its latency. In
  /// `thinned`, rejection mispredicts a branch, and flushing the pipeline costs the interleaved
  /// chains too.
  static constexpr bool interleaving_pays = true;
  using Field = typename Kernel::Field;
  static_assert(Kernel::exact, "classes need integer fields");

  ClassesEngine(const Configuration<Kernel>& c, WeightSet weight_set)
      : max_field_(static_cast<Field>(c.kernel->max_field())) {
    set_weights(c, std::move(weight_set));
    rebuild(c);
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weights_ = LevelWeights(weight_set, c.kernel->quantum(), max_field_);
    side_bit_ = static_cast<std::uint32_t>(std::bit_ceil(weights_.stride()));
    plain_ = weights_.plain(c.sites());
  }

  /// From the bits and the fields of c.
  void rebuild(const Configuration<Kernel>& c) {
    const std::size_t buckets = c.shell->sides() * std::size_t{side_bit_};
    flat_ = FlatBuckets::fits(buckets, c.sites());
    with_buckets([&](auto& own) {
      own.reset(buckets, c.sites());
      for (Site i = 0; i < c.sites(); ++i) own.insert(i, bucket_of(c.side(i), c.fields[i]));
      counts_ = own.counts();
    });
    buckets_ = static_cast<std::uint32_t>(buckets);
  }

  Field field(Site i) const {
    return with_buckets([&](const auto& own) { return field_of(own.bucket(i)); });
  }

  /// Site i changes side; returns what that costs, in units.
  NHOT_ALWAYS_INLINE Field flip(const Configuration<Kernel>& c, Site i) {
    if (flat_) return flip_flat(c, i);
    const std::uint32_t bucket = growing_buckets_.move(
        i, [&](std::uint32_t from) NHOT_INLINE_LAMBDA { return from ^ side_bit_; });
    const Field sign = bucket & side_bit_ ? -1 : 1;
    c.kernel->visit_row(i, [&](Site j, Field coupling) NHOT_INLINE_LAMBDA {
      growing_buckets_.move(j, [&](std::uint32_t from) NHOT_INLINE_LAMBDA {
        return from + static_cast<std::uint32_t>(sign * coupling);
      });
    });
    return sign * field_of(bucket);
  }

  NHOT_ALWAYS_INLINE ScaledWeight total(const Configuration<Kernel>&, Side side,
                                        unsigned index) const {
    return weights_.total(side, index, counts(side));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>&, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    return weights_.draw(draws, side, index, counts(side), total, site_at(side));
  }

  /// True when a Stepper can take steps: at most eight levels, and weights that need no scale.
  bool steppable() const { return flat_ && plain_; }

  /// Register copy of the engine's pointers for inner loops, with choose(), total() and flip().
  /// Members of the engine itself would be reloaded after every store of the loop.
  class Stepper {
   public:
    Stepper(ClassesEngine& engine, const Configuration<Kernel>& c)
        : cursor_(engine.flat_buckets_),
          kernel_rows_(*c.kernel),
          weights_(engine.weights_),
          max_field_(engine.max_field_) {
      NHOT_EXPECTS(engine.flat_ && engine.side_bit_ == side_bit);
    }

    /// A site, and the total that it was chosen by.
    template <DrawSource Draws>
    NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned index,
                                   ScaledWeight& total) const {
      const LevelRow row = weights_.row(side, index);
      const EightLevels masses(row.weight, counts(side));
      total = {masses.sum(), 0};
      return draws.locate(total.value, [&](double target) NHOT_INLINE_LAMBDA {
        const LevelMember found = masses.find(target, row, counts(side));
        return cursor_.at(side * side_bit + static_cast<std::uint32_t>(found.level),
                          static_cast<std::size_t>(found.index));
      });
    }

    NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned index) const {
      return {EightLevels(weights_.row(side, index).weight, counts(side)).sum(), 0};
    }

    /// Site i changes side; returns what that costs, in units.
    NHOT_ALWAYS_INLINE Field flip(Site i) const { return flip<CountChanges>(i); }

    void begin_walk() const {}
    /// Flips of a walk are taken back by flip_back() of each site and rolled_back() at the end.
    NHOT_ALWAYS_INLINE void flip_back(Site i) const { flip<NoCountChanges>(i); }
    NHOT_ALWAYS_INLINE void rolled_back() const { cursor_.recount(); }

    void finish() const {}

   private:
    static constexpr std::uint32_t side_bit = 8;

    template <class Changes>
    NHOT_ALWAYS_INLINE Field flip(Site i) const {
      Changes changes;
      const std::uint32_t bucket =
          cursor_.move(i, changes, [&](std::uint32_t from) { return from ^ side_bit; });
      const Field sign = bucket & side_bit ? -1 : 1;
      kernel_rows_.visit(i, [&](Site j, Field coupling) NHOT_INLINE_LAMBDA {
        cursor_.move(j, changes, [&](std::uint32_t from) NHOT_INLINE_LAMBDA {
          return from + static_cast<std::uint32_t>(sign * coupling);
        });
      });
      changes.add_to(cursor_.counts());
      return sign * (static_cast<Field>(bucket & (side_bit - 1)) - max_field_);
    }

    const std::int32_t* counts(Side side) const {
      return cursor_.counts() + std::size_t{side} * side_bit;
    }

    FlatBuckets::Cursor cursor_;
    typename Kernel::Rows kernel_rows_;
    LevelWeights::EightRows weights_;
    Field max_field_;
  };

  /// Prefetches what moving a site to another bucket reads.
  NHOT_ALWAYS_INLINE void prefetch(Site i) const {
    if (flat_) [[likely]]
      flat_buckets_.prefetch(i);
    else
      growing_buckets_.prefetch(i);
  }

  /// Mean tries of a selection by rejection (`thinned`), with the side's first weight function.
  double expected_tries(const Configuration<Kernel>& c, Side side) const {
    const ScaledWeight sum = total(c, side, 0);
    if (!(sum.value > 0)) return 1;
    return c.shell->side_size(side) * weights_.largest(side, 0, counts(side), sum) / sum.value;
  }

  void save(ByteWriter& out) const {
    for (std::uint32_t k = 0; k < buckets_; ++k) out.put(members(k));
  }

  void restore(const Configuration<Kernel>& c, ByteReader& in) {
    rebuild(c);
    std::vector<Site> found;
    for (std::uint32_t k = 0; k < buckets_; ++k) {
      const std::vector<Site> built = members(k);  // in increasing order
      in.get_sized(found, built.size());
      std::vector<Site> sorted = found;
      std::sort(sorted.begin(), sorted.end());
      if (sorted != built) ByteReader::damaged();
      with_buckets([&](auto& own) {
        for (std::size_t p = 0; p < found.size(); ++p) own.assign(found[p], k, p);
      });
    }
  }

 private:
  std::uint32_t bucket_of(Side side, Field field) const {
    return side * side_bit_ + static_cast<std::uint32_t>(field + max_field_);
  }
  Field field_of(std::uint32_t bucket) const {
    return static_cast<Field>(bucket & (side_bit_ - 1)) - max_field_;
  }
  const std::int32_t* counts(Side side) const { return counts_ + std::size_t{side} * side_bit_; }
  auto site_at(Side side) const {
    return [this, side](LevelMember m) {
      const std::uint32_t bucket = side * side_bit_ + static_cast<std::uint32_t>(m.level);
      const auto k = static_cast<std::size_t>(m.index);
      return with_buckets([&](const auto& own) { return own.at(bucket, k); });
    };
  }
  /// For single flips outside a Stepper's loop, which are rare.
  Field flip_flat(const Configuration<Kernel>& c, Site i) { return Stepper(*this, c).flip(i); }

  std::vector<Site> members(std::uint32_t bucket) const {
    std::vector<Site> sites(static_cast<std::size_t>(counts_[bucket]));
    with_buckets([&](const auto& own) {
      for (std::size_t k = 0; k < sites.size(); ++k) sites[k] = own.at(bucket, k);
    });
    return sites;
  }

  template <class Visit>
  NHOT_ALWAYS_INLINE decltype(auto) with_buckets(Visit&& visit) const {
    return flat_ ? visit(flat_buckets_) : visit(growing_buckets_);
  }
  template <class Visit>
  NHOT_ALWAYS_INLINE decltype(auto) with_buckets(Visit&& visit) {
    return flat_ ? visit(flat_buckets_) : visit(growing_buckets_);
  }

  Field max_field_;
  LevelWeights weights_;
  std::uint32_t side_bit_ = 0;  // buckets of a side: a power of two
  std::uint32_t buckets_ = 0;
  bool flat_ = true;
  bool plain_ = false;
  FlatBuckets flat_buckets_;  // one of the two is in use
  GrowingBuckets growing_buckets_;
  const std::int32_t* counts_ = nullptr;  // of that one
};

}  // namespace nhot
