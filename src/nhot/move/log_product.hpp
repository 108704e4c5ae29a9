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
    product_ *= numerator.value / denominator.value;
    shift_ += numerator.log_scale - denominator.log_scale;
    if (!(product_ > 1e-100 && product_ < 1e100)) [[unlikely]] {
      shift_ += std::log(product_);
      product_ = 1;
    }
  }
  void add_log(double term) { shift_ += term; }
  double log() const { return std::log(product_) + shift_; }

 private:
  double product_ = 1;
  double shift_ = 0;
};

}  // namespace nhot
