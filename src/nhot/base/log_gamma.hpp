// log Gamma(x) for x > 0.
#pragma once

#include <math.h>  // lgamma_r() of POSIX is not in <cmath>

namespace nhot {

/// std::lgamma() writes the sign of Gamma to a variable that all threads share; this one does not.
inline double log_gamma(double x) {
  int sign = 1;
  return ::lgamma_r(x, &sign);
}

}  // namespace nhot
