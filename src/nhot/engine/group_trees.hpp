// Engine `tree` on grouped shells: a small sum tree for each side of each group.
#pragma once

#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/engine/sum_tree.hpp"
#include "nhot/engine/tree.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// One tree for every side and weight function, with a leaf for each site of the group. A flip
/// updates the trees that its changes meet and no others, so its cost does not grow with the number
/// of groups: O(log of the group) for every site whose field changes.
template <class Kernel>
class GroupTreesEngine {
 public:
  static constexpr const char* name = "tree";

  GroupTreesEngine(const Configuration<Kernel>& c, WeightSet weight_set) {
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
      for (unsigned e = 0; e < weights_.weight_set().size(side); ++e)
        tree(side, e).fill(members.size(), [&](std::size_t k) {
          return c.side(members[k]) == side ? weights_(c, members[k], side, e) : 0.0;
        });
    }
    stale_.clear();
  }

  void flipped(const Configuration<Kernel>& c, Site i) {
    const Side now = c.side(i);
    for (std::size_t t = first_[opposite(now)]; t < first_[opposite(now) + std::size_t{1}]; ++t)
      put(t, c.shell->place(i), 0.0);
    refresh(c, i, now);
  }

  NHOT_ALWAYS_INLINE void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field) {
    refresh(c, j, c.side(j));
  }

  /// Updates the sums after the changes of a flip.
  void settle() {
    for (const std::size_t t : stale_) trees_[t].settle();
    stale_.clear();
  }

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned index) const {
    const double sum = tree(side, index).total();
    if (in_safe_range(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(c, side, weights_.weight_set()(side, index));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    if (total.log_scale != 0) [[unlikely]]
      return scan::scaled_select(c, draws, side, weights_.weight_set()(side, index), total);
    const SumTree& t = tree(side, index);
    return draws.locate(t.total(), [&](double target) { return c.members(side)[t.find(target)]; });
  }

  void save(ByteWriter&) const {}  // a function of the fields, which are saved
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  /// Those that are there stay: a change of beta asks for as many functions.
  void make_trees(const Shell& shell) {
    std::vector<std::size_t> first = {0};
    for (Side side = 0; side < shell.sides(); ++side)
      first.push_back(first.back() + weights_.weight_set().size(side));
    if (first == first_) return;
    first_ = std::move(first);
    trees_.clear();
    for (Side side = 0; side < shell.sides(); ++side)
      while (trees_.size() < first_[side + std::size_t{1}])
        trees_.emplace_back(shell.group_size(side / 2));
  }

  SumTree& tree(Side side, unsigned index) { return trees_[first_[side] + index]; }
  const SumTree& tree(Side side, unsigned index) const { return trees_[first_[side] + index]; }

  NHOT_ALWAYS_INLINE void put(std::size_t t, Site place, double value) {
    trees_[t].put(place, value);
    if (stale_.empty() || stale_.back() != t) stale_.push_back(t);
  }

  NHOT_ALWAYS_INLINE void refresh(const Configuration<Kernel>& c, Site i, Side side) {
    for (unsigned e = 0; e < weights_.weight_set().size(side); ++e)
      put(first_[side] + e, c.shell->place(i), weights_(c, i, side, e));
  }

  SiteWeights<Kernel> weights_;
  std::vector<std::size_t> first_;  // first tree of each side, and the end
  std::vector<SumTree> trees_;
  std::vector<std::size_t> stale_;  // trees with sums that lag behind; some more than once
};

}  // namespace nhot
