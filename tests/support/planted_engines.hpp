// Engines that are wrong on purpose, for tests that show that an error is caught.
#pragma once

#include <utility>

#include "nhot/base/bytes.hpp"
#include "nhot/select/configuration.hpp"
#include "nhot/select/weight.hpp"

namespace nhot::test {

/// Weights of flips that cost energy are 2% too large, in the total and in the selection alike.
template <class Kernel>
class HeavyEngine {
 public:
  static constexpr const char* name = "heavy";

  HeavyEngine(const Configuration<Kernel>&, WeightPalette palette) : palette_(std::move(palette)) {}
  void rebuild(const Configuration<Kernel>&) {}
  void set_palette(const Configuration<Kernel>&, WeightPalette palette) {
    palette_ = std::move(palette);
  }
  void flipped(const Configuration<Kernel>&, Site) {}
  void changed(const Configuration<Kernel>&, Site, typename Kernel::Field) {}
  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>&, ByteReader&) {}

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    double sum = 0;
    for (Site i = 0; i < c.sites(); ++i) sum += weight(c, side, entry, i);
    return {sum, 0};
  }
  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
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
    return palette_(side, entry).weight(dE) * (dE > 0 ? 1.02 : 1.0);
  }

  WeightPalette palette_;
};

}  // namespace nhot::test
