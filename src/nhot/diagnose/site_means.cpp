#include "nhot/diagnose/site_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace nhot {
namespace {

constexpr std::size_t most_batches = 16;
constexpr double prior_weight = 8;        // in batches
constexpr double added = 2;               // states of both values, by Agresti and Coull
constexpr double largest_correction = 2;  // of the variance, for correlated batches

/// Of a mean of `number` values with this sum and sum of squares.
double variance_of_mean(double sum, double squares, double number) {
  return std::max(0.0, squares - sum * sum / number) / (number - 1) / number;
}

/// Variances of the means of all sites, by batches and by pairs of successive ones.
struct BatchVariances {
  std::vector<double> single;
  std::vector<double> paired;  // empty where there are too few batches
};

/// See site_means(); `number` of batches and of states.
std::vector<double> errors_from(const std::vector<double>& means, const BatchVariances& variances,
                                double batches, double states) {
  double single = 0;
  double paired = 0;
  double independent = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    single += variances.single[i];
    if (!variances.paired.empty()) paired += variances.paired[i];
    independent += means[i] * (1 - means[i]);
  }
  double correction = 1;
  if (single > 0 && paired > 0)
    correction = std::clamp(2 * paired / single - 1, 1.0, largest_correction);
  double worth = states;
  if (single > 0) worth = std::min(states, independent / (correction * single));
  std::vector<double> errors;
  for (std::size_t i = 0; i < means.size(); ++i) {
    const double p = (means[i] * worth + added) / (worth + 2 * added);
    const double prior = p * (1 - p) / (worth + 2 * added);
    const double met = std::min(batches - 1, worth * std::min(means[i], 1 - means[i]));
    errors.push_back(std::sqrt((met * correction * variances.single[i] + prior_weight * prior) /
                               (met + prior_weight)));
  }
  return errors;
}

}  // namespace

SiteMeans site_means(const std::vector<std::vector<PackedBits>>& states) {
  SiteMeans result;
  const std::size_t length = states.empty() ? 0 : states.front().size();
  if (length == 0) return result;
  const std::size_t sites = states.front().front().size();
  const std::size_t batches = std::min(most_batches, length);
  const std::size_t size = length / batches;
  const std::size_t left_out = length - batches * size;  // at the beginning
  const auto number = static_cast<double>(batches * states.size());
  result.mean.assign(sites, 0);
  result.error.assign(sites, std::numeric_limits<double>::quiet_NaN());
  std::vector<const PackedBits*> part;
  std::array<std::uint32_t, counted_sites> counts{};
  std::array<double, counted_sites> sums{};
  std::array<double, counted_sites> squares{};
  std::array<double, counted_sites> before{};  // means of the batch before
  std::array<double, counted_sites> paired{};  // squares of the means of two successive batches
  BatchVariances variances;
  const bool pairs = batches % 2 == 0 && number > 2;
  for (std::size_t first = 0; first < sites; first += counted_sites) {
    const std::size_t here = std::min(counted_sites, sites - first);
    sums.fill(0);
    squares.fill(0);
    paired.fill(0);
    std::array<std::uint64_t, counted_sites> all{};
    for (const std::vector<PackedBits>& own : states) {
      const auto count = [&](std::size_t begin, std::size_t end) {
        part.clear();
        for (std::size_t s = begin; s < end; ++s) part.push_back(&own[s]);
        count_sites(part, first, here, counts.data());
        for (std::size_t k = 0; k < here; ++k) all[k] += counts[k];
      };
      if (left_out > 0) count(0, left_out);
      for (std::size_t b = 0; b < batches; ++b) {
        count(left_out + b * size, left_out + (b + 1) * size);
        for (std::size_t k = 0; k < here; ++k) {
          const double mean = static_cast<double>(counts[k]) / static_cast<double>(size);
          sums[k] += mean;
          squares[k] += mean * mean;
          const double pair = 0.5 * (before[k] + mean);
          if (b % 2 == 1) paired[k] += pair * pair;
          before[k] = mean;
        }
      }
    }
    for (std::size_t k = 0; k < here; ++k) {
      result.mean[first + k] =
          static_cast<double>(all[k]) / static_cast<double>(length * states.size());
      if (batches < 2) continue;
      variances.single.push_back(variance_of_mean(sums[k], squares[k], number));
      if (pairs) variances.paired.push_back(variance_of_mean(sums[k] / 2, paired[k], number / 2));
    }
  }
  if (batches > 1)
    result.error =
        errors_from(result.mean, variances, number, static_cast<double>(length * states.size()));
  return result;
}

}  // namespace nhot
