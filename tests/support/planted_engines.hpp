// Engines that are wrong on purpose, for tests that show that an error is caught.
#pragma once

#include <utility>

#include "nhot/base/bytes.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

namespace nhot::test {

/// Weights of flips that cost energy are 2% too large, in the total and in the selection alike.
template <class Kernel>
class HeavyEngine {
 public:
  static constexpr const char* name = "heavy";

  HeavyEngine(const Configuration<Kernel>&, WeightSet weight_set)
      : weight_set_(std::move(weight_set)) {}
  void rebuild(const Configuration<Kernel>&) {}
  void set_weights(const Configuration<Kernel>&, WeightSet weight_set) {
    weight_set_ = std::move(weight_set);
  }
  void flipped(const Configuration<Kernel>&, Site) {}
  void changed(const Configuration<Kernel>&, Site, typename Kernel::Field) {}
  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>&, ByteReader&) {}

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    double sum = 0;
    for (Site i = 0; i < c.sites(); ++i) sum += weight(c, side, entry, i);
    return {sum, 0};
  }
  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const ScaledWeight& total) const {
    return draws.locate(total.value, [&](double target) {
      Site last = 0;
      for (Site i = 0; i < c.sites(); ++i) {
        const double w = weight(c, side, entry, i);
        if (w == 0) continue;
        last = i;
        if (target < w) return i;
        target -= w;
      }
      return last;
    });
  }

 private:
  double weight(const Configuration<Kernel>& c, Side side, unsigned entry, Site i) const {
    if (c.side(i) != side) return 0;
    const double dE = c.delta_energy(i);
    return weight_set_(side, entry).weight(dE) * (dE > 0 ? 1.02 : 1.0);
  }

  WeightSet weight_set_;
};

}  // namespace nhot::test
