// Engine `tree`: sum trees over the sites, O(log sites) select and update. For any couplings.
#pragma once

#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/engine/sum_tree.hpp"

namespace nhot {

/// The weights of a weight_set as functions of a site. Integer fields of few values have a table.
template <class Kernel>
class SiteWeights {
 public:
  using Field = typename Kernel::Field;

  void set(const Configuration<Kernel>& c, WeightSet weight_set) {
    weight_set_ = std::move(weight_set);
    if constexpr (Kernel::exact) {
      max_field_ = c.kernel->max_field();
      levels_ =
          2 * max_field_ + 1 <= most_levels ? 2 * static_cast<std::size_t>(max_field_) + 1 : 0;
      for (Side kind = 0; kind < 2; ++kind) {
        table_[kind].clear();
        for (unsigned e = 0; e < weight_set_.size(kind); ++e)
          for (std::size_t l = 0; l < levels_; ++l)
            table_[kind].push_back(weight_set_(kind, e).weight(
                c.kernel->quantum() * static_cast<double>(static_cast<long long>(l) - max_field_)));
      }
    }
  }

  const WeightSet& weight_set() const { return weight_set_; }

  NHOT_ALWAYS_INLINE double operator()(const Configuration<Kernel>& c, Site i, Side side,
                                       unsigned index) const {
    if constexpr (Kernel::exact)
      if (levels_ > 0) [[likely]]
        return table_[side & 1U]
                     [index * levels_ + static_cast<std::size_t>(c.delta(i) + max_field_)];
    return weight_set_(side, index).weight(c.delta_energy(i));
  }

 private:
  static constexpr long long most_levels = 4096;

  WeightSet weight_set_;
  long long max_field_ = 0;
  std::size_t levels_ = 0;                    // 0: too many for a table
  std::array<std::vector<double>, 2> table_;  // by kind of side; index, then dE
};

/// One tree for every side and weight function, holding the weights of the sites of that side.
template <class Kernel>
class TreeEngine {
 public:
  static constexpr const char* name = "tree";

  TreeEngine(const Configuration<Kernel>& c, WeightSet weight_set) {
    set_weights(c, std::move(weight_set));
  }

  void set_weights(const Configuration<Kernel>& c, WeightSet weight_set) {
    weights_.set(c, std::move(weight_set));
    first_.assign(c.shell->sides() + std::size_t{1}, 0);
    for (Side side = 0; side < c.shell->sides(); ++side)
      first_[side + std::size_t{1}] = first_[side] + weights_.weight_set().size(side);
    trees_.assign(first_.back(), SumTree(c.sites()));
    rebuild(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (Side side = 0; side < c.shell->sides(); ++side)
      for (unsigned e = 0; e < weights_.weight_set().size(side); ++e)
        tree(side, e).fill(c.sites(), [&](std::size_t k) {
          const auto i = static_cast<Site>(k);
          return c.side(i) == side ? weights_(c, i, side, e) : 0.0;
        });
  }

  void flipped(const Configuration<Kernel>& c, Site i) {
    const Side now = c.side(i);
    for (unsigned e = 0; e < weights_.weight_set().size(opposite(now)); ++e)
      tree(opposite(now), e).put(i, 0.0);
    refresh(c, i, now);
  }

  NHOT_ALWAYS_INLINE void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field) {
    refresh(c, j, c.side(j));
  }

  /// Updates the sums after the changes of a flip.
  NHOT_ALWAYS_INLINE void settle() {
    for (SumTree& t : trees_) t.settle();
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
    const SumTree& t = tree(side, index);
    if (total.log_scale != 0) [[unlikely]]
      return scan::scaled_select(c, draws, side, weights_.weight_set()(side, index), total);
    return draws.locate(t.total(),
                        [&](double target) { return static_cast<Site>(t.find(target)); });
  }

  void save(ByteWriter&) const {}  // a function of the fields, which are saved
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  SumTree& tree(Side side, unsigned index) { return trees_[first_[side] + index]; }
  const SumTree& tree(Side side, unsigned index) const { return trees_[first_[side] + index]; }

  NHOT_ALWAYS_INLINE void refresh(const Configuration<Kernel>& c, Site i, Side side) {
    for (unsigned e = 0; e < weights_.weight_set().size(side); ++e)
      tree(side, e).put(i, weights_(c, i, side, e));
  }

  SiteWeights<Kernel> weights_;
  std::vector<std::size_t> first_;  // first tree of each side
  std::vector<SumTree> trees_;
};

}  // namespace nhot
