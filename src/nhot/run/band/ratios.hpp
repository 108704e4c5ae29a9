// From what chains have tallied on a band to log Z_n, with error bars.
#pragma once

#include <optional>
#include <vector>

#include "nhot/chain/band/band_chain.hpp"
#include "nhot/chain/band/tally.hpp"
#include "nhot/run/logz/partition.hpp"

namespace nhot {

/// The tallies of several chains in one.
BandTally pool(const std::vector<BandTally>& tallies);

/// log(Z_{n+1} / Z_n) by shell, from the first of the band on, by the totals of weights: quick
/// guesses, whatever the weights of the shells. NaN where one of the two was not visited.
std::vector<double> guessed_log_ratios(const BandTally& tally);
/// The same by the steps that chains took under frozen weights. NaN where one direction was not
/// tried, or never accepted.
std::vector<double> log_ratios(const BandTally& tally, const BandWeights& weights);

/// What is known of the ends of a band: log Z of its first and last shell.
struct KnownEnds {
  std::optional<double> first;
  std::optional<double> last;
};

/// The jackknife's error of a value, given the values without one chain each, times
/// sqrt((n - 1) / (n - 3)): from n chains it is itself uncertain, and with this the mean square of
/// (estimate - truth) / error is 1 (Student's law of n - 1 degrees of freedom). `fitted` parameters
/// were chosen by the same chains.
double error_over_chains(const std::vector<double>& without, std::size_t fitted = 0);

/// log Z_n of every shell, from all chains together, and again from all chains but one.
struct BandEstimate {
  std::vector<double> log_z;
  std::vector<std::vector<double>> without;  // [chain left out][shell]; fewer than two chains: none
  /// What the chains say of log(Z_last / Z_first) minus what is known; where both ends are.
  std::optional<LogEstimate> closing;

  double anchor_error = 0;  // of what was added to all log Z

  /// Adds an estimate of its own to all log Z.
  void shift_by(const LogEstimate& anchor);
  /// The estimate on one shell; its error is that over chains, NaN where there is none.
  LogEstimate at(std::size_t shell) const;
};

/// Ratios of pooled sums, under these frozen weights, added up from the end that is known. Where
/// neither is, log Z of the first shell counts as 0. Where both are, the sums are corrected by t_n
/// times what they miss at the other end, t_n the regression coefficient over the jackknife: the
/// control variate of least variance, exact at both ends.
BandEstimate estimate_band(const std::vector<BandTally>& tallies, const BandWeights& weights,
                           const KnownEnds& ends);

}  // namespace nhot
