// Means and ratios of sums that are known by their logs, with errors.
#include <algorithm>
#include <cmath>

#include "nhot/base/contracts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/run/logz/partition.hpp"

namespace nhot {
namespace {

/// How much a tail that no value fell into adds to the error of a log, in units of
/// (variance of the logs) / sqrt(count). For normal logs it would be sqrt(1/2); those of
/// populations are skewed, and this is what their coverage asks for (doc/methods/logz.md).
constexpr double unseen_tail = 2;

double log_sum(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - largest);
  return std::log(sum) + largest;
}

/// The logs of the leave-one-out sums.
std::vector<double> log_sums_without(const std::vector<double>& logs) {
  std::vector<double> results;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    std::vector<double> rest = logs;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    results.push_back(log_sum(rest));
  }
  return results;
}

}  // namespace

double jackknife_error(const std::vector<double>& leaving_one_out) {
  const auto count = static_cast<double>(leaving_one_out.size());
  return std::sqrt(sample_variance(leaving_one_out) * (count - 1) * (count - 1) / count);
}

LogEstimate log_of_mean(const std::vector<double>& logs) {
  const auto count = static_cast<double>(logs.size());
  LogEstimate estimate{log_sum(logs) - std::log(count), nan};
  if (logs.size() < 2) return estimate;
  const double variance = sample_variance(logs);
  const double seen =
      std::max(jackknife_error(log_sums_without(logs)), std::sqrt(variance / count));
  estimate.stderr_value = std::hypot(seen, unseen_tail * variance / std::sqrt(count));
  return estimate;
}

LogEstimate log_of_ratio(const std::vector<double>& numerators,
                         const std::vector<double>& denominators) {
  NHOT_EXPECTS(numerators.size() == denominators.size());
  LogEstimate estimate{log_sum(numerators) - log_sum(denominators), nan};
  if (numerators.size() < 2) return estimate;
  const std::vector<double> above = log_sums_without(numerators);
  std::vector<double> without = log_sums_without(denominators);
  std::vector<double> quotients;
  double squares = 0;  // of the shares in the sum of denominators
  const double total = log_sum(denominators);
  for (std::size_t k = 0; k < without.size(); ++k) {
    without[k] = above[k] - without[k];
    quotients.push_back(numerators[k] - denominators[k]);
    squares += std::exp(2 * (denominators[k] - total));
  }
  estimate.stderr_value =
      std::max(jackknife_error(without), std::sqrt(sample_variance(quotients) * squares));
  return estimate;
}

}  // namespace nhot
