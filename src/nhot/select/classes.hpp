// Engine `classes`: sites in buckets by (side, field), for models whose fields take few values.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/select/configuration.hpp"
#include "nhot/select/level_weights.hpp"

namespace nhot {

/// O(1) selection (a level by its total weight and a site of it uniformly, in one draw), O(1)
/// update per changed site, totals from integer counts.
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
    const std::size_t classes = c.shell->sides() * weights_.stride();
    counts_.assign(classes, 0);
    for (Site i = 0; i < c.sites(); ++i) ++counts_[class_of(c.side(i), c.fields[i])];
    buckets_.resize(classes);
    for (std::size_t k = 0; k < classes; ++k)
      buckets_[k].make_room(static_cast<std::uint32_t>(std::exchange(counts_[k], 0)));
    reserve_large(sites_, c.sites());
    sites_.resize(c.sites());
    for (Site i = 0; i < c.sites(); ++i) insert(class_of(c.side(i), c.fields[i]), i);
  }

  NHOT_ALWAYS_INLINE void flipped(const Configuration<Kernel>& c, Site i) {
    // The other side of the same group, on the same level.
    const auto stride = static_cast<std::int32_t>(weights_.stride());
    wait(signed_by(c.u[i], -stride), i);
  }

  NHOT_ALWAYS_INLINE void changed(const Configuration<Kernel>&, Site j, Field shift) {
    wait(shift, j);
    if (waiting_ == most_waiting) [[unlikely]]
      settle();
  }

  /// After the changes of a flip: moves the sites to their new buckets.
  NHOT_ALWAYS_INLINE void settle() {
    for (unsigned k = 0; k < waiting_; ++k) move(queue_[k]);
    waiting_ = 0;
  }

  NHOT_ALWAYS_INLINE Mass total(const Configuration<Kernel>&, Side side, unsigned entry) const {
    return weights_.total(side, entry, counts(side));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>&, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    return weights_.draw(draws, side, entry, counts(side), total, [&](LevelWeights::Member m) {
      return buckets_[side * weights_.stride() + m.level][static_cast<std::uint32_t>(m.index)];
    });
  }

  /// Mean tries of a pick from a side by its first weight function, if it were thinned.
  double expected_tries(const Configuration<Kernel>& c, Side side) const {
    const Mass sum = total(c, side, 0);
    if (!(sum.value > 0)) return 1;
    return c.shell->side_size(side) * weights_.largest(side, 0, counts(side), sum) / sum.value;
  }

  void save(ByteWriter& out) const {
    for (std::size_t k = 0; k < buckets_.size(); ++k)
      out.put(std::vector<Site>(buckets_[k].begin(), buckets_[k].begin() + counts_[k]));
  }

  void restore(const Configuration<Kernel>& c, ByteReader& in) {
    rebuild(c);
    std::vector<Site> members;
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
      in.get_sized(members, static_cast<std::size_t>(counts_[k]));
      std::vector<Site> sorted = members;
      std::sort(sorted.begin(), sorted.end());
      if (!std::equal(sorted.begin(), sorted.end(), buckets_[k].begin())) ByteReader::damaged();
      for (std::size_t p = 0; p < members.size(); ++p) {
        buckets_[k][static_cast<std::uint32_t>(p)] = members[p];
        sites_[members[p]] = {static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(p)};
      }
    }
  }

 private:
  /// Room for sites; the number of them is in counts_.
  class Bucket {
   public:
    Site* begin() { return sites_.data(); }
    const Site* begin() const { return sites_.data(); }
    Site& operator[](std::uint32_t k) { return sites_[k]; }
    Site operator[](std::uint32_t k) const { return sites_[k]; }
    std::uint32_t capacity() const { return static_cast<std::uint32_t>(sites_.size()); }
    /// Room for `sites` sites and some more; what was in it is lost.
    void make_room(std::uint32_t sites) {
      if (sites <= capacity()) return;
      sites_ = {};
      resize(sites + sites / 16);
    }
    [[gnu::noinline]] void grow() { resize(std::max(16U, capacity() + capacity() / 4)); }

   private:
    void resize(std::uint32_t capacity) {
      std::vector<Site> wider;
      reserve_large(wider, capacity);
      wider.assign(sites_.begin(), sites_.end());
      wider.resize(capacity);
      sites_.swap(wider);
    }

    std::vector<Site> sites_;
  };

  /// Where a site is: its bucket and its place in it, in one word.
  class SiteRecord {
   public:
    SiteRecord() = default;
    SiteRecord(std::uint32_t bucket, std::uint32_t place)
        : word_(std::uint64_t{bucket} << 32 | place) {}
    std::uint32_t bucket() const { return static_cast<std::uint32_t>(word_ >> 32); }
    std::uint32_t place() const { return static_cast<std::uint32_t>(word_); }

   private:
    std::uint64_t word_;
  };

  std::uint32_t class_of(Side side, Field field) const {
    return static_cast<std::uint32_t>(side * weights_.stride()) +
           static_cast<std::uint32_t>(field + max_field_);
  }
  const std::int32_t* counts(Side side) const { return counts_.data() + side * weights_.stride(); }

  NHOT_ALWAYS_INLINE void insert(std::uint32_t k, Site i) {
    const auto place = static_cast<std::uint32_t>(counts_[k]++);
    Bucket& bucket = buckets_[k];
    if (place == bucket.capacity()) [[unlikely]]
      bucket.grow();
    bucket[place] = i;
    sites_[i] = {k, place};
  }

  /// A site that goes to the bucket `by` further, and where it was when it joined the queue.
  struct Waiting {
    SiteRecord record;
    Site site;
    std::int32_t by;
  };
  static constexpr unsigned most_waiting = 16;

  /// Records are read for all sites of a flip before the first of them moves: a processor that has
  /// to read them between the writes of the moves would do one after the other.
  NHOT_ALWAYS_INLINE void wait(std::int32_t by, Site i) { queue_[waiting_++] = {sites_[i], i, by}; }

  NHOT_ALWAYS_INLINE void move(const Waiting& w) {
    const std::uint32_t from = w.record.bucket();
    Bucket& bucket = buckets_[from];
    const auto end = static_cast<std::uint32_t>(counts_[from]);
    SiteRecord record = w.record;
    // Another site of the queue may have left the same bucket and this one may have filled the gap.
    if (record.place() >= end || bucket[record.place()] != w.site) [[unlikely]]
      record = sites_[w.site];
    const Site last = bucket[end - 1];
    counts_[from] = static_cast<std::int32_t>(end - 1);
    bucket[record.place()] = last;
    sites_[last] = record;  // of the same bucket
    insert(from + static_cast<std::uint32_t>(w.by), w.site);
  }

  Field max_field_;
  LevelWeights weights_;
  std::vector<Bucket> buckets_;       // by side, then level
  std::vector<std::int32_t> counts_;  // sites in each bucket, contiguous for the totals
  std::vector<SiteRecord> sites_;
  std::array<Waiting, most_waiting> queue_;
  unsigned waiting_ = 0;
};

}  // namespace nhot
