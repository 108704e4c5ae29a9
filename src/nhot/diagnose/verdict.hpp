// Has the run converged? A yes or a no, and why, in sentences a user can read.
//
// Yes needs moves that reach every state and chains that changed theirs; for every observable,
// R-hat below 1.01 over at least two chains, bulk and tail ESS of at least 100 per chain, chains of
// at least 50 integrated times; and chains that visit the same states, site by site and pair by
// pair (chain_comparison.hpp). A yes means that nothing here speaks against the run; no test on the
// draws can prove that a valley was not missed by all chains alike.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "nhot/diagnose/chain_comparison.hpp"
#include "nhot/diagnose/summary.hpp"
#include "nhot/diagnose/witness_comparison.hpp"

namespace nhot {

struct NamedSummary {
  std::string name;
  ObservableSummary summary;
};

struct JudgedRun {
  std::size_t chains = 0;
  std::vector<double> changed;  ///< share of moves that changed the state, one per chain; empty
                                ///< where unknown
  bool single_state = false;    ///< the shell holds one state, so there is nothing to explore
  std::string unreachable_reason =
      {};  ///< why the moves do not reach every state; empty when they do
  const ChainComparison* comparison = nullptr;  ///< of the states; null where there are none
  WitnessFinding witness = {};
};

struct VerdictLimits {
  double rhat = 1.01;
  double pair_rhat = 1.05;  // of an observable of pairs of chains: few series, and noisy
  double ess_per_chain = 100.0;
  double lengths_in_tau = 50.0;
  // Of chain_comparison.hpp. A difference between chains is an objection when it comes up by chance
  // in fewer than this share of runs, and is large enough to matter.
  double probability = 0.001;
  double spread = 1.5;
  // The pattern is the slowest of many, so that less is demanded of it than of an observable.
  double pattern_rhat = 1.1;
  double pattern_ess_per_chain = 10.0;
};

struct Verdict {
  bool converged = false;
  std::vector<std::string> reasons;  ///< never empty; if not converged, one for every failed demand
  /// If not converged: about how many times as long the chains must be, by the demands that grow
  /// with their length; 1 where none of them failed.
  double longer = 1;
  /// If not converged: some demand failed that no length mends. The chains do not move, or move
  /// quickly and still differ, each in a valley of its own.
  bool trapped = false;
};

/// An observable that is constant and the same in all chains passes: its mean is known exactly. An
/// observable with a single series in a run of several chains (the overlap of the only replica
/// pair) has no R-hat and is judged by the rest.
Verdict judge(std::span<const NamedSummary> observables, const JudgedRun& run,
              const VerdictLimits& limits = {});

}  // namespace nhot
