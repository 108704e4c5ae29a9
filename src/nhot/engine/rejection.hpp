// What the engines `thinned` and `compact` share: the number of sites of each (side, field), and
// selection by rejection, where a uniform candidate is taken with probability weight / largest
// weight.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/engine/count_changes.hpp"
#include "nhot/engine/level_weights.hpp"
#include "nhot/state/configuration.hpp"

namespace nhot {

/// Per site it stores one number, mostly a byte, the class, which encodes side and field; fields
/// are stored nowhere else. `Candidates` says among which sites a selection draws: those of the
/// side, which need lists (thinned.hpp), or all sites, where those of the other side are rejected,
/// too (compact.hpp).
template <class Kernel, class Candidates>
class RejectionEngine {
  static constexpr std::uint32_t few_classes = CountChanges::most_classes;
  /// Marks the class of a site whose row is not the common one of the kernel, where few_.
  static constexpr std::uint32_t other_row = few_classes;
  static constexpr std::uint32_t table_size = 2 * few_classes;

 public:
  using Field = typename Kernel::Field;
  static_assert(Kernel::exact, "rejection counts integer fields");

  RejectionEngine(const Configuration<Kernel>& c, WeightSet weight_set)
      : max_field_(static_cast<Field>(c.kernel->max_field())) {
    set_weights(c, std::move(weight_set));
    rebuild(c);
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weights_ = LevelWeights(weight_set, c.kernel->quantum(), max_field_);
    side_bit_ = static_cast<std::uint32_t>(std::bit_ceil(weights_.stride()));
    class_bits_ = c.shell->sides() * side_bit_ == few_classes ? few_classes - 1 : ~0U;
    plain_ = weights_.plain(c.sites());
    for (Side kind = 0; kind < 2; ++kind) {
      chances_[kind].clear();
      for (unsigned e = 0; plain_ && e < weight_set.size(kind); ++e) {
        const double* weights = weights_.row(kind, e);
        const double scale = 1 / weights[kind ? weights_.levels() - 1 : 0];
        for (std::uint32_t k = 0; k < table_size; ++k) {
          const std::uint32_t level = (k & class_bits_) - kind * side_bit_;
          chances_[kind].push_back(
              Chance(level < side_bit_ ? std::min(1.0, weights[level] * scale) : 0.0));
        }
      }
    }
  }

  /// From the bits and the fields of c.
  void rebuild(const Configuration<Kernel>& c) {
    const std::size_t classes = c.shell->sides() * std::size_t{side_bit_};
    few_ = classes <= few_classes;
    few_counts_.fill(0);
    many_counts_.assign(few_ ? 0 : classes, 0);
    narrow_ = classes <= 256;
    with_classes([&](auto& own) {
      reserve_large(own, c.sites());
      own.resize(c.sites());
      for (Site i = 0; i < c.sites(); ++i) {
        const std::uint32_t k =
            c.side(i) * side_bit_ + static_cast<std::uint32_t>(c.fields[i] + max_field_);
        const bool marked = Candidates::marks_rows && few_ && !c.kernel->has_common_row(i);
        own[i] = static_cast<ClassOf<decltype(own)>>(marked ? k | other_row : k);
        ++counts()[k];
      }
    });
    candidates_.build(*c.shell, c.u);
  }

  Field field(Site i) const {
    return with_classes([&](const auto& own) { return field_of(own[i]); });
  }

  /// Site i changes side; returns what that costs, in units.
  Field flip(const Configuration<Kernel>& c, Site i) {
    if (steppable()) {
      Stepper stepper(*this, c);
      const Field units = stepper.flip(i);
      stepper.finish();
      return units;
    }
    const Field units = signed_by(c.u[i], field(i));
    const Field sign = c.u[i] ? -1 : 1;
    with_classes([&](auto& own) {
      const auto move = [&](Site j, std::uint32_t to) {
        --counts()[own[j] & class_bits_];
        ++counts()[to & class_bits_];
        own[j] = static_cast<ClassOf<decltype(own)>>(to);
      };
      move(i, own[i] ^ side_bit_);
      c.kernel->visit_row(i, [&](Site j, Field coupling) {
        move(j, own[j] + static_cast<std::uint32_t>(sign * coupling));
      });
    });
    candidates_.flipped(c.shell->group_of(i), i, sign > 0);
    return units;
  }

  /// True when a Stepper can take steps: at most eight levels, and weights that need no scale.
  bool steppable() const { return few_ && plain_; }

  /// Register copy of the engine's pointers for inner loops, with choose(), total() and flip();
  /// finish() writes the rest back.
  class Stepper {
   public:
    Stepper(RejectionEngine& engine, const Configuration<Kernel>& c)
        : classes_(engine.narrow_classes_.data()),
          counts_(engine.few_counts_.data()),
          candidates_(engine.candidates_),
          kernel_rows_(*c.kernel),
          weights_(engine.weights_),
          chances_{engine.chances_[0].data(), engine.chances_[1].data()},
          max_field_(engine.max_field_) {
      NHOT_EXPECTS(engine.steppable() && engine.side_bit_ == side_bit);
    }

    /// A site, and the total that it was chosen by.
    template <DrawSource Draws>
    NHOT_ALWAYS_INLINE Site choose(Draws& draws, Side side, unsigned index,
                                   ScaledWeight& total) const {
      total = this->total(side, index);
      const LevelRow row = weights_.row(side, index);
      const std::uint8_t* classes = classes_;
      const auto candidates = candidates_.of(side);
      // Predicted branch: mostly the level of lowest dE is not empty, and its table applies.
      if (counts(side)[side ? row.levels - 1 : 0] > 0) [[likely]] {
        const Chance* chances = chances_[side] + std::size_t{index} * table_size;
        return candidates[draws.thin(
            candidates_.size(side),
            [&](std::uint64_t k) NHOT_INLINE_LAMBDA { return chances[classes[candidates[k]]]; })];
      }
      const double scale = 1 / row.largest(counts(side));
      return candidates[draws.thin(candidates_.size(side), [&](std::uint64_t k) NHOT_INLINE_LAMBDA {
        const std::uint32_t own = classes[candidates[k]];
        const bool here = Candidates::one_side || (own & side_bit) == side * side_bit;
        return here ? row.weight[own & (side_bit - 1)] * scale : 0.0;
      })];
    }

    NHOT_ALWAYS_INLINE ScaledWeight total(Side side, unsigned index) const {
      return {EightLevels(weights_.row(side, index).weight, counts(side)).sum(), 0};
    }

    /// Site i changes side; returns what that costs, in units.
    NHOT_ALWAYS_INLINE Field flip(Site i) { return flip<CountChanges>(i); }

    NHOT_ALWAYS_INLINE void begin_walk() {
      std::memcpy(saved_counts_, counts_, sizeof saved_counts_);
    }
    /// Flips of a walk are taken back by flip_back() of each site and rolled_back() at the end.
    NHOT_ALWAYS_INLINE void flip_back(Site i) { flip<NoCountChanges>(i); }
    NHOT_ALWAYS_INLINE void rolled_back() const {
      std::memcpy(counts_, saved_counts_, sizeof saved_counts_);
    }

    /// What selections read of candidate k, for looking ahead.
    const std::uint8_t* classes() const { return classes_; }

    void finish() const { candidates_.finish(); }

   private:
    static constexpr std::uint32_t side_bit = 8;

    template <class Changes>
    NHOT_ALWAYS_INLINE Field flip(Site i) {
      Changes changes;
      const std::uint32_t own = classes_[i];
      const Field sign = own & side_bit ? -1 : 1;
      move(i, own ^ side_bit, changes);
      const auto visit = [&](Site j, Field coupling) NHOT_INLINE_LAMBDA {
        move(j, classes_[j] + static_cast<std::uint32_t>(sign * coupling), changes);
      };
      if (Candidates::marks_rows && !(own & other_row)) [[likely]]
        kernel_rows_.visit_common(i, visit);
      else
        kernel_rows_.visit(i, visit);
      changes.add_to(counts_);
      candidates_.flipped(i, sign > 0);
      return sign * (static_cast<Field>(own & (side_bit - 1)) - max_field_);
    }

    const std::int32_t* counts(Side side) const { return counts_ + std::size_t{side} * side_bit; }
    static std::uint32_t class_of(std::uint32_t number) {
      return Candidates::marks_rows ? number & (few_classes - 1) : number;
    }

    template <class Changes>
    NHOT_ALWAYS_INLINE void move(Site j, std::uint32_t to, Changes& changes) const {
      changes.note(class_of(classes_[j]), class_of(to));
      classes_[j] = static_cast<std::uint8_t>(to);
    }

    std::uint8_t* classes_;
    std::int32_t* counts_;
    typename Candidates::Cursor candidates_;
    typename Kernel::Rows kernel_rows_;
    LevelWeights::EightRows weights_;
    const Chance* chances_[2];
    std::int32_t saved_counts_[few_classes];
    Field max_field_;
  };

  ScaledWeight total(const Configuration<Kernel>&, Side side, unsigned index) const {
    return weights_.total(side, index, counts(side));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>&, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    if (narrow_) [[likely]]
      return select(draws, side, index, total, narrow_classes_.data());
    return select(draws, side, index, total, wide_classes_.data());
  }

  /// Prefetches what changing the field of a site reads.
  NHOT_ALWAYS_INLINE void prefetch(Site i) const {
    if (narrow_) [[likely]]
      __builtin_prefetch(narrow_classes_.data() + i, 1);
    else
      __builtin_prefetch(wide_classes_.data() + i, 1);
  }

  /// Mean tries of a selection among the sites of a side, with its first weight function.
  double expected_tries(const Configuration<Kernel>& c, Side side) const {
    const ScaledWeight sum = total(c, side, 0);
    if (!(sum.value > 0)) return 1;
    return c.shell->side_size(side) * weights_.largest(side, 0, counts(side), sum) / sum.value;
  }

  void save(ByteWriter& out) const { candidates_.save(out); }
  void restore(const Configuration<Kernel>& c, ByteReader& in) {
    rebuild(c);
    candidates_.restore(in);
  }

 private:
  template <class Classes>
  using ClassOf = typename std::decay_t<Classes>::value_type;

  Field field_of(std::uint32_t k) const {
    return static_cast<Field>(k & (side_bit_ - 1)) - max_field_;
  }
  std::int32_t* counts() { return few_ ? few_counts_.data() : many_counts_.data(); }
  const std::int32_t* counts(Side side) const {
    return (few_ ? few_counts_.data() : many_counts_.data()) + std::size_t{side} * side_bit_;
  }

  template <class Visit>
  decltype(auto) with_classes(Visit&& visit) const {
    return narrow_ ? visit(narrow_classes_) : visit(wide_classes_);
  }
  template <class Visit>
  decltype(auto) with_classes(Visit&& visit) {
    return narrow_ ? visit(narrow_classes_) : visit(wide_classes_);
  }

  template <DrawSource Draws, class Class>
  Site select(Draws& draws, Side side, unsigned index, const ScaledWeight& total,
              const Class* classes) const {
    const double scale = 1 / weights_.largest(side, index, counts(side), total);
    const auto keep_with = [&](auto&& weight) {
      const auto candidates = candidates_.of(side);
      return candidates[draws.thin(candidates_.size(side), [&](std::uint64_t k) {
        const std::uint32_t level = (classes[candidates[k]] & class_bits_) - side * side_bit_;
        return level < side_bit_ ? weight(level) * scale : 0.0;
      })];
    };
    if (total.log_scale == 0) [[likely]] {
      const double* weight = weights_.row(side, index);
      return keep_with([&](std::uint32_t level) { return weight[level]; });
    }
    return keep_with(
        [&](std::uint32_t level) { return weights_.scaled(side, index, level, total); });
  }

  Field max_field_;
  LevelWeights weights_;
  std::uint32_t side_bit_ = 0;    // classes of a side: a power of two
  std::uint32_t class_bits_ = 0;  // of the number of a site
  bool narrow_ = true;
  std::array<std::vector<Chance>, 2> chances_;  // by kind of side; index, then number of a site
  bool few_ = true;                             // at most few_classes classes
  bool plain_ = false;                          // weights_.plain()
  // Number of sites by class: side, then level; in one of the two.
  alignas(16) std::array<std::int32_t, few_classes> few_counts_{};
  std::vector<std::int32_t> many_counts_;
  std::vector<std::uint8_t> narrow_classes_;  // by site, in one of the two
  std::vector<std::uint32_t> wide_classes_;
  Candidates candidates_;
};

}  // namespace nhot
