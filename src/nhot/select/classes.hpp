// Engine `classes`: sites in buckets by (side, dE), for models whose dE takes few values.
#pragma once

#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/select/configuration.hpp"
#include "nhot/select/level_weights.hpp"

namespace nhot {

/// O(1) selection (a level by its total weight, then a site of it uniformly), O(1) update per
/// changed site, totals from integer counts.
template <class Kernel>
class ClassesEngine {
 public:
  static constexpr const char* name = "classes";
  using Field = typename Kernel::Field;
  static_assert(Kernel::exact, "classes need integer fields");

  ClassesEngine(const Configuration<Kernel>& c, WeightPalette palette)
      : max_field_(static_cast<Field>(c.kernel->max_field())) {
    set_palette(c, std::move(palette));
    rebuild(c);
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    weights_ = LevelWeights(palette, c.kernel->quantum(), max_field_);
  }

  void rebuild(const Configuration<Kernel>& c) {
    const std::size_t classes = c.shell->sides() * weights_.levels();
    buckets_.assign(classes, {});
    counts_.assign(classes, 0);
    place_.resize(c.sites());
    for (Site i = 0; i < c.sites(); ++i) insert(class_of(c.side(i), c.delta(i)), i);
  }

  void flipped(const Configuration<Kernel>& c, Site i) {
    const Side now = c.side(i);
    const Field delta = c.delta(i);
    remove(class_of(opposite(now), -delta), i);
    insert(class_of(now, delta), i);
  }

  void changed(const Configuration<Kernel>& c, Site j, Field old_field) {
    const Side side = c.side(j);
    remove(class_of(side, c.u[j] ? -old_field : old_field), j);
    insert(class_of(side, c.delta(j)), j);
  }

  Mass total(const Configuration<Kernel>&, Side side, unsigned entry) const {
    return weights_.total(side, entry, counts(side));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>&, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    const std::size_t level = weights_.draw_level(draws, side, entry, counts(side), total);
    const std::vector<Site>& bucket = buckets_[side * weights_.levels() + level];
    return bucket[draws.below(bucket.size())];
  }

  void save(ByteWriter& out) const {
    for (const auto& bucket : buckets_) out.put(bucket);
  }

  void restore(const Configuration<Kernel>& c, ByteReader& in) {
    rebuild(c);
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
      in.get_sized(buckets_[k], counts_[k]);
      for (std::size_t p = 0; p < buckets_[k].size(); ++p)
        place_.at(buckets_[k][p]) = static_cast<Site>(p);
    }
  }

 private:
  std::size_t class_of(Side side, Field delta) const {
    return side * weights_.levels() + static_cast<std::size_t>(delta + max_field_);
  }
  const Site* counts(Side side) const { return counts_.data() + side * weights_.levels(); }

  void insert(std::size_t k, Site i) {
    place_[i] = static_cast<Site>(buckets_[k].size());
    buckets_[k].push_back(i);
    ++counts_[k];
  }

  void remove(std::size_t k, Site i) {
    std::vector<Site>& bucket = buckets_[k];
    const Site last = bucket.back();
    bucket[place_[i]] = last;
    place_[last] = place_[i];
    bucket.pop_back();
    --counts_[k];
  }

  Field max_field_;
  LevelWeights weights_;
  std::vector<std::vector<Site>> buckets_;  // by side, then level
  std::vector<Site> counts_;                // sizes of the buckets, contiguous for the totals
  std::vector<Site> place_;                 // of each site in its bucket
};

}  // namespace nhot
