// Autocovariance and autocorrelation at every lag, by FFT.
//
//   gamma_l = (1/N) * sum over t < N - l of (x_t - m)(x_{t+l} - m),   m = the chain's own mean
//   rho_l   = gamma_l / gamma_0
//
// The divisor N at every lag (not N - l) is the usual choice: it keeps the sequence positive
// definite. Over several chains the gammas are averaged, each about its own chain's mean, and rho
// is the ratio of the averages; so chains that sit in different places do not show here (R-hat does
// that). Chains are padded with zeros to at least 2N, so nothing wraps round. O(C N log N).
#pragma once

#include <span>
#include <vector>

#include "nhot/diagnose/chains_view.hpp"
#include "nhot/diagnose/fft.hpp"

namespace nhot {

/// Computes autocovariances of chains of one length; keeps its tables and buffers between calls.
class Autocovariance {
 public:
  explicit Autocovariance(std::size_t draws);

  /// gamma_0 .. gamma_{N-1} averaged over the chains, which must have `draws` draws. Two chains
  /// share a complex transform, and the one transform back serves all chains.
  std::vector<double> operator()(const ChainsView& chains);

 private:
  std::size_t draws_;
  Fft fft_;
  std::vector<double> re_, im_, power_;
};

std::vector<double> autocovariance(std::span<const double> chain);
std::vector<double> autocovariance(const ChainsView& chains);

/// rho_0 = 1 .. rho_{N-1}. All NaN where the draws are constant: the ratio has no meaning there.
std::vector<double> autocorrelation(std::span<const double> chain);
std::vector<double> autocorrelation(const ChainsView& chains);

}  // namespace nhot
