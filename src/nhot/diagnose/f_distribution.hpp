// The tail of Fisher's F distribution.
#pragma once

namespace nhot {

/// P(F > ratio) with `numerator` and `denominator` degrees of freedom, to about 1e-12 relative.
double f_tail(double ratio, double numerator, double denominator);

}  // namespace nhot
