#include "nhot/diagnose/decorrelation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/base/contracts.hpp"

namespace nhot {

double Variogram::Entry::noise(double variance) const {
  return 2 * std::sqrt(2 * lag / span) * half_square() / variance;
}

Variogram::Entry& Variogram::entry(double lag) {
  for (Entry& known : entries_)
    if (known.lag == lag) return known;
  NHOT_EXPECTS(entries_.empty() || entries_.back().lag < lag);
  return entries_.emplace_back(Entry{lag, 0, 0, 0});
}

template <class Series, class HalfSquare>
void Variogram::add_pairs(const Series& series, std::span<const std::size_t> lags, double spacing,
                          HalfSquare&& half_square) {
  for (const std::size_t lag : lags) {
    if (series.size() <= lag) break;
    Entry& to = entry(static_cast<double>(lag) * spacing);
    for (std::size_t s = 0; s + lag < series.size(); ++s)
      to.sum += half_square(series[s], series[s + lag]);
    const auto pairs = static_cast<double>(series.size() - lag);
    to.pairs += pairs;
    to.span += pairs * spacing;
  }
}

void Variogram::add(std::span<const double> series, std::span<const std::size_t> lags,
                    double spacing) {
  add_pairs(series, lags, spacing, [](double a, double b) { return 0.5 * (a - b) * (a - b); });
}

void Variogram::add(std::span<const PackedBits> states, std::span<const std::size_t> lags,
                    double spacing) {
  add_pairs(states, lags, spacing, [](const PackedBits& a, const PackedBits& b) {
    return 0.5 * static_cast<double>(count_different(a, b));
  });
}

Variogram& Variogram::operator+=(const Variogram& other) {
  if (entries_.empty()) return *this = other;
  for (const Entry& from : other.entries_) {
    Entry& to = entry(from.lag);
    to.sum += from.sum;
    to.pairs += from.pairs;
    to.span += from.span;
  }
  return *this;
}

double decorrelation_time(const Variogram& variogram, double variance, double level) {
  if (variogram.entries().empty()) return std::numeric_limits<double>::infinity();
  if (!(variance > 0)) return variogram.entries().front().lag;  // a constant is known at once
  double time = 0;
  double lag_before = 0;
  double before = 1;
  for (const Variogram::Entry& entry : variogram.entries()) {
    double lag = entry.lag;
    double rho = entry.correlation(variance);
    const double end = std::min(std::max(level, entry.noise(variance)), before);
    const bool last = rho <= end;
    if (last) {  // on a straight line between both lags
      lag = lag_before + (lag - lag_before) * (before > rho ? (before - end) / (before - rho) : 0);
      rho = end;
    }
    time += (lag - lag_before) * (before + rho);
    lag_before = lag;
    before = rho;
    if (last) break;
  }
  if (before >= 1) return std::numeric_limits<double>::infinity();
  return before > 0 ? time + 2 * before * lag_before / -std::log(before) : time;
}

double lowest_correlation(const Variogram& variogram, double variance) {
  double lowest = 1;
  for (const Variogram::Entry& entry : variogram.entries())
    lowest = std::min(lowest, std::max(3 * entry.noise(variance), entry.correlation(variance)));
  return lowest;
}

}  // namespace nhot
