#include "nhot/model/fixed_point.hpp"

#include <algorithm>

namespace nhot {
namespace {

// Fields and differences of two fields and a coupling are whole numbers of steps below 2^53.
constexpr int field_bits = 51;
// Energies are whole numbers of units below 2^62.
constexpr int energy_bits = 61;
// In double fields a unit is rounded to whole steps: by at most 1e-12 of itself where no field has
// more units than this.
constexpr double most_units_of_odd_size = 1 << 12;

/// The smallest power of two that is at least the value, and whose inverse is finite.
double power_above(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(1.0, std::clamp(mantissa == 0.5 ? exponent - 1 : exponent, -1020, 1020));
}

// Euclid's algorithm on doubles: fmod is exact, so multiples of a common quantum give it to the
// bit. Without one the remainders fall below `floor`, and the result is 0.
double common_divisor(double a, double b, double floor) {
  while (b > floor) {
    const double rest = std::fmod(a, b);
    a = b;
    b = rest;
  }
  return b == 0 ? a : 0;
}

}  // namespace

void FixedPointFacts::add(double value) {
  value = std::abs(value);
  total_ += value;
  if (value == 0 || value == last_) return;
  last_ = value;
  smallest_ = smallest_ == 0 ? value : std::min(smallest_, value);
  if (!divisible_) return;
  if (divisor_ == 0) {
    divisor_ = value;
  } else if (std::fmod(value, divisor_) != 0) {
    const double high = std::max(value, divisor_);
    divisor_ = common_divisor(high, std::min(value, divisor_), std::ldexp(high, -field_bits));
    divisible_ = divisor_ > 0;
  }
}

void FixedPointFacts::add_field(double bound) { largest_field_ = std::max(largest_field_, bound); }

FixedPoint FixedPointFacts::choose() const {
  FixedPoint chosen;
  chosen.smallest_ = smallest_;
  if (total_ == 0) return chosen;
  const double field_step = power_above(std::ldexp(largest_field_, -field_bits));
  const double step = std::max(field_step, power_above(std::ldexp(total_, -energy_bits)));
  if (divisible_ && divisor_ >= step) {
    const double steps = std::nearbyint(divisor_ / step);
    const bool whole = steps * step == divisor_;
    if (whole || largest_field_ / divisor_ <= most_units_of_odd_size) {
      chosen.unit_ = divisor_;
      chosen.step_ = step;
      chosen.steps_per_unit_ = static_cast<std::int64_t>(steps);
      return chosen;
    }
  }
  chosen.unit_ = chosen.step_ = step;
  chosen.rounding_ = step / 2;
  return chosen;
}

}  // namespace nhot
