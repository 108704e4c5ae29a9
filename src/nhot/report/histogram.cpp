#include "nhot/report/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {

Histogram histogram_of(const ChainsView& chains) {
  std::vector<double> values;
  for (std::size_t c = 0; c < chains.chains(); ++c)
    for (const double value : chains[c])
      if (std::isfinite(value)) values.push_back(value);
  Histogram histogram;
  if (values.empty()) return histogram;
  std::sort(values.begin(), values.end());
  const double low = values.front();
  const double range = values.back() - low;
  double gap = range;  // the smallest between two values
  for (std::size_t k = 1; k < values.size(); ++k)
    if (const double step = values[k] - values[k - 1]; step > 1e-9 * range)
      gap = std::min(gap, step);
  if (!(range > 0) || !std::isfinite(range)) {
    const double half = 0.5 * std::max(1.0, 1e-3 * std::abs(low));
    return {{low - half, low + half}, {1.0}};
  }
  // A whole number of gaps wide, so that no bin holds more levels than another.
  const double bins_wanted =
      std::clamp(2 * std::sqrt(static_cast<double>(values.size())), 10.0, 60.0);
  const double levels = range / gap + 1;
  const double width = levels <= bins_wanted        ? gap
                       : levels <= 20 * bins_wanted ? gap * std::ceil(levels / bins_wanted)
                                                    : range / (bins_wanted - 1);
  const double first = low - (levels <= 20 * bins_wanted ? gap / 2 : width / 2);
  const auto bins = static_cast<std::size_t>(std::floor((values.back() - first) / width)) + 1;
  for (std::size_t k = 0; k <= bins; ++k)
    histogram.edges.push_back(first + width * static_cast<double>(k));
  histogram.share.assign(bins, 0.0);
  for (const double value : values) {
    const auto bin = static_cast<std::size_t>(std::max(0.0, (value - first) / width));
    histogram.share[std::min(bin, bins - 1)] += 1 / static_cast<double>(values.size());
  }
  return histogram;
}

}  // namespace nhot
