#include "nhot/run/anneal/quench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nhot {
namespace {

/// Two sites that change sides; a free site alone.
struct Pair {
  double cost = 0;
  Site i = 0;
  Site j = 0;
};

}  // namespace

double quench(const Model& model, const Shell& shell, Bits& bits,
              const std::function<bool()>& stop) {
  const ModelData& data = model.data();
  const double largest_correction = data.largest_correction();
  for (;;) {
    const std::vector<double> costs = data.flip_costs(bits);
    double scale = 0;
    std::vector<std::vector<Site>> sides(shell.sides());
    for (Site i = 0; i < shell.sites(); ++i) {
      sides[2 * shell.group_of(i) + (bits[i] ^ shell.reference()[i])].push_back(i);
      scale = std::max(scale, std::abs(costs[i]));
    }
    for (std::vector<Site>& side : sides)
      std::sort(side.begin(), side.end(), [&](Site a, Site b) { return costs[a] < costs[b]; });
    Pair best{-1e-12 * scale, 0, 0};  // rounding is no improvement
    for (Group g = 0; g < shell.groups(); ++g)
      for (const Site i : sides[differing(g)])
        for (const Site j : sides[agreeing(g)]) {
          const double sum = costs[i] + costs[j];
          if (sum - largest_correction >= best.cost) break;
          const double cost = sum + data.pair_correction(bits, i, j);
          if (cost < best.cost) best = {cost, i, j};
        }
    if (shell.free_sites() > 0)
      for (const Site i : shell.members(shell.groups()))
        if (costs[i] < best.cost) best = {costs[i], i, i};
    if (best.cost >= -1e-12 * scale) return model.energy(bits);
    bits[best.i] ^= 1;
    if (best.j != best.i) bits[best.j] ^= 1;
    if (stop && stop()) return model.energy(bits);
  }
}

}  // namespace nhot
