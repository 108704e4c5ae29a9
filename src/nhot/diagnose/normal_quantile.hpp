// The quantile function of the standard normal law.
#pragma once

namespace nhot {

/// z with Phi(z) = p, to about 1e-16 relative; minus and plus infinity at 0 and 1, NaN outside.
/// Odd about p = 1/2. The rational approximations are Wichura's (Applied Statistics 37, 1988, AS
/// 241).
double normal_quantile(double p);

}  // namespace nhot
