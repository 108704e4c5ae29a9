#include "nhot/model/frame.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {
namespace {

double value_of(Convention convention, Bit bit) {
  return convention == Convention::spin ? 2.0 * bit - 1.0 : static_cast<double>(bit);
}

// Euclid on doubles: fmod is exact, so multiples of a common quantum give that quantum, to the bit.
// Values without one run down to a remainder far below them, which the caller refuses.
double common_divisor(double a, double b, double floor) {
  while (b > floor) {
    const double rest = std::fmod(a, b);
    a = b;
    b = rest;
  }
  return b == 0 ? a : 0;
}

}  // namespace

std::vector<double> framed_linear(const QuadraticModel& model, std::span<const Bit> reference) {
  const Convention convention = model.convention();
  const double scale = convention == Convention::spin ? 2.0 : 1.0;
  std::vector<double> result(model.sites());
  for (Site i = 0; i < model.sites(); ++i) {
    double field = model.linear()[i];
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k)
      field += row.values[k] * value_of(convention, reference[row.sites[k]]);
    result[i] = reference[i] ? -scale * field : scale * field;
  }
  return result;
}

Grid find_grid(const QuadraticModel& model, std::span<const Bit> reference, long long max_units) {
  const std::vector<double> linear = framed_linear(model, reference);
  double largest = 0;
  for (Site i = 0; i < model.sites(); ++i) {
    double low = linear[i];
    double high = linear[i];
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const double q =
          framed_coupling(model.convention(), reference[i], reference[row.sites[k]], row.values[k]);
      (q < 0 ? low : high) += q;
    }
    largest = std::max({largest, std::abs(low), std::abs(high)});
  }
  if (largest == 0) return {1.0, 0};

  const double floor = largest / static_cast<double>(max_units) / 2;
  double quantum = 0;
  const auto absorb = [&](double value) {
    value = std::abs(value);
    if (value == 0) return true;
    if (quantum != 0 && std::fmod(value, quantum) == 0) return true;
    quantum = quantum == 0
                  ? value
                  : common_divisor(std::max(value, quantum), std::min(value, quantum), floor);
    return quantum > floor;
  };
  for (Site i = 0; i < model.sites(); ++i) {
    if (!absorb(linear[i])) return {};
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const double q =
          framed_coupling(model.convention(), reference[i], reference[row.sites[k]], row.values[k]);
      if (!absorb(q)) return {};
    }
  }
  const double units = largest / quantum;
  if (units > static_cast<double>(max_units)) return {};
  return {quantum, static_cast<long long>(std::llround(units))};
}

}  // namespace nhot
