// A sum tree with eight children to a node, which share a cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "nhot/base/aligned.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/engine/eight_spans.hpp"

namespace nhot {

/// Every sum is recomputed from its eight children, in a fixed order, so sums never drift: their
/// error is that of three rounded additions a level. Three levels hold 512 leaves, eight hold 16
/// million.
///
/// Several leaves that change together are put() and then settled once: leaves that share a cache
/// line share the path to the root.
class SumTree {
 public:
  explicit SumTree(std::size_t size) {
    std::size_t nodes = std::max<std::size_t>(size, 1);
    std::size_t room = 0;
    do {
      first_.push_back(room);
      nodes = (nodes + width - 1) / width;
      room += nodes * width;
    } while (nodes > 1);
    nodes_.assign(room, 0.0);
  }

  /// Sum of all leaves.
  double total() const { return total_; }
  double operator[](std::size_t i) const { return nodes_[i]; }

  /// Changes a leaf; sums lag behind until settle().
  NHOT_ALWAYS_INLINE void put(std::size_t i, double value) {
    nodes_[i] = value;
    const std::size_t line = i / width;
    if (!stale_.empty() && stale_.back() == line) return;
    stale_.push_back(line);
  }

  /// Brings the sums up to date.
  void settle() {
    if (stale_.empty()) return;
    const std::size_t levels = first_.size();
    double* nodes = nodes_.data();
    for (std::size_t level = 0; level + 1 < levels; ++level) {
      const double* lines = nodes + first_[level];
      double* sums = nodes + first_[level + 1];
      std::size_t kept = 0;
      for (const std::size_t line : stale_) {
        sums[line] = sum_of_eight(lines + line * width);
        const std::size_t above = line / width;
        if (kept == 0 || stale_[kept - 1] != above) stale_[kept++] = above;
      }
      stale_.resize(kept);
    }
    total_ = sum_of_eight(nodes + first_.back());
    stale_.clear();
  }

  void set(std::size_t i, double value) {
    put(i, value);
    settle();
  }

  /// Sets all leaves from value(i) and sums once: O(size).
  template <class Value>
  void fill(std::size_t size, Value&& value) {
    for (std::size_t i = 0; i < size; ++i) nodes_[i] = value(i);
    for (std::size_t level = 0; level + 1 < first_.size(); ++level) {
      const std::size_t lines = (first_[level + 1] - first_[level]) / width;
      for (std::size_t line = 0; line < lines; ++line)
        nodes_[first_[level + 1] + line] =
            sum_of_eight(nodes_.data() + first_[level] + line * width);
    }
    total_ = sum_of_eight(nodes_.data() + first_.back());
    stale_.clear();
  }

  /// The leaf in whose span `target` falls; never a leaf of weight zero while the total is
  /// positive.
  std::size_t find(double target) const {
    std::size_t line = 0;
    for (std::size_t level = first_.size(); level-- > 0;)
      line = line * width + find_in_eight(nodes_.data() + first_[level] + line * width, target);
    return line;
  }

 private:
  static constexpr std::size_t width = eight;

  std::vector<std::size_t> first_;  // of each level, leaves first
  AlignedVector<double> nodes_;
  double total_ = 0;
  std::vector<std::size_t> stale_;  // lines whose sums lag behind, mostly in increasing order
};

}  // namespace nhot
