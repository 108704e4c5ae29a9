// A running product of ratios of total weights.
#pragma once

#include <algorithm>
#include <cmath>

#include "nhot/base/inline.hpp"
#include "nhot/state/weight.hpp"

namespace nhot {

/// The log of a product of factors of any size. Never NaN while the factors are positive and
/// finite: logs are summed times 2^-64, so that no partial sum overflows.
class LogProduct {
 public:
  /// Multiplies by numerator / denominator. The value of a ScaledWeight is within [1e-100, 1e100]
  /// (see in_safe_range), so one check per factor keeps the product in the range of doubles.
  NHOT_ALWAYS_INLINE void multiply(const ScaledWeight& numerator, const ScaledWeight& denominator) {
    if (numerator.log_scale != denominator.log_scale) [[unlikely]] {
      add_log(numerator.log_scale);
      add_log(-denominator.log_scale);
    }
    product_ *= numerator.value / denominator.value;
    if (!(product_ > 1e-100 && product_ < 1e100)) [[unlikely]] {
      add_log(std::log(product_));
      product_ = 1;
    }
  }

  /// Multiplies by a b / (c d), where the values of c and d are not tiny.
  NHOT_ALWAYS_INLINE void multiply(const ScaledWeight& a, const ScaledWeight& b,
                                   const ScaledWeight& c, const ScaledWeight& d) {
    if (a.log_scale != 0 || b.log_scale != 0 || c.log_scale != 0 || d.log_scale != 0) [[unlikely]] {
      multiply(a, c);
      multiply(b, d);
      return;
    }
    multiply({a.value * b.value, 0}, {c.value * d.value, 0});
  }

  void add_log(double term) { shift_ += unit * term; }
  /// Adds the log rate * gain, which may be too large for a double.
  void add_log(double rate, double gain) { shift_ += (unit * rate) * gain; }

  /// min(1, product).
  NHOT_ALWAYS_INLINE double capped() const {
    if (shift_ == 0) return std::min(product_, 1.0);
    return capped_exp(log());
  }

  /// May be infinite.
  NHOT_ALWAYS_INLINE double log() const { return std::log(product_) + shift_ / unit; }

 private:
  static double capped_exp(double exponent) { return exponent >= 0 ? 1.0 : std::exp(exponent); }

  static constexpr double unit = 0x1p-64;  // a power of two: scaling by it is exact

  double product_ = 1;
  double shift_ = 0;
};

}  // namespace nhot
