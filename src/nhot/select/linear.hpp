// Engine `linear`: no caches, O(sites) per total and per selection. The obvious oracle.
#pragma once

#include "nhot/base/bytes.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/select/scan.hpp"

namespace nhot {

template <class Kernel>
class LinearEngine {
 public:
  static constexpr const char* name = "linear";

  LinearEngine(const Configuration<Kernel>&, WeightPalette palette)
      : palette_(std::move(palette)) {}

  void rebuild(const Configuration<Kernel>&) {}
  void set_palette(const Configuration<Kernel>&, WeightPalette palette) {
    palette_ = std::move(palette);
  }
  void flipped(const Configuration<Kernel>&, Site) {}
  void changed(const Configuration<Kernel>&, Site, typename Kernel::Field) {}
  void range_changed(const Configuration<Kernel>&, Site, SiteRange) {}

  Mass total(const Configuration<Kernel>& c, Side side, unsigned entry) const {
    return scan::scaled_total(c, side, palette_(side, entry));
  }

  template <DrawSource Draws>
  Site select(const Configuration<Kernel>& c, Draws& draws, Side side, unsigned entry,
              const Mass& total) const {
    return scan::scaled_select(c, draws, side, palette_(side, entry), total);
  }

  void save(ByteWriter&) const {}
  void restore(const Configuration<Kernel>&, ByteReader&) {}

 private:
  WeightPalette palette_;
};

}  // namespace nhot
