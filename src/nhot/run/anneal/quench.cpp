#include "nhot/run/anneal/quench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/model/flip_costs.hpp"

namespace nhot {
namespace {

/// What a pair flip costs beyond the two flips taken alone: the coupling of the two sites as it
/// enters the energy, times the changes of the two values. Of an energy given as code it is asked
/// for, and nothing bounds it.
class PairCorrection {
 public:
  explicit PairCorrection(const Model& model) : model_(model) {
    if (model.custom()) {
      largest_ = std::numeric_limits<double>::infinity();
      return;
    }
    if (const Rbm* rbm = model.rbm()) {
      for (const double w : rbm->weights().weights) largest_ = std::max(largest_, std::abs(w));
      return;
    }
    const QuadraticModel& quadratic = *model.quadratic();
    scale_ = quadratic.convention() == Convention::spin ? 4.0 : 1.0;
    for (Site i = 0; i < quadratic.sites(); ++i)
      for (const double q : quadratic.row(i).values)
        largest_ = std::max(largest_, scale_ * std::abs(q));
  }

  double largest() const { return largest_; }

  /// `bits` are flipped and flipped back.
  double operator()(Bits& bits, Site i, Site j) const {
    if (const Energy* energy = model_.custom()) {
      const auto touched = energy->touched(i);
      if (touched && !std::binary_search(touched->begin(), touched->end(), j)) return 0;
      const double alone = energy->change(bits, j);
      bits[i] ^= 1;
      const double after = energy->change(bits, j);
      bits[i] ^= 1;
      return after - alone;
    }
    const double sign = bits[i] == bits[j] ? 1.0 : -1.0;  // of the product of the two changes
    return sign * scale_ * coupling(i, j);
  }

 private:
  double coupling(Site i, Site j) const {
    if (const Rbm* rbm = model_.rbm()) {
      const Site visible = rbm->visible();
      if ((i < visible) == (j < visible)) return 0;
      const Site h = std::max(i, j) - visible;
      return -rbm->weights().weights[std::size_t{h} * visible + std::min(i, j)];
    }
    const QuadraticModel::Row row = model_.quadratic()->row(i);
    const auto found = std::lower_bound(row.sites.begin(), row.sites.end(), j);
    if (found == row.sites.end() || *found != j) return 0;
    return row.values[static_cast<std::size_t>(found - row.sites.begin())];
  }

  const Model& model_;
  double scale_ = 1;
  double largest_ = 0;
};

struct Pair {
  double cost = 0;
  Site i = 0;
  Site j = 0;
};

}  // namespace

double quench(const Model& model, const Shell& shell, Bits& bits,
              const std::function<bool()>& stop) {
  const PairCorrection correction(model);
  for (;;) {
    const std::vector<double> costs = flip_costs(model, bits);
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
          if (sum - correction.largest() >= best.cost) break;
          const double cost = sum + correction(bits, i, j);
          if (cost < best.cost) best = {cost, i, j};
        }
    if (best.i == best.j) return model.energy(bits);
    bits[best.i] ^= 1;
    bits[best.j] ^= 1;
    if (stop && stop()) return model.energy(bits);
  }
}

}  // namespace nhot
