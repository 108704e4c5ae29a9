#include "nhot/diagnose/f_distribution.hpp"

#include <cmath>
#include <limits>

#include "nhot/base/log_gamma.hpp"

namespace nhot {
namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method; it
/// converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1;
  double d = 1 / std::fmax(std::abs(1 - (a + b) * x / (a + 1)), tiny);
  double result = d;
  for (int m = 1; m < 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double factor = 1;
    for (const double term : {even, odd}) {
      d = 1 + term * d;
      c = 1 + term / c;
      if (std::abs(d) < tiny) d = tiny;
      if (std::abs(c) < tiny) c = tiny;
      d = 1 / d;
      factor *= c * d;
    }
    result *= factor;
    if (std::abs(factor - 1) < 1e-15) break;
  }
  return result;
}

/// I_x(a, b), given 1 - x as well, which may be small.
double regularised_beta(double a, double b, double x, double rest) {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  const double front = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) +
                                b * std::log(rest));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, rest) / b;
}

}  // namespace

double f_tail(double ratio, double numerator, double denominator) {
  if (std::isnan(ratio)) return std::numeric_limits<double>::quiet_NaN();
  if (ratio <= 0) return 1;
  if (std::isinf(ratio)) return 0;
  const double sum = denominator + numerator * ratio;
  return regularised_beta(denominator / 2, numerator / 2, denominator / sum,
                          numerator * ratio / sum);
}

}  // namespace nhot
