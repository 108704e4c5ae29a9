#include "nhot/diagnose/moments.hpp"

#include "nhot/base/types.hpp"

namespace nhot {
namespace {

// Sums of (x - origin) and (x - origin)^2 in four lanes each, which both shortens the chain of
// roundings and lets the additions overlap.
struct ShiftedSums {
  double first = 0.0;
  double second = 0.0;

  void add(std::span<const double> values, double origin) {
    double a[4] = {}, b[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) {
        const double d = values[i + lane] - origin;
        a[lane] += d;
        b[lane] += d * d;
      }
    }
    for (; i < values.size(); ++i) {
      const double d = values[i] - origin;
      a[0] += d;
      b[0] += d * d;
    }
    first += (a[0] + a[1]) + (a[2] + a[3]);
    second += (b[0] + b[1]) + (b[2] + b[3]);
  }
};

template <class Chains>
double mean_of(const Chains& chains, double count, double first_value) {
  // The second pass starts from a point next to the mean and removes what rounding left in the
  // first.
  double origin = first_value;
  for (int pass = 0; pass < 2; ++pass) {
    ShiftedSums sums;
    for (const auto& chain : chains) sums.add(chain, origin);
    origin += sums.first / count;
  }
  return origin;
}

template <class Chains>
double variance_of(const Chains& chains, double count, double centre) {
  ShiftedSums sums;
  for (const auto& chain : chains) sums.add(chain, centre);
  return (sums.second - sums.first * sums.first / count) / (count - 1.0);
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return nan;
  const std::span<const double> one[] = {values};
  return mean_of(one, static_cast<double>(values.size()), values.front());
}

double sample_variance(std::span<const double> values) {
  if (values.size() < 2) return nan;
  const std::span<const double> one[] = {values};
  return variance_of(one, static_cast<double>(values.size()), mean(values));
}

double pooled_mean(const ChainsView& chains) {
  if (chains.empty()) return nan;
  return mean_of(chains, static_cast<double>(chains.size()), chains[0].front());
}

double pooled_variance(const ChainsView& chains) {
  if (chains.size() < 2) return nan;
  return variance_of(chains, static_cast<double>(chains.size()), pooled_mean(chains));
}

}  // namespace nhot
