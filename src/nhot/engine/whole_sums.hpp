// Sites with whole-number weights, and sums of these by side and by block of sites.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nhot/base/aligned.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/base/types.hpp"
#include "nhot/engine/sixteen_spans.hpp"
#include "nhot/engine/whole_weights.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// For every key, which is a side and a span of weights, a tree of sums with sixteen children to a
/// node. Whole numbers add up without rounding: sums are updated by differences, one addition a
/// level, and depend on the weights alone. Two levels hold 4096 sites, four a million.
class WholeSums {
 public:
  using Key = std::uint32_t;
  static constexpr Key key_of(Side side, std::uint32_t span) {
    return side * WholeWeight::spans + span;
  }
  static constexpr Side side_of(Key key) { return key / WholeWeight::spans; }

  /// Room for the sites of so many sides, none of which has a weight yet.
  void reset(Site sites, std::size_t sides) {
    const std::size_t keys = sides * WholeWeight::spans;
    const std::size_t leaves = round_up(sites);
    reserve_large(sites_, leaves);
    sites_.assign(leaves, {0, 0, no_key});
    totals_.assign(keys, 0);
    begins_.clear();
    stride_ = 0;
    std::size_t nodes = leaves / sixteen;
    do {
      few_at_top_ = nodes <= 4;
      begins_.push_back(stride_);
      stride_ += round_up(nodes);
      nodes = (nodes + sixteen - 1) / sixteen;
    } while (begins_.size() < fixed_levels || nodes > 1);
    sums_.clear();
    reserve_large(sums_, stride_ * keys);
    sums_.assign(stride_ * keys, 0);
  }

  /// Gives a site that has none a field and a weight.
  void insert(Site i, double field, Side side, WholeWeight weight) {
    sites_[i] = {field, 0, key_of(side, weight.span)};
    Writer(*this).put(i, sites_[i].key, weight.count);
  }

  double field(Site i) const { return sites_[i].field; }
  void prefetch(Site i) const { __builtin_prefetch(sites_.data() + i, 1); }

  /// Register copy of the pointers, for inner loops: no store of the loop can alias it.
  class Reader {
   public:
    explicit Reader(const WholeSums& own)
        : sites_(own.sites_.data()),
          totals_(own.totals_.data()),
          sums_(own.sums_.data()),
          stride_(own.stride_),
          begins_(own.begins_.data()),
          depth_(own.begins_.size()),
          few_at_top_(own.few_at_top_) {}

    WholeWeight weight(Site i) const {
      return {sites_[i].count, sites_[i].key % WholeWeight::spans};
    }

    /// Sum of the counts of a side times the units of their spans, of which the first is 1.
    NHOT_ALWAYS_INLINE double total(Side side,
                                    const std::array<double, WholeWeight::spans>& units) const {
      const std::int64_t* const t = totals_ + key_of(side, 0);
      return (static_cast<double>(t[0]) + static_cast<double>(t[1]) * units[1]) +
             (static_cast<double>(t[2]) * units[2] + static_cast<double>(t[3]) * units[3]);
    }

    /// The site that the target, below the total of the side, falls on.
    NHOT_ALWAYS_INLINE Site find(Side side, double target) const {
      const Key key = key_of(side, 0);
      if (target < static_cast<double>(totals_[key])) [[likely]]
        return find_with_key(key, static_cast<std::int64_t>(target));
      return find_in_later_spans(side, target - static_cast<double>(totals_[key]));
    }

   private:
    NHOT_ALWAYS_INLINE Site find_with_key(Key key, std::int64_t target) const {
      const std::int64_t* const sums = sums_ + key * stride_;
      // At the top there are often but few nodes.
      std::size_t level = depth_ - 1;
      std::size_t node = few_at_top_ ? find_in_four(sums + begins_[level], target)
                                     : find_in_sixteen(sums + begins_[level], target);
      while (level-- > 0)
        node = node * sixteen + find_in_sixteen(sums + begins_[level] + node * sixteen, target);
      node *= sixteen;
      return static_cast<Site>(node + find_in_sixteen(sites_ + node, key, target));
    }

    [[gnu::noinline]] Site find_in_later_spans(Side side, double target) const {
      Key last = key_of(side, 0);
      for (std::uint32_t span = 1; span < WholeWeight::spans; ++span) {
        const Key key = key_of(side, span);
        if (totals_[key] == 0) continue;
        last = key;
        const double place = target / WholeWeight::unit[span];
        const auto mass = static_cast<double>(totals_[key]);
        if (place < mass) return find_with_key(key, static_cast<std::int64_t>(place));
        target = (place - mass) * WholeWeight::unit[span];
      }
      return find_with_key(last, totals_[last] - 1);  // past the end by a rounding
    }

    const WeighedSite* sites_;
    const std::int64_t* totals_;
    const std::int64_t* sums_;
    std::size_t stride_;
    const std::size_t* begins_;
    std::size_t depth_;
    bool few_at_top_;
  };

  /// The same for changes.
  class Writer {
   public:
    explicit Writer(WholeSums& own)
        : sites_(own.sites_.data()),
          totals_(own.totals_.data()),
          first_(own.sums_.data()),
          second_(own.sums_.data() + own.begins_[1]),
          stride_(own.stride_),
          own_(&own),
          deep_(own.begins_.size() > fixed_levels) {}

    WeighedSite& operator[](Site i) const { return sites_[i]; }

    /// Gives a site another weight; the key is mostly the same.
    NHOT_ALWAYS_INLINE void put(Site i, Key key, std::uint32_t count) const {
      WeighedSite& site = sites_[i];
      if (key != site.key) [[unlikely]] {
        own_->put_elsewhere(i, key, count);
        return;
      }
      const std::int64_t change = std::int64_t{count} - site.count;
      site.count = count;
      add(i, key, change);
    }

    /// The same where the key is another.
    NHOT_ALWAYS_INLINE void put_elsewhere(Site i, Key key, std::uint32_t count) const {
      WeighedSite& site = sites_[i];
      add(i, site.key, -std::int64_t{site.count});
      add(i, key, count);
      site.count = count;
      site.key = key;
    }

   private:
    NHOT_ALWAYS_INLINE void add(Site i, Key key, std::int64_t change) const {
      totals_[key] += change;
      const std::size_t begin = key * stride_;
      first_[begin + i / sixteen] += change;
      second_[begin + i / (sixteen * sixteen)] += change;
      if (deep_) [[unlikely]]
        own_->add_above(i, key, change);
    }

    WeighedSite* sites_;
    std::int64_t* totals_;
    std::int64_t* first_;
    std::int64_t* second_;
    std::size_t stride_;
    WholeSums* own_;
    bool deep_;
  };

 private:
  static constexpr std::size_t fixed_levels = 2;
  static constexpr Key no_key = ~Key{0};

  static std::size_t round_up(std::size_t n) { return (n + sixteen - 1) / sixteen * sixteen; }

  /// Gives a site a weight with another key.
  [[gnu::noinline]] void put_elsewhere(Site i, Key key, std::uint32_t count) {
    Writer(*this).put_elsewhere(i, key, count);
  }

  /// Adds to the sums above the second level.
  [[gnu::noinline]] void add_above(Site i, Key key, std::int64_t change) {
    std::size_t node = i / (sixteen * sixteen);
    for (std::size_t level = fixed_levels; level < begins_.size(); ++level) {
      node /= sixteen;
      sums_[key * stride_ + begins_[level] + node] += change;
    }
  }

  AlignedVector<WeighedSite> sites_;
  std::vector<std::int64_t> totals_;  // by key
  AlignedVector<std::int64_t> sums_;  // by key: level after level, from blocks of sites upwards
  std::vector<std::size_t> begins_;   // of the levels
  std::size_t stride_ = 0;            // from one key to the next
  bool few_at_top_ = false;
};

}  // namespace nhot
