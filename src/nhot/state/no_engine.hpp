// No engine: for chains whose moves need no weighted selection.
#pragma once

#include "nhot/base/bytes.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// For moves that need no weighted selection.
template <class Kernel>
class NoEngine {
 public:
  static constexpr const char* name = "none";

  NoEngine(const Configuration<Kernel>&, const WeightSet&) {}
  void rebuild(const Configuration<Kernel>&) {}
  void set_weights(const Configuration<Kernel>&, const WeightSet&) {}
  void flipped(const Configuration<Kernel>&, Site) {}
  void changed(const Configuration<Kernel>&, Site, typename Kernel::Field) {}
  void range_changed(const Configuration<Kernel>&, Site, SiteRange) {}
  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>&, ByteReader&) {}
};

}  // namespace nhot
