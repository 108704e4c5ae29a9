// log Z_n by thermodynamic integration over a tempering run.
#include <cmath>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/types.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/run/logz/partition.hpp"

namespace nhot {
namespace {

/// Of the integral between two rungs.
double interval(const std::vector<double>& betas, const std::vector<double>& means,
                const std::vector<double>& variances, std::size_t k, std::size_t next) {
  const double width = betas[next] - betas[k];
  return width * (means[k] + means[next]) / 2 +
         width * width / 12 * (variances[next] - variances[k]);
}

double trapezoid(const std::vector<double>& betas, const std::vector<double>& means,
                 const std::vector<double>& variances, std::size_t stride) {
  double sum = 0;
  for (std::size_t k = 0; k + stride < betas.size(); k += stride)
    sum += interval(betas, means, variances, k, k + stride);
  return sum;
}

}  // namespace

double integrate_energy(const std::vector<double>& betas, const std::vector<double>& means,
                        const std::vector<double>& variances, double& rule_error) {
  NHOT_EXPECTS(betas.size() == means.size() && betas.size() == variances.size());
  const double fine = trapezoid(betas, means, variances, 1);
  rule_error = 0;
  if (betas.size() < 3) {
    // Too few rungs to compare two widths: the end correction stands for the error.
    std::vector<double> none(betas.size(), 0.0);
    rule_error = std::abs(fine - trapezoid(betas, means, none, 1));
    return fine;
  }
  // Richardson: every second rung has 16 times the error, O(h^4). Leaves out an odd last interval.
  const std::size_t even = (betas.size() - 1) / 2 * 2 + 1;
  const std::vector<double> b(betas.begin(), betas.begin() + static_cast<std::ptrdiff_t>(even));
  const double both = trapezoid(b, means, variances, 1);
  const double coarse = trapezoid(b, means, variances, 2);
  rule_error = std::abs(both - coarse) / 15;
  return fine;
}

PartitionResult integrate_tempering(const TemperingResult& run, double log_states) {
  if (run.rungs.front().beta != 0)
    throw InputError("thermodynamic integration needs a ladder that begins at beta = 0",
                     "add 0 to {betas}");
  PartitionResult result;
  result.log_states = log_states;
  result.seconds = run.seconds;
  result.interrupted = run.interrupted;
  result.notes = run.notes;
  for (std::size_t k = 0; k <= run.target; ++k) result.betas.push_back(run.rungs[k].beta);
  if (run.rungs[run.target].trace.draws() < 4) {
    result.log_z = {nan, nan};
    result.notes.emplace_back("too few draws for an estimate: give it more time");
    return result;
  }
  const std::vector<NamedSummary> target = summarise_rung(run.rungs[run.target]);
  if (const Verdict verdict = judge_tempering(run, target, nullptr); !verdict.converged)
    result.notes.push_back(
        "the ladders have not converged, so that the estimate may be off by more than its error: " +
        verdict.reasons.front());
  double rule_error = 0;
  const std::size_t ladders = run.ladder_trips.size();
  for (std::size_t c = 0; c < ladders; ++c) {
    std::vector<double> means;
    std::vector<double> variances;
    for (std::size_t k = 0; k <= run.target; ++k) {
      const std::vector<double>& energy = run.rungs[k].trace.chains.at(c).energy;
      means.push_back(mean(energy));
      variances.push_back(sample_variance(energy));
    }
    double error = 0;
    result.log_z_of.push_back(log_states - integrate_energy(result.betas, means, variances, error));
    std::vector<double>& path = result.log_z_along.emplace_back(1, log_states);
    for (std::size_t k = 1; k < means.size(); ++k)
      path.push_back(path.back() - interval(result.betas, means, variances, k - 1, k));
    rule_error += error / static_cast<double>(ladders);
  }
  result.log_z.value = mean(result.log_z_of);
  result.log_z.stderr_value =
      ladders < 2
          ? nan
          : std::hypot(std::sqrt(sample_variance(result.log_z_of) / static_cast<double>(ladders)),
                       rule_error);
  result.moves = run.moves * run.rungs.size() * ladders;
  return result;
}

}  // namespace nhot
