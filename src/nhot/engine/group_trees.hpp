// Engine `tree` on grouped shells: a sum tree for each side of each large group.
#pragma once

#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/engine/sum_tree.hpp"
#include "nhot/engine/tree.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// One tree for every side and weight function, with a leaf for each site of the group: O(log of
/// the group) to select, and for every site whose field changes. Sites of small groups are weighed
/// when they are asked for: O(group) to select, and a flip costs no more than the changes of the
/// fields. Nothing depends on the number of groups.
template <class Kernel, Site largest_scanned>
class GroupTrees {
 public:
  static constexpr const char* name = "tree";

  GroupTrees(const Configuration<Kernel>& c, WeightSet weight_set) {
    set_weights(c, std::move(weight_set));
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weights_.set(c, std::move(weight_set));
    make_trees(*c.shell);
    rebuild(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (Side side = 0; side < c.shell->sides(); ++side) {
      const std::span<const Site> members = c.members(side);
      for (unsigned e = 0; e < trees_of(side); ++e)
        tree(side, e).fill(members.size(), [&](std::size_t k) {
          return c.side(members[k]) == side ? weights_(c, members[k], side, e) : 0.0;
        });
    }
    stale_.clear();
  }

  void flipped(const Configuration<Kernel>& c, Site i) {
    if (trees_.empty()) return;
    const Side now = c.side(i);
    for (std::size_t t = first_[opposite(now)]; t < first_[opposite(now) + std::size_t{1}]; ++t)
      put(t, c.shell->place(i), 0.0);
    refresh(c, i, now);
  }

  NHOT_ALWAYS_INLINE void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field) {
    if (!trees_.empty()) refresh(c, j, c.side(j));
  }

  /// Updates the sums after the changes of a flip.
  void settle() {
    for (const std::size_t t : stale_) trees_[t].settle();
    stale_.clear();
  }

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned index) const {
    const double sum = trees_of(side) > 0 ? tree(side, index).total() : scanned(c, side, index);
    if (in_safe_range(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(c, side, weights_.weight_set()(side, index));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    if (total.log_scale != 0) [[unlikely]]
      return scan::scaled_select(c, draws, side, weights_.weight_set()(side, index), total);
    if (trees_of(side) == 0)
      return draws.locate(total.value, [&](double target) { return scan(c, side, index, target); });
    const SumTree& t = tree(side, index);
    return draws.locate(t.total(), [&](double target) { return c.members(side)[t.find(target)]; });
  }

  void save(ByteWriter&) const {}  // a function of the fields, which are saved
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// Those that are there stay: a change of beta asks for as many functions.
  void make_trees(const Shell& shell) {
    std::vector<std::size_t> first = {0};
    for (Side side = 0; side < shell.sides(); ++side) {
      const bool selects = side / 2 < shell.groups();  // not from free sites
      const bool large = selects && shell.group_size(side / 2) > largest_scanned;
      first.push_back(first.back() + (large ? weights_.weight_set().size(side) : 0));
    }
    if (first == first_) return;
    first_ = std::move(first);
    trees_.clear();
    for (Side side = 0; side < shell.sides(); ++side)
      while (trees_.size() < first_[side + std::size_t{1}])
        trees_.emplace_back(shell.group_size(side / 2));
  }

  std::size_t trees_of(Side side) const { return first_[side + std::size_t{1}] - first_[side]; }

  /// The sum of the weights of a side, in the order of the sites.
  double scanned(const Configuration<Kernel>& c, Side side, unsigned index) const {
    double sum = 0;
    for (const Site i : c.members(side))
      if (c.u[i] == (side & 1U)) sum += weights_(c, i, side, index);
    return sum;
  }
  /// The site in whose span of that sum `target` falls; never one of weight zero.
  Site scan(const Configuration<Kernel>& c, Side side, unsigned index, double target) const {
    Site last = 0;
    for (const Site i : c.members(side)) {
      if (c.u[i] != (side & 1U)) continue;
      const double weight = weights_(c, i, side, index);
      if (weight == 0) continue;
      last = i;
      if (target < weight) break;
      target -= weight;
    }
    return last;
  }

  SumTree& tree(Side side, unsigned index) { return trees_[first_[side] + index]; }
  const SumTree& tree(Side side, unsigned index) const { return trees_[first_[side] + index]; }

  NHOT_ALWAYS_INLINE void put(std::size_t t, Site place, double value) {
    trees_[t].put(place, value);
    if (stale_.empty() || stale_.back() != t) stale_.push_back(t);
  }

  NHOT_ALWAYS_INLINE void refresh(const Configuration<Kernel>& c, Site i, Side side) {
    for (unsigned e = 0; e < trees_of(side); ++e)
      put(first_[side] + e, c.shell->place(i), weights_(c, i, side, e));
  }

  SiteWeights<Kernel> weights_;
  std::vector<std::size_t> first_;  // first tree of each side, and the end
  std::vector<SumTree> trees_;
  std::vector<std::size_t> stale_;  // trees with sums that lag behind; some more than once
};

/// As a group of more sites pays for its trees.
template <class Kernel>
using GroupTreesEngine = GroupTrees<Kernel, 24>;

}  // namespace nhot
