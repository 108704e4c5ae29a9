// What a tempering run says about itself.
#include <algorithm>

#include "nhot/run/temper/tempering.hpp"

namespace nhot {

std::vector<NamedSummary> summarise_rung(const RungResult& rung) {
  std::vector<ChainsView::Chain> energies;
  for (const ChainColumns& columns : rung.trace.chains) energies.emplace_back(columns.energy);
  std::vector<NamedSummary> summaries;
  summaries.push_back({"energy", summarise(ChainsView(std::move(energies)))});
  for (const ObservableColumn& column : rung.trace.observables)
    summaries.push_back({column.name, summarise(ChainsView(column.series))});
  return summaries;
}

Verdict judge_tempering(const TemperingResult& result, std::span<const NamedSummary> target,
                        const ChainComparison* comparison, const VerdictLimits& limits,
                        std::uint64_t trips_per_ladder) {
  JudgedRun facts;
  facts.chains = result.ladder_trips.size();
  facts.unreachable_reason = result.unreachable_reason;
  facts.comparison = comparison;
  Verdict verdict = judge(target, facts, limits);
  if (result.rungs.size() < 2) return verdict;
  const std::uint64_t fewest =
      *std::min_element(result.ladder_trips.begin(), result.ladder_trips.end());
  const std::string seen = std::to_string(fewest) + " round trips in the ladder with fewest";
  if (fewest >= trips_per_ladder) {
    if (verdict.converged) verdict.reasons.push_back("Replicas travel: " + seen + ".");
    return verdict;
  }
  if (verdict.converged) verdict.reasons.clear();
  verdict.converged = false;
  verdict.reasons.push_back("Replicas hardly travel between the hot and the cold end: " + seen +
                            ", at least " + std::to_string(trips_per_ladder) + " are demanded.");
  return verdict;
}

}  // namespace nhot
