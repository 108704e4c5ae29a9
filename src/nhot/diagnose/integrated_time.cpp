#include "nhot/diagnose/integrated_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/base/types.hpp"
#include "nhot/diagnose/autocovariance.hpp"

namespace nhot {
namespace {

bool has_no_meaning(std::span<const double> rho) { return rho.empty() || std::isnan(rho[0]); }

}  // namespace

IntegratedTime sokal_time(std::span<const double> rho, double c) {
  if (has_no_meaning(rho)) return {nan, 0, false};
  double tau = 1.0;
  for (std::size_t lag = 1; lag < rho.size(); ++lag) {
    tau += 2.0 * rho[lag];
    if (static_cast<double>(lag) >= c * std::max(tau, 1.0)) return {tau, lag, true};
  }
  return {tau, rho.size() - 1, false};
}

IntegratedTime geyer_time(std::span<const double> rho) {
  if (has_no_meaning(rho)) return {nan, 0, false};
  double total = 0.0;
  double cap = std::numeric_limits<double>::infinity();
  std::size_t lag = 0;
  for (; lag + 1 < rho.size(); lag += 2) {
    const double pair = rho[lag] + rho[lag + 1];
    if (pair <= 0.0) return {2.0 * total - 1.0, lag > 0 ? lag - 1 : 0, true};
    cap = std::min(cap, pair);
    total += cap;
  }
  return {2.0 * total - 1.0, lag > 0 ? lag - 1 : 0, false};
}

IntegratedTime sokal_time(const ChainsView& chains, double c) {
  return sokal_time(autocorrelation(chains), c);
}

IntegratedTime geyer_time(const ChainsView& chains) { return geyer_time(autocorrelation(chains)); }

}  // namespace nhot
