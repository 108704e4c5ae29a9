// Engine `linear`: no caches, O(sites) per total and per selection. The reference for the others.
#pragma once

#include "nhot/base/bytes.hpp"
#include "nhot/engine/scan.hpp"
#include "nhot/model/dense_kernel.hpp"

namespace nhot {

template <class Kernel>
class LinearEngine {
 public:
  static constexpr const char* name = "linear";

  LinearEngine(const Configuration<Kernel>&, WeightSet weight_set)
      : weight_set_(std::move(weight_set)) {}

  void rebuild(const Configuration<Kernel>&) {}
  void set_weights(const Configuration<Kernel>&, WeightSet weight_set) {
    weight_set_ = std::move(weight_set);
  }
  void flipped(const Configuration<Kernel>&, Site) {}
  void changed(const Configuration<Kernel>&, Site, typename Kernel::Field) {}
  void range_changed(const Configuration<Kernel>&, Site, SiteRange) {}

  ScaledWeight total(const Configuration<Kernel>& c, Side side, unsigned index) const {
    return scan::scaled_total(c, side, weight_set_(side, index));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned index,
              const ScaledWeight& total) const {
    return scan::scaled_select(c, draws, side, weight_set_(side, index), total);
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>&, ByteReader&) {}

 private:
  WeightSet weight_set_;
};

}  // namespace nhot
