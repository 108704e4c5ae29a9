// The grid on which the numbers of a model are summed: every sum of them is exact, so that the
// energy and the fields of a state do not depend on the path that led to it.
#pragma once

#include <cmath>
#include <cstdint>

namespace nhot {

/// Collects what the choice of the grid depends on: the values, the largest field, their sum.
class FixedPointFacts;

/// A value v of the model counts as the whole number units(v) of unit(), rounded once. Energies are
/// sums of units in 64-bit integers; fields that are kept as doubles are multiples of step(), a
/// power of two, small enough numbers of it for every sum of fields to be exact.
///
/// Values that have a common divisor are represented by it, and nothing is rounded (integers,
/// +-0.1, floats of similar size). Otherwise the unit is the smallest power of two that is at least
/// 2^-51 of the largest field that a site can have, 2^-61 of the sum of all |values|, and 2^-1020
/// (so that its inverse is finite), and a value is off by half of it at most.
class FixedPoint {
 public:
  FixedPoint() = default;

  double unit() const { return unit_; }
  double step() const { return step_; }
  /// Steps in the field of one unit; 1 where values are rounded.
  std::int64_t steps_per_unit() const { return steps_per_unit_; }

  std::int64_t units(double value) const { return std::llrint(value / unit_); }
  /// A value as fields have it.
  double rounded(double value) const { return field(units(value)); }
  double field(std::int64_t units) const {
    return step_ * static_cast<double>(units * steps_per_unit_);
  }

  /// Largest rounding error of a value; 0 where all are represented exactly.
  double rounding() const { return rounding_; }
  /// Smallest value of the model that is not zero, in absolute value.
  double smallest() const { return smallest_; }

 private:
  friend class FixedPointFacts;

  double unit_ = 1;
  double step_ = 1;
  std::int64_t steps_per_unit_ = 1;
  double rounding_ = 0;
  double smallest_ = 0;
};

class FixedPointFacts {
 public:
  /// A value of the model. Multiples of the divisor so far cost one fmod at most.
  void add(double value);
  /// At least |F_i| of a site in any state.
  void add_field(double bound);

  FixedPoint choose() const;

 private:
  double divisor_ = 0;  // of all values so far; 0: none yet
  bool divisible_ = true;
  double last_ = 0;
  double smallest_ = 0;
  double largest_field_ = 0;
  double total_ = 0;
};

}  // namespace nhot
