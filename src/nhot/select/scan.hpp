// Totals and selection by looking at every site: the oracle, and the fallback of every engine for
// weights outside the range of doubles.
#pragma once

#include <limits>

#include "nhot/select/configuration.hpp"
#include "nhot/select/weight.hpp"

namespace nhot::scan {

/// Largest log weight on a side; -infinity when the side is empty.
template <class Kernel>
double largest_log_weight(const Configuration<Kernel>& c, Side side, const WeightFunction& w) {
  double largest = -std::numeric_limits<double>::infinity();
  for (Site i = 0; i < c.sites(); ++i)
    if (c.side(i) == side) largest = std::max(largest, w.log_weight(c.delta_energy(i)));
  return largest;
}

/// Total scaled by the largest weight, which is right for any finite dE.
template <class Kernel>
Mass scaled_total(const Configuration<Kernel>& c, Side side, const WeightFunction& w) {
  const double largest = largest_log_weight(c, side, w);
  double sum = 0;
  for (Site i = 0; i < c.sites(); ++i)
    if (c.side(i) == side) sum += std::exp(w.log_weight(c.delta_energy(i)) - largest);
  return {sum, largest};
}

/// Selection that goes with scaled_total.
template <class Kernel, DrawSource Draws>
Site scaled_select(const Configuration<Kernel>& c, Draws& draws, Side side, const WeightFunction& w,
                   const Mass& total) {
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
