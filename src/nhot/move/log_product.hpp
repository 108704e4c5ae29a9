// A running product of ratios of total weights.
#pragma once

#include <cmath>

#include "nhot/select/weight.hpp"

namespace nhot {

/// A product of ratios that neither overflows nor underflows. The value of a Mass is within
/// [1e-100, 1e100] (see in_safe_range), so a ratio is within [1e-200, 1e200] and one check per factor
/// keeps the product in the range of doubles.
class LogProduct {
 public:
  void multiply(const Mass& numerator, const Mass& denominator) {
    const double ratio = numerator.value / denominator.value;
    shift_ += numerator.log_scale - denominator.log_scale;
    // Totals range over 400 orders of magnitude, so a single ratio can leave the range of doubles.
    if (!in_range(ratio)) [[unlikely]] {
      shift_ += std::log(numerator.value) - std::log(denominator.value);
      return;
    }
    product_ *= ratio;
    if (!in_range(product_)) [[unlikely]] {
      shift_ += std::log(product_);
      product_ = 1;
    }
  }
  void add_log(double term) { shift_ += term; }
  double log() const { return std::log(product_) + shift_; }

 private:
  static bool in_range(double value) { return value > 1e-100 && value < 1e100; }

  double product_ = 1;
  double shift_ = 0;
};

}  // namespace nhot
