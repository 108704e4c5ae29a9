// The sites of each side as lists, for uniform picks: O(1) pick, O(1) update.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/base/pages.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// One array of all sites, group after group; within a group the differing sites come first.
class SideLists {
 public:
  /// Builds the lists for difference bits u, sites in increasing order.
  void build(const Shell& shell, const Bits& u) {
    const Group groups = shell.sides() / 2;
    begin_.assign(groups + std::size_t{1}, 0);
    differing_.assign(groups, 0);
    for (Site i = 0; i < u.size(); ++i) {
      ++begin_[shell.group_of(i) + std::size_t{1}];
      differing_[shell.group_of(i)] += u[i];
    }
    for (Group g = 0; g < groups; ++g) begin_[g + std::size_t{1}] += begin_[g];
    reserve_large(order_, u.size());
    reserve_large(place_, u.size());
    order_.resize(u.size());
    place_.resize(u.size());
    std::vector<Site> next(2 * std::size_t{groups});
    for (Group g = 0; g < groups; ++g) {
      next[differing(g)] = begin_[g];
      next[agreeing(g)] = begin_[g] + differing_[g];
    }
    for (Site i = 0; i < u.size(); ++i) put(next[2 * shell.group_of(i) + u[i]]++, i);
  }

  Site size(Side side) const {
    const Group g = side / 2;
    return side & 1U ? differing_[g] : begin_[g + std::size_t{1}] - begin_[g] - differing_[g];
  }

  /// The k-th site of a side, in no particular order.
  Site at(Side side, Site k) const { return begin(side)[k]; }

  /// The size(side) sites of a side; valid until a flip.
  const Site* begin(Side side) const {
    const Group g = side / 2;
    return order_.data() + begin_[g] + (side & 1U ? 0 : differing_[g]);
  }

  /// Prefetches what flipped() changes for this site.
  void prefetch(Site i) const { __builtin_prefetch(place_.data() + i, 1); }

  /// Site i of a group moved to the other side; `now` is its new difference bit.
  void flipped(Group g, Site i, Bit now) {
    Site boundary;
    if (now)
      boundary = begin_[g] + differing_[g]++;
    else
      boundary = begin_[g] + --differing_[g];
    const Site other = order_[boundary];
    const Site from = place_[i];
    put(boundary, i);
    put(from, other);
  }

  /// The a-th of the differing and the b-th of the agreeing sites of a group change sides: they
  /// change places, and nothing else moves.
  void exchange(Group g, Site a, Site b) {
    const Site one = begin_[g] + a;
    const Site zero = begin_[g] + differing_[g] + b;
    const Site i = order_[one];
    const Site j = order_[zero];
    put(one, j);
    put(zero, i);
  }

  /// Register copy for inner loops, of lists with one group; finish() writes their lengths back.
  class Cursor {
   public:
    explicit Cursor(SideLists& own)
        : own_(&own),
          order_(own.order_.data()),
          place_(own.place_.data()),
          differing_(own.differing_[0]),
          sites_(static_cast<Site>(own.order_.size())) {
      NHOT_EXPECTS(own.differing_.size() == 1);
    }

    Site size(Side side) const { return side ? differing_ : sites_ - differing_; }
    const Site* begin(Side side) const { return order_ + (side ? 0 : differing_); }

    NHOT_ALWAYS_INLINE void flipped(Site i, Bit now) {
      const Site boundary = now ? differing_ : differing_ - 1;
      differing_ += now ? 1U : -1U;
      const Site other = order_[boundary];
      const Site from = place_[i];
      order_[boundary] = i;
      place_[i] = boundary;
      order_[from] = other;
      place_[other] = from;
    }

    void finish() const { own_->differing_[0] = differing_; }

   private:
    SideLists* own_;
    Site* order_;
    Site* place_;
    Site differing_;
    Site sites_;
  };

  void save(ByteWriter& out) const {
    out.put(order_);
    out.put(differing_);
  }

  /// Restores the order, of lists that were built for the same bits.
  void restore(ByteReader& in) {
    const std::vector<Site> built = order_;
    const std::vector<Site> counts = differing_;
    in.get_sized(order_, built.size());
    in.get_sized(differing_, counts.size());
    if (differing_ != counts) ByteReader::damaged();
    for (Group g = 0; g < counts.size(); ++g) {
      const Site middle = begin_[g] + counts[g];
      if (!same_sites(built, begin_[g], middle) ||
          !same_sites(built, middle, begin_[g + std::size_t{1}]))
        ByteReader::damaged();
    }
    for (Site k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
  }

 private:
  /// True when [begin, end) of the order holds the sites that `built` holds there, in any order.
  bool same_sites(const std::vector<Site>& built, Site begin, Site end) const {
    std::vector<Site> now(order_.begin() + begin, order_.begin() + end);
    std::sort(now.begin(), now.end());
    return std::equal(now.begin(), now.end(), built.begin() + begin);
  }

  void put(Site place, Site i) {
    order_[place] = i;
    place_[i] = place;
  }

  std::vector<Site> begin_;      // of each group, and the end
  std::vector<Site> differing_;  // number of differing sites of each group
  std::vector<Site> order_;
  std::vector<Site> place_;
};

}  // namespace nhot
