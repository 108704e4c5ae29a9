// Restricted Boltzmann machine with 0/1 units: E(v, h) = -v'Wh - c.v - b.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/fixed_point.hpp"

namespace nhot {

/// Visible and hidden units together, and entries of W: what the memory of a large machine holds.
inline constexpr Site max_rbm_units = Site{1} << 24;
inline constexpr std::uint64_t max_rbm_weights = std::uint64_t{1} << 32;

/// True when an RBM of these sizes can be made.
constexpr bool rbm_fits(std::uint64_t visible, std::uint64_t hidden) {
  return visible > 0 && hidden > 0 && visible < max_rbm_units && hidden < max_rbm_units &&
         visible + hidden <= max_rbm_units && visible * hidden <= max_rbm_weights;
}

/// The weights as a file or a generator gives them.
struct RbmWeights {
  Site visible = 0;
  Site hidden = 0;
  std::vector<double> weights;       // hidden x visible, row-major: W[h * visible + v]
  std::vector<double> hidden_bias;   // b, one per hidden unit
  std::vector<double> visible_bias;  // c, one per visible unit
};

/// Sites 0 .. visible-1 are the visible units, the hidden units follow.
class Rbm {
 public:
  /// Refuses wrong sizes, values that are not finite, and energies that can overflow.
  explicit Rbm(RbmWeights weights);

  Site sites() const { return w_.visible + w_.hidden; }
  Site visible() const { return w_.visible; }
  Site hidden() const { return w_.hidden; }
  std::size_t couplings() const { return w_.weights.size(); }
  const RbmWeights& weights() const { return w_; }

  const FixedPoint& fixed_point() const { return fixed_point_; }

  /// The energy from scratch in units of fixed_point(): exact.
  std::int64_t energy_units(std::span<const Bit> bits) const;
  double energy(std::span<const Bit> bits) const {
    return fixed_point_.unit() * static_cast<double>(energy_units(bits));
  }

 private:
  RbmWeights w_;
  FixedPoint fixed_point_;
};

}  // namespace nhot
