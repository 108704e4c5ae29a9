// Engine `dense`: for models in which a flip changes whole runs of fields. The weights of the run
// are recomputed in one pass, with sums over blocks of sites, so that a selection scans block sums
// and then one block.
#pragma once

#include <array>
#include <vector>

#include "nhot/base/bytes.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/select/scan.hpp"

namespace nhot {

/// O(run) per flip, O(sites / block + block) per selection. Sums are recomputed, never updated, so
/// they do not drift.
template <class Kernel>
class DenseEngine {
 public:
  static constexpr const char* name = "dense";
  static constexpr Site block = 32;

  DenseEngine(const Configuration<Kernel>& c, WeightPalette palette) {
    set_palette(c, std::move(palette));
  }

  void set_palette(const Configuration<Kernel>& c, WeightPalette palette) {
    palette_ = std::move(palette);
    blocks_ = (c.sites() + block - 1) / block;
    first_.assign(c.shell->sides() + std::size_t{1}, 0);
    for (Side side = 0; side < c.shell->sides(); ++side)
      first_[side + std::size_t{1}] = first_[side] + palette_.entries(side);
    weights_.assign(first_.back() * c.sites(), 0.0);
    block_sums_.assign(first_.back() * blocks_, 0.0);
    totals_.assign(first_.back(), 0.0);
    rebuild(c);
  }

  void rebuild(const Configuration<Kernel>& c) { refresh(c, {0, c.sites()}); }

  void flipped(const Configuration<Kernel>& c, Site i) { refresh(c, {i, i + 1}); }
  void range_changed(const Configuration<Kernel>& c, Site flipped_site, SiteRange range) {
    refresh(c, range);
    if (flipped_site < range.begin || flipped_site >= range.end) flipped(c, flipped_site);
  }

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    const double sum = totals_[first_[side] + entry];
    if (in_safe_range(sum)) [[likely]]
      return {sum, 0};
    return scan::scaled_total(c, side, palette_(side, entry));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    const std::size_t slot = first_[side] + entry;
    if (total.log_scale != 0) [[unlikely]]
      return scan::scaled_select(c, draws, side, palette_(side, entry), total);
    const double* sums = block_sums_.data() + slot * blocks_;
    const double* weights = weights_.data() + slot * c.sites();
    return draws.locate(total.value, [&](double target) {
      std::size_t b = 0;
      std::size_t last_block = 0;
      for (; b < blocks_; ++b) {
        if (sums[b] == 0) continue;
        last_block = b;
        if (target < sums[b]) break;
        target -= sums[b];
      }
      // Past the last block by a rounding: its last site.
      if (b == blocks_) target = sums[last_block];
      const Site begin = static_cast<Site>(last_block) * block;
      const Site end = std::min(begin + block, c.sites());
      Site last = begin;
      for (Site i = begin; i < end; ++i) {
        if (weights[i] == 0) continue;
        last = i;
        if (target < weights[i]) return i;
        target -= weights[i];
      }
      return last;
    });
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>& c, ByteReader&) { rebuild(c); }

 private:
  void refresh(const Configuration<Kernel>& c, SiteRange range) {
    const Site first_block = range.begin / block;
    const Site last_block = (range.end + block - 1) / block;
    for (Side side = 0; side < c.shell->sides(); ++side) {
      for (unsigned e = 0; e < palette_.entries(side); ++e) {
        const std::size_t slot = first_[side] + e;
        const WeightFunction& w = palette_(side, e);
        double* weights = weights_.data() + slot * c.sites();
        for (Site i = range.begin; i < range.end; ++i)
          weights[i] = c.side(i) == side ? w.weight(c.delta_energy(i)) : 0.0;
        double* sums = block_sums_.data() + slot * blocks_;
        for (Site b = first_block; b < last_block; ++b) {
          double sum = 0;
          const Site end = std::min((b + 1) * block, c.sites());
          for (Site i = b * block; i < end; ++i) sum += weights[i];
          sums[b] = sum;
        }
        double sum = 0;
        for (std::size_t b = 0; b < blocks_; ++b) sum += sums[b];
        totals_[slot] = sum;
      }
    }
  }

  WeightPalette palette_;
  std::size_t blocks_ = 0;
  std::vector<std::size_t> first_;  // first slot of each side; a slot is a (side, entry)
  std::vector<double> weights_;     // by slot, then site; zero for sites of the other side
  std::vector<double> block_sums_;  // by slot, then block
  std::vector<double> totals_;      // by slot
};

}  // namespace nhot
