// A quadratic model in the frame of a reference c, in which states are difference bits u = x xor c.
//
//     E(x) = E(c) + sum_i a_i u_i + sum_{i<j} Q_ij u_i u_j
//
// In this frame the shell is "exactly n ones", whatever c and whatever convention the model was
// written in, and flipping site i costs dE_i = F_i where u_i = 0 and -F_i where u_i = 1, with the
// field F_i = a_i + sum_j Q_ij u_j, which does not depend on u_i. The kernels in this room hold a
// and Q in the layout that suits their engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nhot/model/quadratic.hpp"

namespace nhot {

/// a_i for every site, in units of the model's fixed point.
std::vector<std::int64_t> framed_linear(const QuadraticModel& model,
                                        std::span<const Bit> reference);

/// Q_ij, in the same units, from the model's coupling q_ij.
inline std::int64_t framed_coupling(const QuadraticModel& model, Bit reference_i, Bit reference_j,
                                    double q) {
  const std::int64_t units = model.fixed_point().units(q);
  const std::int64_t scaled = model.convention() == Convention::spin ? 4 * units : units;
  return reference_i == reference_j ? scaled : -scaled;
}

/// The coarsest grid on which all a_i and Q_ij lie.
struct Grid {
  std::int64_t units = 0;      // of the model's fixed point, in one quantum; 0: no useful grid
  std::int64_t max_field = 0;  // largest |F_i| in any state, in quanta

  bool useful() const { return units > 0; }
};

/// The grid with the largest quantum, when no value of the model was rounded and |F_i| is at most
/// `max_quanta` of it; otherwise none.
Grid find_grid(const QuadraticModel& model, std::span<const Bit> reference,
               std::int64_t max_quanta);

/// Converts integer energies, relative to that of the reference, to energies.
class EnergyScale {
 public:
  EnergyScale() = default;
  /// A number stands for `units` / `parts` units of the fixed point.
  EnergyScale(double offset, const FixedPoint& fixed_point, std::int64_t reference_units,
              std::int64_t units, std::int64_t parts)
      : offset_(offset),
        unit_(fixed_point.unit()),
        reference_(reference_units),
        units_(units),
        parts_(parts) {}

  /// Equal to the model's energy of the state, to the bit.
  double energy(std::int64_t number) const {
    std::int64_t units = number * units_;
    if (parts_ != 1) [[unlikely]]
      units /= parts_;
    return offset_ + unit_ * static_cast<double>(reference_ + units);
  }

 private:
  double offset_ = 0;
  double unit_ = 1;
  std::int64_t reference_ = 0;
  std::int64_t units_ = 1;
  std::int64_t parts_ = 1;
};

}  // namespace nhot
