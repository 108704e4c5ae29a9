#include "nhot/diagnose/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/base/types.hpp"
#include "nhot/diagnose/autocovariance.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/integrated_time.hpp"
#include "nhot/diagnose/mcse.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/diagnose/ranked_draws.hpp"
#include "nhot/diagnose/rhat.hpp"

namespace nhot {
namespace {

// Equal up to the last few digits of the larger magnitude.
bool equal_to_rounding(double low, double high) {
  const double scale = std::max(std::abs(low), std::abs(high));
  return high - low <= 64.0 * std::numeric_limits<double>::epsilon() * scale;
}

void note_range(const ChainsView& chains, ObservableSummary& summary) {
  summary.smallest = std::numeric_limits<double>::infinity();
  summary.largest = -summary.smallest;
  for (const ChainsView::Chain chain : chains) {
    const auto [low, high] = std::minmax_element(chain.begin(), chain.end());
    summary.smallest = std::min(summary.smallest, *low);
    summary.largest = std::max(summary.largest, *high);
    summary.frozen_chains += equal_to_rounding(*low, *high) ? 1 : 0;
    summary.chain_means.push_back(mean(chain));
  }
  summary.constant = equal_to_rounding(summary.smallest, summary.largest);
}

void note_time(const ChainsView& chains, ObservableSummary& summary) {
  if (summary.frozen_chains == chains.chains()) return;
  const std::vector<double> rho = autocorrelation(chains);
  const IntegratedTime sokal = sokal_time(rho);
  // With strong negative correlations the noise of the sum can exceed tau; the floor is that of the
  // ESS.
  const double floor = 1.0 / std::log10(static_cast<double>(chains.size()));
  summary.tau = std::max(sokal.tau, floor);
  summary.tau_closed = sokal.closed;
  summary.tau_geyer = std::max(geyer_time(rho).tau, floor);
}

/// Squares of such numbers are out of the range of doubles.
bool out_of_range(double magnitude) {
  return magnitude > 1e140 || (magnitude > 0 && magnitude < 1e-140);
}

/// The summary of the same numbers divided by a power of two near the largest.
ObservableSummary summarise_scaled(const ChainsView& chains, double magnitude) {
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  std::vector<std::vector<double>> scaled;
  for (const ChainsView::Chain chain : chains) {
    std::vector<double>& copy = scaled.emplace_back(chain.begin(), chain.end());
    for (double& value : copy) value = std::ldexp(value, -exponent);
  }
  ObservableSummary summary = summarise(ChainsView(scaled));
  for (double* value : {&summary.mean, &summary.sd, &summary.mcse, &summary.mcse_sd,
                        &summary.smallest, &summary.largest})
    *value = std::ldexp(*value, exponent);
  for (double& value : summary.chain_means) value = std::ldexp(value, exponent);
  return summary;
}

}  // namespace

ObservableSummary summarise(const ChainsView& chains) {
  ObservableSummary summary;
  for (double* field :
       {&summary.mean, &summary.sd, &summary.mcse, &summary.mcse_sd, &summary.tau,
        &summary.tau_geyer, &summary.ess_bulk, &summary.ess_tail, &summary.ess_mean, &summary.rhat,
        &summary.rhat_bulk, &summary.rhat_folded, &summary.smallest, &summary.largest}) {
    *field = nan;
  }
  summary.chains = chains.chains();
  summary.draws = chains.draws();
  if (chains.empty()) return summary;
  summary.finite = std::all_of(chains.begin(), chains.end(), [](ChainsView::Chain chain) {
    return std::all_of(chain.begin(), chain.end(), [](double x) { return std::isfinite(x); });
  });
  if (!summary.finite) return summary;
  double magnitude = 0;
  for (const ChainsView::Chain chain : chains)
    for (const double value : chain) magnitude = std::max(magnitude, std::abs(value));
  if (out_of_range(magnitude)) return summarise_scaled(chains, magnitude);

  note_range(chains, summary);
  summary.mean = pooled_mean(chains);
  summary.sd = std::sqrt(pooled_variance(chains));
  if (chains.draws() < 4) return summary;

  note_time(chains, summary);

  const RankedDraws ranked(chains);
  const Scores scores = ranked.normal_scores();
  Autocovariance autocovariance(chains.draws() / 2);
  summary.ess_bulk = ess_of_split(scores.view().split(), autocovariance);
  summary.ess_tail = ess_tail(chains, ranked, autocovariance);
  summary.ess_mean = ess_of_split(chains.split(), autocovariance);
  summary.mcse = mcse_mean(chains, summary.ess_mean);
  summary.mcse_sd = mcse_sd(chains, summary.mean, ess_sd(chains, summary.mean, autocovariance));
  // Chains that never moved tell nothing of how fast they move.
  if (summary.frozen_chains == chains.chains() && !summary.constant)
    for (double* field :
         {&summary.ess_bulk, &summary.ess_tail, &summary.ess_mean, &summary.mcse, &summary.mcse_sd})
      *field = nan;
  if (chains.chains() >= 2) {
    const Rhat rhat = rank_rhat(scores, ranked.folded_scores());
    summary.rhat = rhat.value();
    summary.rhat_bulk = rhat.bulk;
    summary.rhat_folded = rhat.folded;
  }
  return summary;
}

}  // namespace nhot
