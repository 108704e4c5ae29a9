// Places for the vertices of a graph, to draw it.
#pragma once

#include <array>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

/// Force-directed (Fruchterman and Reingold, Softw. Pract. Exp. 21, 1991): vertices repel each
/// other, edges pull, a weak pull to the centre keeps parts without a connection together. Begins
/// from a spiral, so that the same graph has the same places. O(n^2) per iteration, in fewer
/// iterations the larger the graph: about half a second for 2,000 vertices. Within [0, 1] x [0, 1].
std::vector<std::array<double, 2>> force_layout(Site vertices,
                                                const std::vector<std::array<Site, 2>>& edges);

}  // namespace nhot
