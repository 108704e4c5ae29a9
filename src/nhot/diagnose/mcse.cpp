#include "nhot/diagnose/mcse.hpp"

#include <cmath>

#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {

double mcse_mean(const ChainsView& chains, double ess_mean) {
  return std::sqrt(pooled_variance(chains) / ess_mean);
}

double mcse_sd(const ChainsView& chains, double pooled_mean, double ess_sd) {
  const auto count = static_cast<double>(chains.size());
  double second = 0.0;
  for (const ChainsView::Chain chain : chains) {
    for (const double x : chain) second += (x - pooled_mean) * (x - pooled_mean);
  }
  second /= count;
  // The variance of the squared deviations, about their mean.
  double spread = 0.0;
  for (const ChainsView::Chain chain : chains) {
    for (const double x : chain) {
      const double d = (x - pooled_mean) * (x - pooled_mean) - second;
      spread += d * d;
    }
  }
  spread /= count;
  return std::sqrt(spread / ess_sd / second / 4.0);
}

double mcse_mean(const ChainsView& chains) { return mcse_mean(chains, ess_mean(chains)); }

double mcse_sd(const ChainsView& chains) {
  return mcse_sd(chains, pooled_mean(chains), ess_sd(chains));
}

}  // namespace nhot
