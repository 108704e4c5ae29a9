// The numbers behind the figures of a report: pure functions on draws.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/diagnose/chains_view.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// Mean and spread over chains, on a grid; NaN where no chain has a value.
struct Band {
  std::vector<double> mean;
  std::vector<double> sd;  // between chains, divisor count - 1; NaN of one chain
};

/// About `points` increasing values from `first` to `last`: a linear and a logarithmic grid merged,
/// for both kinds of axis.
std::vector<double> two_way_grid(double first, double last, std::size_t points);

/// Energy at times of a grid, in CPU seconds of a chain since its first move: the value of the
/// latest draw. A time behind the end of a chain leaves that chain out.
Band energy_against_time(const ContestantResult& result, const std::vector<double>& grid);
/// The same of one chain.
std::vector<double> energy_of_chain(const ContestantResult& result, std::size_t chain,
                                    const std::vector<double>& grid);

/// Autocorrelation of the energy of each chain by itself, after warm-up, at lags in CPU seconds;
/// the mean and spread are over chains. Chains whose energy never changed count as 1: they never
/// forgot. Lags longer than half a chain are NaN.
Band autocorrelation_against_time(const ContestantResult& result, const std::vector<double>& lags);

/// rho at lags 0, step, 2 step, ..., `lags` of them: mean and sd over the chains.
Band autocorrelation_band(const ChainsView& chains, std::size_t lags, std::size_t step);

/// Counts of the ranks of each chain among all draws, in bins of equal width. Equal draws are
/// spread evenly over the ranks they share, so that chains of one law have flat histograms even
/// when few values occur.
std::vector<std::vector<double>> rank_histograms(const ChainsView& chains, std::size_t bins);

struct EssGrowth {
  std::vector<std::size_t> draws;  // per chain: the first so many
  std::vector<double> bulk;
  std::vector<double> tail;
};
/// ESS of ever longer beginnings of the chains. Straight lines mean that the chains mix.
EssGrowth ess_growth(const ChainsView& chains, std::size_t points);

/// Share of accepted moves by walk length, from the last move before every draw.
struct LengthRate {
  std::int32_t first;  // lengths first .. last share a row
  std::int32_t last;
  std::uint64_t tried;
  std::uint64_t accepted;
};
std::vector<LengthRate> acceptance_by_length(const Trace& trace, std::size_t max_rows);

/// Distribution of the overlap of states: of different chains at the same draw, and of one chain
/// half a run apart. Where the chains have forgotten their start the two agree.
struct OverlapDensity {
  std::vector<double> centre;
  std::vector<double> between;  // densities; empty when there are no pairs
  std::vector<double> within;
  double between_mean = 0;
  double within_mean = 0;
};
OverlapDensity overlap_density(const std::vector<std::vector<PackedBits>>& states,
                               std::size_t bins);

/// The energies of a trace as the estimators take them.
ChainsView energies(const Trace& trace);

}  // namespace nhot
