// Draws without replacement in proportion to weights that stay as they were at the start.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/engine/tree.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// The sites of one side with their weights, drawn one after another: each draw takes site i with
/// probability w_i / (total of the sites still inside).
///
/// Totals are recomputed from the leaves of a sum tree, so taking out a site that holds nearly all
/// of the weight cancels no digits of the rest. When the rest leaves the safe range, the weights
/// are recomputed on a new scale. With the sites of the group, O(sites) to fill, O(log sites) to
/// draw or take.
class Urn {
 public:
  /// Puts in the sites of a side, with weights at the configuration as it is now; it must not
  /// change while the urn is in use.
  template <class View>
  void fill(const View& c, Side side, const WeightFunction& function) {
    side_ = side;
    function_ = function;
    const auto sites = scan::candidates(c, side);
    if (out_.size() != sites.size()) {
      out_.assign(sites.size(), 0);
      taken_.clear();
      tree_ = SumTree(sites.size());
    }
    for (const Site k : taken_) out_[k] = 0;
    taken_.clear();
    log_scale_ = 0;
    tree_.fill(sites.size(), [&](std::size_t k) {
      const Site i = sites[k];
      return c.side(i) == side_ ? function_.weight(c.delta_energy(i)) : 0.0;
    });
    if (!in_safe_range(tree_.total())) [[unlikely]]
      rescale(c);
  }

  /// Weight of the sites inside.
  ScaledWeight total() const { return {tree_.total(), log_scale_}; }

  /// The log weight of a site, inside or not, while c is as it was at fill(). gamma dE is clamped
  /// to +-1e300, so that differences stay finite.
  template <class View>
  double log_weight(const View& c, Site i) const {
    return log_bias(function_.bias, std::clamp(function_.gamma * c.delta_energy(i), -1e300, 1e300));
  }

  /// Draws a site; it stays inside.
  template <class View, DrawSource Draws>
  Site draw(const View& c, Draws& draws) const {
    // The closed end is moved to the double below it, so that no last site of vanishing weight is
    // drawn.
    const double end = std::nextafter(tree_.total(), 0.0);
    const auto sites = scan::candidates(c, side_);
    return draws.locate(tree_.total(),
                        [&](double target) { return sites[tree_.find(std::min(target, end))]; });
  }

  /// Takes a site out. The last one may be taken; the total is then zero.
  template <class View>
  void take(const View& c, Site i) {
    const Site k = c.place(i);
    NHOT_EXPECTS(c.side(i) == side_ && !out_[k]);
    out_[k] = 1;
    taken_.push_back(k);
    tree_.set(k, 0.0);
    if (!in_safe_range(tree_.total())) [[unlikely]]
      rescale(c);
  }

 private:
  template <class View>
  void rescale(const View& c) {
    double largest = -std::numeric_limits<double>::infinity();
    const auto sites = scan::candidates(c, side_);
    for (const Site i : sites)
      if (inside(c, i)) largest = std::max(largest, log_weight(c, i));
    log_scale_ = std::isfinite(largest) ? largest : 0;
    tree_.fill(sites.size(), [&](std::size_t k) {
      const Site i = sites[k];
      return inside(c, i) ? std::exp(log_weight(c, i) - log_scale_) : 0.0;
    });
  }

  template <class View>
  bool inside(const View& c, Site i) const {
    return c.side(i) == side_ && !out_[c.place(i)];
  }

  Side side_ = 0;
  WeightFunction function_;
  SumTree tree_{1};
  double log_scale_ = 0;
  Bits out_;                 // by place in the group
  std::vector<Site> taken_;  // places
};

}  // namespace nhot
