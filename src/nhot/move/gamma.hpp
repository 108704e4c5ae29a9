// gamma, the strength of a move's bias, as a user writes it.
#pragma once

#include <vector>

namespace nhot {

/// gamma as the user wrote it: a number, or a multiple of beta.
struct GammaValue {
  double value = 1;
  bool relative = true;

  double at(double beta) const { return relative ? value * beta : value; }
  friend bool operator==(const GammaValue&, const GammaValue&) = default;
};

/// gamma by step: step s of a walk uses entry s, and the last entry from there on.
using GammaSchedule = std::vector<GammaValue>;

}  // namespace nhot
