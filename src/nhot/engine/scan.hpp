// Totals and selection by a scan of all sites: the reference for all engines, and the fallback of
// `tree` and `dense` for weights out of range.
#pragma once

#include <limits>

#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

// A view is a Configuration, or anything else with sites(), side(i) and delta_energy(i); with
// members(side) where a side has few of the sites.
namespace nhot::scan {

/// 0, 1, ... count - 1.
class AllSites {
 public:
  class Iterator {
   public:
    explicit Iterator(Site at) : at_(at) {}
    Site operator*() const { return at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    Site at_;
  };

  explicit AllSites(Site count) : count_(count) {}
  Iterator begin() const { return Iterator(0); }
  Iterator end() const { return Iterator(count_); }
  std::size_t size() const { return count_; }
  Site operator[](std::size_t k) const { return static_cast<Site>(k); }

 private:
  Site count_;
};

/// Sites that a side may have: those of its group.
template <class View>
auto candidates(const View& c, Side side) {
  if constexpr (requires { c.members(side); })
    return c.members(side);
  else
    return AllSites(c.sites());
}

/// Largest log weight on a side; -infinity when the side is empty.
template <class View>
double largest_log_weight(const View& c, Side side, const WeightFunction& w) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Site i : candidates(c, side))
    if (c.side(i) == side) largest = std::max(largest, w.log_weight(c.delta_energy(i)));
  return largest;
}

/// Total scaled by the largest weight, which is right for any finite dE.
template <class View>
ScaledWeight scaled_total(const View& c, Side side, const WeightFunction& w) {
  const double largest = largest_log_weight(c, side, w);
  double sum = 0;
  for (const Site i : candidates(c, side))
    if (c.side(i) == side) sum += std::exp(w.log_weight(c.delta_energy(i)) - largest);
  return {sum, largest};
}

/// Selection that goes with scaled_total.
template <class View, DrawSource Draws>
Site scaled_select(const View& c, Draws& draws, Side side, const WeightFunction& w,
                   const ScaledWeight& total) {
  return draws.locate(total.value, [&](double target) {
    Site last = 0;
    for (const Site i : candidates(c, side)) {
      if (c.side(i) != side) continue;
      const double weight = std::exp(w.log_weight(c.delta_energy(i)) - total.log_scale);
      if (weight == 0) continue;
      last = i;
      if (target < weight) return i;
      target -= weight;
    }
    return last;
  });
}

}  // namespace nhot::scan
