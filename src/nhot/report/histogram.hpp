// How the draws of an observable are spread.
#pragma once

#include <vector>

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// Shares of all draws in bins of equal width.
struct Histogram {
  std::vector<double> edges;  // one more than bins; empty: no finite draws
  std::vector<double> share;
};
/// Up to 60 bins, fewer of few draws; where few values occur, each has a bin of its own. Draws that
/// are not finite are left out.
Histogram histogram_of(const ChainsView& chains);

}  // namespace nhot
