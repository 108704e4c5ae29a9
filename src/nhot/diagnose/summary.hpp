// Everything a user is told about one observable of one run, computed together.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/diagnose/chains_view.hpp"

namespace nhot {

/// Times are in draws: a caller that kept every k-th move multiplies by k. Fields without meaning
/// are NaN: all but mean, sd and range below four draws per chain, rhat of one chain, tau of
/// constant draws, tau, ESS and errors where every chain is constant and they differ, all of it if
/// a draw is not finite. ess.hpp and rhat.hpp list the edges.
struct ObservableSummary {
  std::size_t chains = 0;
  std::size_t draws = 0;  ///< per chain
  bool finite = true;     ///< false: some draw is NaN or infinite

  double mean = 0.0;  ///< over all draws of all chains
  double sd = 0.0;    ///< with divisor count - 1
  double mcse =
      0.0;  ///< standard error of `mean`, correlations and disagreement of chains included
  double mcse_sd = 0.0;

  double tau = 0.0;         ///< integrated time 1 + 2 sum rho, Sokal's window, chains averaged;
                            ///< at least 1 / log10(all draws), as in the ESS
  double tau_geyer = 0.0;   ///< the same by Geyer's initial monotone sequence
  bool tau_closed = false;  ///< false: the chains are too short for tau, which is then too low

  double ess_bulk = 0.0;
  double ess_tail = 0.0;
  double ess_mean = 0.0;

  double rhat = 0.0;         ///< the larger of the next two
  double rhat_bulk = 0.0;    ///< rank-normalised, split
  double rhat_folded = 0.0;  ///< the same of the distance from the median

  double smallest = 0.0;
  double largest = 0.0;
  std::vector<double> chain_means;
  bool constant = false;          ///< every draw of every chain equal, up to rounding
  std::size_t frozen_chains = 0;  ///< chains whose own draws are all equal, up to rounding
};

/// O(S log S) for S draws in all: one sort and six autocovariances.
ObservableSummary summarise(const ChainsView& chains);

}  // namespace nhot
