// A running sum whose rounding errors are kept and added back (Neumaier's variant of Kahan's sum).
#pragma once

#include <cmath>

namespace nhot {

/// Sums doubles with an error of about one rounding of the result, whatever the order and the
/// signs, as long as no partial sum overflows. Knows whether the result is the exact sum.
class CompensatedSum {
 public:
  void add(double term) {
    double lost = 0;
    sum_ = add_exactly(sum_, term, lost);
    double lost_again = 0;
    compensation_ = add_exactly(compensation_, lost, lost_again);
    if (lost_again != 0) exact_ = false;
  }

  double value() const { return sum_ + compensation_; }

  /// True when value() is certainly the sum without any rounding.
  bool exact() const {
    double lost = 0;
    add_exactly(sum_, compensation_, lost);
    return exact_ && lost == 0;
  }

 private:
  // a + b rounded; lost is what the rounding took away, exactly.
  static double add_exactly(double a, double b, double& lost) {
    const double sum = a + b;
    lost = std::fabs(a) >= std::fabs(b) ? (a - sum) + b : (b - sum) + a;
    return sum;
  }

  double sum_ = 0;
  double compensation_ = 0;
  bool exact_ = true;
};

}  // namespace nhot
