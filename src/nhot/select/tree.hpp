// Engine `tree`: sum trees over the sites, O(log sites) select and update. For any couplings.
#pragma once

#include <bit>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/select/scan.hpp"

namespace nhot {

/// Binary sum tree. Every node is recomputed from its two children, so sums never drift: their
/// error is that of adding log2(size) rounded pairs.
class SumTree {
 public:
  explicit SumTree(std::size_t size)
      : leaves_(std::bit_ceil(std::max<std::size_t>(size, 1))), nodes_(2 * leaves_, 0.0) {}

  double total() const { return nodes_[1]; }
  double operator[](std::size_t i) const { return nodes_[leaves_ + i]; }

  void set(std::size_t i, double value) {
    std::size_t node = leaves_ + i;
    nodes_[node] = value;
    while (node > 1) {
      node /= 2;
      nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
    }
  }

  /// Sets all leaves from value(i) and sums once: O(size).
  template <class Value>
  void fill(std::size_t size, Value&& value) {
    for (std::size_t i = 0; i < size; ++i) nodes_[leaves_ + i] = value(i);
    for (std::size_t node = leaves_ - 1; node > 0; --node)
      nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
  }

  /// The leaf in whose span `target` falls; never a leaf of weight zero while the total is
  /// positive.
  std::size_t find(double target) const {
    std::size_t node = 1;
    while (node < leaves_) {
      node *= 2;
      const double left = nodes_[node];
      if (target >= left && nodes_[node + 1] > 0) {
        target -= left;
        ++node;
      } else if (left == 0) {
        ++node;
      }
    }
    return node - leaves_;
  }

 private:
  std::size_t leaves_;
  std::vector<double> nodes_;  // 1-based heap order; nodes_[0] unused
};

/// One tree for every side and palette entry, holding the weights of the sites of that side.
template <class Kernel>
class TreeEngine {
 public:
  static constexpr const char* name = "tree";

  TreeEngine(const Configuration<Kernel>& c, WeightPalette palette) {
    set_palette(c, std::move(palette));
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    palette_ = std::move(palette);
    first_.assign(c.shell->sides() + std::size_t{1}, 0);
    for (Side side = 0; side < c.shell->sides(); ++side)
      first_[side + std::size_t{1}] = first_[side] + palette_.entries(side);
    trees_.assign(first_.back(), SumTree(c.sites()));
    rebuild(c);
  }

  void rebuild(const Configuration<Kernel>& c) {
    for (Side side = 0; side < c.shell->sides(); ++side)
      for (unsigned e = 0; e < palette_.entries(side); ++e)
        tree(side, e).fill(c.sites(), [&](std::size_t k) {
          const auto i = static_cast<Site>(k);
          return c.side(i) == side ? weight(c, i, side, e) : 0.0;
        });
  }

  void flipped(const Configuration<Kernel>& c, Site i) {
    const Side now = c.side(i);
    for (unsigned e = 0; e < palette_.entries(opposite(now)); ++e)
      tree(opposite(now), e).set(i, 0.0);
    refresh(c, i, now);
  }

  void changed(const Configuration<Kernel>& c, Site j, typename Kernel::Field) {
    refresh(c, j, c.side(j));
  }

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    const double sum = tree(side, entry).total();
    if (in_safe_range(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(c, side, palette_(side, entry));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    const SumTree& t = tree(side, entry);
    if (total.log_scale != 0) [[unlikely]]
      return scan::scaled_select(c, draws, side, palette_(side, entry), total);
    return draws.locate(t.total(),
                        [&](double target) { return static_cast<Site>(t.find(target)); });
  }

  void save(ByteWriter&) const {}  // a function of the fields, which are saved
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  SumTree& tree(Side side, unsigned entry) { return trees_[first_[side] + entry]; }
  const SumTree& tree(Side side, unsigned entry) const { return trees_[first_[side] + entry]; }

  double weight(const Configuration<Kernel>& c, Site i, Side side, unsigned entry) const {
    return palette_(side, entry).weight(c.delta_energy(i));
  }

  void refresh(const Configuration<Kernel>& c, Site i, Side side) {
    for (unsigned e = 0; e < palette_.entries(side); ++e)
      tree(side, e).set(i, weight(c, i, side, e));
  }

  WeightPalette palette_;
  std::vector<std::size_t> first_;  // first tree of each side
  std::vector<SumTree> trees_;
};

}  // namespace nhot
