// Sites in buckets: the place of each site and the members of each bucket, with O(1) moves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/base/types.hpp"
#include "nhot/engine/count_changes.hpp"

namespace nhot {

/// At most 16 buckets, each with address space for all sites, of which the system maps the pages
/// that are written to. So a place is one number for bucket and index, and a move needs no lookup
/// and no check of capacity.
class FlatBuckets {
  using Place = std::uint32_t;
  static constexpr std::size_t most_buckets = CountChanges::most_classes;
  static constexpr unsigned most_bits = 24;
  /// Where a bucket has a page or more, it begins four cache lines further into its room than the
  /// one before: beginnings at multiples of a page would map to the same sets of the L1 cache.
  static constexpr Place shift = 64;
  static constexpr unsigned page_bits = 10;

 public:
  static bool fits(std::size_t buckets, std::size_t sites) {
    return buckets <= most_buckets && room_bits(sites) <= most_bits;
  }

  /// Empty buckets.
  void reset(std::size_t buckets, std::size_t sites) {
    const bool shifts =
        room_bits(sites) >= page_bits && room_bits(sites + most_buckets * shift) <= most_bits;
    const unsigned bits = room_bits(sites + (shifts ? most_buckets * shift : 0));
    if (const std::size_t wanted = buckets << bits; wanted != size_) {
      bits_ = bits;
      stride_ = (Place{1} << bits) + (shifts ? shift : 0);
      size_ = wanted;
      sites_.reset(new Site[wanted]);  // uninitialized: maps no pages
      prefer_large_pages(sites_.get(), wanted * sizeof(Site));
    }
    reserve_large(places_, sites);
    places_.resize(sites);
    counts_.fill(0);
    for (std::uint32_t k = 0; k < most_buckets; ++k) ends_[k] = begin(k);
  }

  /// How many sites are in each bucket.
  const std::int32_t* counts() const { return counts_.data(); }
  NHOT_ALWAYS_INLINE Site at(std::uint32_t bucket, std::size_t k) const {
    return sites_[begin(bucket) + k];
  }
  std::uint32_t bucket(Site i) const { return places_[i] >> bits_; }

  void insert(Site i, std::uint32_t bucket) {
    put(i, ends_[bucket]++);
    ++counts_[bucket];
  }
  /// Puts a site at index k of a bucket.
  void assign(Site i, std::uint32_t bucket, std::size_t k) {
    put(i, begin(bucket) + static_cast<Place>(k));
  }

  void prefetch(Site i) const { __builtin_prefetch(places_.data() + i, 1); }

  /// Register copy of the pointers, for inner loops: no store of the loop can alias it.
  class Cursor {
   public:
    explicit Cursor(FlatBuckets& own)
        : sites_(own.sites_.get()),
          places_(own.places_.data()),
          ends_(own.ends_.data()),
          counts_(own.counts_.data()),
          stride_(own.stride_),
          bits_(own.bits_) {}

    std::int32_t* counts() const { return counts_; }
    NHOT_ALWAYS_INLINE Site at(std::uint32_t bucket, std::size_t k) const {
      return sites_[std::size_t{bucket} * stride_ + k];
    }

    /// Moves a site from its bucket to next(bucket) and returns the former, whose last member takes
    /// its place. The counts are updated by `changes`, or by recount().
    template <class Changes, class Next>
    NHOT_ALWAYS_INLINE std::uint32_t move(Site i, Changes& changes, Next&& next) const {
      const Place from = places_[i];
      const std::uint32_t old = from >> bits_;
      const std::uint32_t now = next(old);
      changes.note(old, now);
      // Loads both ends before the stores, whose addresses may not be known yet.
      const Place end = ends_[old] - 1;
      const Place to = ends_[now];
      ends_[old] = end;
      ends_[now] = to + 1;
      const Site last = sites_[end];
      sites_[from] = last;
      places_[last] = from;
      sites_[to] = i;
      places_[i] = to;
      return old;
    }
    /// Recomputes the counts from the ends of the buckets.
    void recount() const {
      for (std::uint32_t k = 0; k < most_buckets; ++k)
        counts_[k] = static_cast<std::int32_t>(ends_[k] - k * stride_);
    }

   private:
    Site* sites_;
    Place* places_;
    Place* ends_;
    std::int32_t* counts_;
    Place stride_;
    unsigned bits_;
  };

 private:
  static unsigned room_bits(std::size_t sites) {
    unsigned bits = 0;
    while ((std::size_t{1} << bits) < sites) ++bits;
    return bits;
  }

  Place begin(std::uint32_t bucket) const { return bucket * stride_; }
  void put(Site i, Place place) {
    sites_[place] = i;
    places_[i] = place;
  }

  unsigned bits_ = 0;  // of an index within a bucket
  Place stride_ = 0;   // from the begin of a bucket to that of the next
  std::size_t size_ = 0;
  std::unique_ptr<Site[]> sites_;  // by place
  std::vector<Place> places_;      // by site
  alignas(64) std::array<std::int32_t, most_buckets> counts_{};
  std::array<Place, most_buckets> ends_{};  // the place after the last, by bucket
};

/// Any number of buckets, each a vector that grows.
class GrowingBuckets {
 public:
  void reset(std::size_t buckets, std::size_t sites) {
    members_.resize(buckets);
    reserve_large(places_, sites);
    places_.resize(sites);
    counts_.assign(buckets, 0);
  }

  const std::int32_t* counts() const { return counts_.data(); }
  Site at(std::uint32_t bucket, std::size_t k) const { return members_[bucket][k]; }
  std::uint32_t bucket(Site i) const { return places_[i].bucket; }

  void insert(Site i, std::uint32_t bucket) {
    assign(i, bucket, static_cast<std::size_t>(counts_[bucket]++));
  }
  void assign(Site i, std::uint32_t bucket, std::size_t k) {
    std::vector<Site>& members = members_[bucket];
    if (k >= members.size()) [[unlikely]]
      members.resize(std::max<std::size_t>(16, k + k / 4));
    members[k] = i;
    places_[i] = {bucket, static_cast<std::uint32_t>(k)};
  }

  void prefetch(Site i) const { __builtin_prefetch(places_.data() + i, 1); }

  /// As FlatBuckets::Cursor::move(); keeps the counts itself.
  template <class Next>
  NHOT_ALWAYS_INLINE std::uint32_t move(Site i, Next&& next) {
    const Place from = places_[i];
    const auto end = static_cast<std::size_t>(--counts_[from.bucket]);
    assign(members_[from.bucket][end], from.bucket, from.index);
    insert(i, next(from.bucket));
    return from.bucket;
  }

 private:
  struct Place {
    std::uint32_t bucket;
    std::uint32_t index;
  };

  std::vector<std::vector<Site>> members_;  // by bucket; the first counts_[bucket] are in use
  std::vector<Place> places_;               // by site
  std::vector<std::int32_t> counts_;
};

}  // namespace nhot
