// log Z_n: the logarithm of the sum of exp(-beta E(x)) over the states of a shell, with an error
// bar.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

enum class PartitionMethod {
  smc,  // populations that are resampled as they cool
  ais,  // the same without resampling
  ti,   // mean energies of a tempering run, integrated over beta
};

struct PartitionPlan {
  PartitionMethod method = PartitionMethod::smc;
  std::uint64_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;
  std::size_t population = 64;   // members of one population
  std::size_t populations = 16;  // independent ones, for the error bar; ladders of method ti
  /// Conditional ESS / size that a step in temperature keeps; 0: 0.9, and 0.98 for ais.
  double share = 0;
  std::uint64_t moves = 0;  // of every member at every temperature; 0: about a step per site
  bool ratio = false;       // also Z_{n+1} / Z_n, which takes as long again
  std::string move = {};    // as the user gave it, fitted to the next shell; empty: the factory's
  double seconds = 10;      // sampling time of method ti
};

/// An estimate on the log scale.
struct LogEstimate {
  double value = 0;
  double stderr_value = 0;
};

struct PartitionResult {
  LogEstimate log_z;
  double log_states = 0;         // log of the number of states: log Z at beta = 0
  std::vector<double> log_z_of;  // by population or ladder
  std::vector<double> betas;     // the schedule, or the ladder
  /// By population or ladder, log Z at each of the betas; empty where it is not known.
  std::vector<std::vector<double>> log_z_along;
  double effective_share = 1;  // ESS / size at the end, mean over populations
  double families = 0;         // initial members with descendants, mean
  bool has_ratio = false;      // the next shell exists and its ratio was asked for
  LogEstimate log_ratio;       // log(Z_{n+1} / Z_n)
  std::uint64_t moves = 0;     // over all members
  double seconds = 0;
  bool interrupted = false;  // then the estimate is from the populations that were finished
  std::vector<std::string> notes;
};

/// smc and ais: a pilot population fixes the schedule of temperatures; then every population runs
/// it on its own streams, (seed, 1 + p, member, ...), and gives an unbiased estimate of Z. log_z is
/// the log of their mean, its error that of log_of_mean(). Results do not depend on the number of
/// threads.
///
/// There is no ratio on the last shell, n = M; a note says so. The ratio is Bennett's (J. Comput.
/// Phys. 22, 1976) over the pairs of neighbours (x, y) of the two shells: with g(t) = 1 / (1 +
/// exp(t)) and any constant c,
///
///     Z_{n+1} / Z_n = exp(-c) E_n[sum over agreeing i of g(beta dE_i - c)]
///                             / E_{n+1}[sum over differing i of g(beta dE_i + c)].
///
/// ti: log Z = log_states - integral of the mean energy from 0 to beta, by the trapezoidal rule
/// with its end correction (from the variances), over the rungs of a tempering run. The error holds
/// the spread over independent ladders and the error of the rule; a run that has not converged is
/// biased beyond both, and a note says so.
PartitionResult estimate_partition(const ChainFactory& factory, const PartitionPlan& plan,
                                   const RunHooks& hooks = {});

/// The log of the mean of exp(logs). Its error is that of the jackknife, or of the mean of the logs
/// where that is larger; in quadrature with 2 v / sqrt(count), v the variance of the logs, for the
/// large values that were not met: where they are missing, estimate and spread are both too small.
LogEstimate log_of_mean(const std::vector<double>& logs);

/// The log of (sum of numerators a_k / sum of denominators b_k), given the logs. Its error is the
/// larger of the jackknife's and of sd(log(a_k / b_k)) / sqrt(n), n = (sum b)^2 / sum b^2 being the
/// number of terms that count: where one b_k is nearly all of the sum, the jackknife sees no
/// spread.
LogEstimate log_of_ratio(const std::vector<double>& numerators,
                         const std::vector<double>& denominators);

/// The integral over beta of a mean energy whose values and variances are known at the rungs; its
/// derivative is minus the variance. `rule_error` estimates what the rule leaves out.
double integrate_energy(const std::vector<double>& betas, const std::vector<double>& means,
                        const std::vector<double>& variances, double& rule_error);

/// Thermodynamic integration over a run whose hottest rung is at beta = 0.
PartitionResult integrate_tempering(const TemperingResult& run, double log_states);

}  // namespace nhot
