// Chains whose diagnostics are known, for the tests, and the budget of false alarms they share.
//
// Statistical tests here compare one estimate with a known answer. Under a right program the whole
// room raises a false alarm with probability below 1e-6 over the choice of seed: at most 100
// comparisons, each two-sided at 1e-8, which is 5.73 standard errors of a normal law.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "nhot/diagnose/normal_quantile.hpp"
#include "nhot/random/stream.hpp"

namespace nhot::testing {

inline constexpr double sigmas_allowed = 5.73;

using Chains = std::vector<std::vector<double>>;

/// Independent standard normal draws by inversion, so that every platform gets the same ones.
class NormalDraws {
 public:
  NormalDraws(std::uint64_t seed, std::uint64_t chain)
      : engine_(make_stream(seed, 0, chain, Purpose::test)) {}

  double operator()() {
    return normal_quantile((static_cast<double>(engine_() >> 12) + 0.5) * 0x1p-52);
  }

 private:
  Xoshiro256 engine_;
};

/// Stationary AR(1) with unit variance: x' = phi x + sqrt(1 - phi^2) noise, so rho_l = phi^l and
/// tau = (1 + phi) / (1 - phi).
inline Chains ar1_chains(double phi, std::size_t chains, std::size_t draws, std::uint64_t seed) {
  Chains result(chains, std::vector<double>(draws));
  for (std::size_t c = 0; c < chains; ++c) {
    NormalDraws noise(seed, c);
    double x = noise();
    for (double& value : result[c]) {
      value = x;
      x = phi * x + std::sqrt(1.0 - phi * phi) * noise();
    }
  }
  return result;
}

inline double ar1_time(double phi) { return (1.0 + phi) / (1.0 - phi); }

/// Relative standard error of an integrated time summed up to `window` from `draws` draws in all
/// (Madras and Sokal, 1988).
inline double time_error(std::size_t window, std::size_t draws) {
  return std::sqrt(2.0 * (2.0 * static_cast<double>(window) + 1.0) / static_cast<double>(draws));
}

/// Where the mean of `count` squares of standard normal draws may lie: the cube root of such a mean
/// is very nearly normal (Wilson and Hilferty).
struct MeanSquareRange {
  explicit MeanSquareRange(double count) {
    const double variance = 2.0 / (9.0 * count);
    const double reach = sigmas_allowed * std::sqrt(variance);
    lowest = std::pow(1.0 - variance - reach, 3);
    highest = std::pow(1.0 - variance + reach, 3);
  }
  double lowest, highest;
};

}  // namespace nhot::testing
