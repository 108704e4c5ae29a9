#include "nhot/diagnose/rhat.hpp"

#include <cmath>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/moments.hpp"

namespace nhot {

double Rhat::value() const { return std::fmax(bulk, folded); }

double plain_rhat(const ChainsView& chains) {
  std::vector<double> means, variances;
  for (const ChainsView::Chain chain : chains) {
    means.push_back(mean(chain));
    variances.push_back(sample_variance(chain));
  }
  const auto draws = static_cast<double>(chains.draws());
  return std::sqrt((draws - 1.0) / draws + sample_variance(means) / mean(variances));
}

Rhat rank_rhat(const Scores& scores, const Scores& folded) {
  return {plain_rhat(scores.view().split()), plain_rhat(folded.view().split())};
}

Rhat rank_rhat(const RankedDraws& ranked) {
  return rank_rhat(ranked.normal_scores(), ranked.folded_scores());
}

Rhat rank_rhat(const ChainsView& chains) {
  if (chains.chains() < 2 || !can_be_judged(chains)) return {nan, nan};
  return rank_rhat(RankedDraws(chains));
}

}  // namespace nhot
