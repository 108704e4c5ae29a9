#include "nhot/diagnose/ess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {
namespace {

constexpr double constant_range = 1e-15;  // ArviZ's threshold, absolute

bool all_equal(const ChainsView& chains) {
  double low = chains[0].front(), high = low;
  for (const ChainsView::Chain chain : chains) {
    const auto [least, most] = std::minmax_element(chain.begin(), chain.end());
    low = std::min(low, *least);
    high = std::max(high, *most);
  }
  return high - low < constant_range;
}

double variance_of_means(const ChainsView& chains) {
  std::vector<double> means;
  means.reserve(chains.chains());
  for (const ChainsView::Chain chain : chains) means.push_back(mean(chain));
  return sample_variance(means);
}

// function(draw) of every draw, chain after chain.
template <class Function>
std::vector<double> map_draws(const ChainsView& chains, Function&& function) {
  std::vector<double> mapped;
  mapped.reserve(chains.size());
  for (const ChainsView::Chain chain : chains) {
    std::transform(chain.begin(), chain.end(), std::back_inserter(mapped), function);
  }
  return mapped;
}

double ess_below(const ChainsView& chains, double threshold, Autocovariance& autocovariance) {
  const std::vector<double> below =
      map_draws(chains, [threshold](double x) { return x <= threshold ? 1.0 : 0.0; });
  return ess_of_split(ChainsView(below.data(), chains.chains(), chains.draws()).split(),
                      autocovariance);
}

// tau = -1 + 2 * (rho_0 + rho_1 + ...) by Geyer's initial monotone sequence. Pair sums
// rho_{2k} + rho_{2k+1}, each capped by the one before, count twice while they are positive and
// another pair follows. The pair that ends the sum adds rho_{2k} once, unless both it and the pair
// sum are negative.
template <class Rho>
double monotone_time(Rho&& rho, std::size_t draws) {
  double even = 1.0;
  double odd = rho(1);
  double complete = 0.0;
  double cap = std::numeric_limits<double>::infinity();
  for (std::size_t lag = 2; lag + 2 < draws && even + odd > 0.0; lag += 2) {
    cap = std::min(cap, even + odd);
    complete += cap;
    even = rho(lag);
    odd = rho(lag + 1);
  }
  const double last = even > 0.0 || even + odd >= 0.0 ? even : 0.0;
  return -1.0 + 2.0 * complete + last;
}

}  // namespace

bool can_be_judged(const ChainsView& chains) {
  if (chains.chains() < 1 || chains.draws() < 4) return false;
  return std::all_of(chains.begin(), chains.end(), [](ChainsView::Chain chain) {
    return std::all_of(chain.begin(), chain.end(), [](double x) { return std::isfinite(x); });
  });
}

double ess_of_split(const ChainsView& halves, Autocovariance& autocovariance) {
  const auto total = static_cast<double>(halves.size());
  if (all_equal(halves)) return total;
  const auto draws = static_cast<double>(halves.draws());
  const std::vector<double> gamma = autocovariance(halves);
  const double within = gamma[0] * draws / (draws - 1.0);
  const double overall = gamma[0] + (halves.chains() > 1 ? variance_of_means(halves) : 0.0);
  const auto rho = [&](std::size_t lag) { return 1.0 - (within - gamma[lag]) / overall; };
  if (!std::isfinite(overall)) return nan;  // squares of the draws overflow
  const double tau = monotone_time(rho, halves.draws());
  return total / std::max(tau, 1.0 / std::log10(total));
}

double ess_tail(const ChainsView& chains, const RankedDraws& ranked,
                Autocovariance& autocovariance) {
  return std::min(ess_below(chains, ranked.quantile(0.05), autocovariance),
                  ess_below(chains, ranked.quantile(0.95), autocovariance));
}

double ess_sd(const ChainsView& chains, double pooled_mean, Autocovariance& autocovariance) {
  const std::vector<double> squares =
      map_draws(chains, [pooled_mean](double x) { return (x - pooled_mean) * (x - pooled_mean); });
  return ess_of_split(ChainsView(squares.data(), chains.chains(), chains.draws()).split(),
                      autocovariance);
}

double ess_bulk(const ChainsView& chains) {
  if (!can_be_judged(chains)) return nan;
  const Scores scores = RankedDraws(chains).normal_scores();
  Autocovariance autocovariance(chains.draws() / 2);
  return ess_of_split(scores.view().split(), autocovariance);
}

double ess_tail(const ChainsView& chains) {
  if (!can_be_judged(chains)) return nan;
  Autocovariance autocovariance(chains.draws() / 2);
  return ess_tail(chains, RankedDraws(chains), autocovariance);
}

double ess_mean(const ChainsView& chains) {
  if (!can_be_judged(chains)) return nan;
  Autocovariance autocovariance(chains.draws() / 2);
  return ess_of_split(chains.split(), autocovariance);
}

double ess_sd(const ChainsView& chains) {
  if (!can_be_judged(chains)) return nan;
  Autocovariance autocovariance(chains.draws() / 2);
  return ess_sd(chains, pooled_mean(chains), autocovariance);
}

}  // namespace nhot
