// Sites in buckets: where each one is, and who is in each, with O(1) moves between buckets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/base/types.hpp"

namespace nhot {

/// At most 16 buckets. Each has room for all sites, of which the system gives what is written to,
/// so a place is one number for bucket and member, and nothing has to be looked up or checked on
/// the way.
///
/// The numbers of sites change by whole vectors, once for all moves of a flip: what reads them next
/// need not wait until the buckets have been written one after the other.
class FlatBuckets {
  using Place = std::uint32_t;
  using Changes = std::int8_t __attribute__((vector_size(16)));
  static constexpr std::size_t most_buckets = 16;

 public:
  static bool fits(std::size_t buckets, std::size_t sites) {
    return buckets <= most_buckets && room_bits(sites) <= 24;
  }

  /// Empty buckets.
  void reset(std::size_t buckets, std::size_t sites) {
    const unsigned bits = room_bits(sites);
    if (const std::size_t wanted = buckets << bits; wanted != size_) {
      bits_ = bits;
      size_ = wanted;
      sites_.reset(new Site[wanted]);  // not written to
      prefer_large_pages(sites_.get(), wanted * sizeof(Site));
    }
    reserve_large(places_, sites);
    places_.resize(sites);
    counts_.fill(0);
    for (std::size_t k = 0; k < buckets; ++k) ends_[k] = begin(static_cast<std::uint32_t>(k));
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
  /// Puts a site at the k-th place of a bucket.
  void assign(Site i, std::uint32_t bucket, std::size_t k) {
    put(i, begin(bucket) + static_cast<Place>(k));
  }

  void prefetch(Site i) const { __builtin_prefetch(places_.data() + i, 1); }

  /// A few moves together: at most 127, then finish().
  class Moves {
   public:
    explicit Moves(FlatBuckets& own)
        : own_(own),
          sites_(own.sites_.get()),
          places_(own.places_.data()),
          ends_(own.ends_.data()),
          bits_(own.bits_) {}

    /// Moves a site to the bucket that `next` makes of its own, which is returned. The last of its
    /// old bucket takes its place.
    template <class Next>
    NHOT_ALWAYS_INLINE std::uint32_t move(Site i, Next&& next) {
      const Place from = places_[i];
      const std::uint32_t old = from >> bits_;
      const std::uint32_t now = next(old);
      change_ += one_hot(now) - one_hot(old);
      const Site last = sites_[--ends_[old]];
      sites_[from] = last;
      places_[last] = from;
      const Place to = ends_[now]++;
      sites_[to] = i;
      places_[i] = to;
      return old;
    }

    NHOT_ALWAYS_INLINE void finish() {
      std::int32_t* const counts = own_.counts_.data();
#ifdef __SSE2__
      // Bytes to numbers of four bytes: twice into the upper half, then shifted down with the sign.
      const auto change = reinterpret_cast<__m128i>(change_);
      const __m128i low = _mm_unpacklo_epi8(change, change);
      const __m128i high = _mm_unpackhi_epi8(change, change);
      const auto add = [](std::int32_t* to, __m128i words) NHOT_INLINE_LAMBDA {
        auto* const four = reinterpret_cast<__m128i*>(to);
        _mm_store_si128(four, _mm_add_epi32(_mm_load_si128(four), _mm_srai_epi32(words, 24)));
      };
      add(counts, _mm_unpacklo_epi16(low, low));
      add(counts + 4, _mm_unpackhi_epi16(low, low));
      add(counts + 8, _mm_unpacklo_epi16(high, high));
      add(counts + 12, _mm_unpackhi_epi16(high, high));
#else
      for (std::size_t k = 0; k < most_buckets; ++k) counts[k] += change_[k];
#endif
    }

   private:
    FlatBuckets& own_;
    Site* sites_;
    std::uint32_t* places_;
    std::uint32_t* ends_;
    unsigned bits_;
    Changes change_{};
  };

 private:
  static unsigned room_bits(std::size_t sites) {
    unsigned bits = 0;
    while ((std::size_t{1} << bits) < sites) ++bits;
    return bits;
  }

  Place begin(std::uint32_t bucket) const { return bucket << bits_; }
  void put(Site i, Place place) {
    sites_[place] = i;
    places_[i] = place;
  }

  NHOT_ALWAYS_INLINE static Changes one_hot(std::uint32_t bucket) {
    Changes row;
    std::memcpy(&row, rows.data() + bucket, sizeof row);
    return row;
  }
  using Row = std::array<std::int8_t, 16>;
  alignas(64) static constexpr std::array<Row, most_buckets> rows = [] {
    std::array<Row, most_buckets> table{};
    for (std::size_t k = 0; k < most_buckets; ++k) table[k][k] = 1;
    return table;
  }();

  unsigned bits_ = 0;  // of a member within its bucket
  std::size_t size_ = 0;
  std::unique_ptr<Site[]> sites_;  // by place
  std::vector<Place> places_;      // by site
  alignas(64) std::array<std::int32_t, most_buckets> counts_{};
  std::array<Place, most_buckets> ends_{};  // the place after the last, by bucket
};

/// Any number of buckets, which grow.
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

  class Moves {
   public:
    explicit Moves(GrowingBuckets& own) : own_(own) {}

    template <class Next>
    NHOT_ALWAYS_INLINE std::uint32_t move(Site i, Next&& next) {
      const Place from = own_.places_[i];
      const auto end = static_cast<std::size_t>(--own_.counts_[from.bucket]);
      own_.assign(own_.members_[from.bucket][end], from.bucket, from.index);
      own_.insert(i, next(from.bucket));
      return from.bucket;
    }
    void finish() {}

   private:
    GrowingBuckets& own_;
  };

 private:
  struct Place {
    std::uint32_t bucket;
    std::uint32_t index;
  };

  std::vector<std::vector<Site>> members_;  // by bucket; the counts say how many of them are there
  std::vector<Place> places_;               // by site
  std::vector<std::int32_t> counts_;
};

}  // namespace nhot
