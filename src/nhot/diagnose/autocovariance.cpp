#include "nhot/diagnose/autocovariance.hpp"

#include <algorithm>

#include "nhot/base/contracts.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {
namespace {

void load_centred(ChainsView::Chain chain, std::vector<double>& buffer) {
  const double centre = mean(chain);
  std::transform(chain.begin(), chain.end(), buffer.begin(),
                 [centre](double x) { return x - centre; });
  std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(chain.size()), buffer.end(), 0.0);
}

std::vector<double> normalised(std::vector<double> gamma) {
  if (gamma.empty()) return gamma;
  const double variance = gamma.front();  // zero for constant draws, and 0/0 is NaN
  for (double& value : gamma) value /= variance;
  return gamma;
}

}  // namespace

Autocovariance::Autocovariance(std::size_t draws)
    : draws_(draws),
      fft_(Fft::length_for(std::max<std::size_t>(2 * draws, 1))),
      re_(fft_.length()),
      im_(fft_.length()),
      power_(fft_.length()) {}

std::vector<double> Autocovariance::operator()(const ChainsView& chains) {
  NHOT_EXPECTS(chains.draws() == draws_);
  if (chains.empty()) return {};
  // With z = x + iy the transform of |Z|^2 is the autocorrelation of z, whose real part is that of
  // x plus that of y.
  std::fill(power_.begin(), power_.end(), 0.0);
  for (std::size_t c = 0; c < chains.chains(); c += 2) {
    load_centred(chains[c], re_);
    if (c + 1 < chains.chains()) {
      load_centred(chains[c + 1], im_);
    } else {
      std::fill(im_.begin(), im_.end(), 0.0);
    }
    fft_.forward(re_, im_);
    for (std::size_t k = 0; k < power_.size(); ++k) power_[k] += re_[k] * re_[k] + im_[k] * im_[k];
  }
  std::fill(im_.begin(), im_.end(), 0.0);
  fft_.backward(power_, im_);

  const double scale =
      1.0 / (static_cast<double>(fft_.length()) * static_cast<double>(chains.size()));
  std::vector<double> gamma(draws_);
  for (std::size_t lag = 0; lag < draws_; ++lag) gamma[lag] = power_[lag] * scale;
  return gamma;
}

std::vector<double> autocovariance(std::span<const double> chain) {
  return autocovariance(ChainsView(chain.data(), 1, chain.size()));
}

std::vector<double> autocovariance(const ChainsView& chains) {
  return Autocovariance(chains.draws())(chains);
}

std::vector<double> autocorrelation(std::span<const double> chain) {
  return normalised(autocovariance(chain));
}

std::vector<double> autocorrelation(const ChainsView& chains) {
  return normalised(autocovariance(chains));
}

}  // namespace nhot
