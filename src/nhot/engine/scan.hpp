// Totals and selection by a scan of all sites: the reference for all engines, and the fallback of
// `tree` and `dense` for weights out of range.
#pragma once

#include <limits>

#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

// A view is a Configuration, or anything else with sites(), side(i) and delta_energy(i).
namespace nhot::scan {

/// Largest log weight on a side; -infinity when the side is empty.
template <class View>
double largest_log_weight(const View& c, Side side, const WeightFunction& w) {
  double largest = -std::numeric_limits<double>::infinity();
  for (Site i = 0; i < c.sites(); ++i)
    if (c.side(i) == side) largest = std::max(largest, w.log_weight(c.delta_energy(i)));
  return largest;
}

/// Total scaled by the largest weight, which is right for any finite dE.
template <class View>
ScaledWeight scaled_total(const View& c, Side side, const WeightFunction& w) {
  const double largest = largest_log_weight(c, side, w);
  double sum = 0;
  for (Site i = 0; i < c.sites(); ++i)
    if (c.side(i) == side) sum += std::exp(w.log_weight(c.delta_energy(i)) - largest);
  return {sum, largest};
}

/// Selection that goes with scaled_total.
template <class View, DrawSource Draws>
Site scaled_select(const View& c, Draws& draws, Side side, const WeightFunction& w,
                   const ScaledWeight& total) {
  return draws.locate(total.value, [&](double target) {
    Site last = 0;
    for (Site i = 0; i < c.sites(); ++i) {
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
