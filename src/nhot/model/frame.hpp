// A quadratic model in the frame of a reference c, in which states are difference bits u = x xor c.
//
//     E(x) = E(c) + sum_i a_i u_i + sum_{i<j} Q_ij u_i u_j
//
// In this frame the shell is "exactly n ones", whatever c and whatever convention the model was
// written in, and flipping site i costs dE_i = F_i where u_i = 0 and -F_i where u_i = 1, with the
// field F_i = a_i + sum_j Q_ij u_j, which does not depend on u_i. The kernels in this room hold a
// and Q in the form their engine likes.
#pragma once

#include <span>
#include <vector>

#include "nhot/model/quadratic.hpp"

namespace nhot {

/// a_i for every site.
std::vector<double> framed_linear(const QuadraticModel& model, std::span<const Bit> reference);

/// Q_ij from the model's coupling q_ij.
inline double framed_coupling(Convention convention, Bit reference_i, Bit reference_j, double q) {
  const double scaled = convention == Convention::spin ? 4 * q : q;
  return reference_i == reference_j ? scaled : -scaled;
}

/// The integer grid on which all a_i and Q_ij lie.
struct Grid {
  double quantum = 0;       // energies are integer multiples of this; 0: no useful grid
  long long max_field = 0;  // largest |F_i| in any state, in units of the quantum
};

/// The largest quantum, when fields span at most `max_units` of it; otherwise quantum 0.
Grid find_grid(const QuadraticModel& model, std::span<const Bit> reference, long long max_units);

}  // namespace nhot
