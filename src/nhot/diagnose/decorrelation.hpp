// How fast series forget, from the differences of draws that lie some lags apart: what can be told
// of chains that are much shorter than those that summary.hpp asks for.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "nhot/base/packed_bits.hpp"

namespace nhot {

/// Half the mean squared difference of draws that lie some lags apart, for growing lags.
class Variogram {
 public:
  struct Entry {
    double lag = 0;  // in the unit that the owner likes, for example moves
    double sum = 0;
    double pairs = 0;
    double span = 0;  // the time that the pairs cover, in the unit of the lag

    double half_square() const { return sum / pairs; }
    /// Given the variance of the law.
    double correlation(double variance) const { return 1 - half_square() / variance; }
    /// Twice the standard error of that correlation, of which span / lag pairs are independent.
    double noise(double variance) const;
  };
  const std::vector<Entry>& entries() const { return entries_; }

  Variogram() = default;
  /// As entries() gave them, in growing order of lags.
  explicit Variogram(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  /// Of draws that are `spacing` apart, at the lags given in draws. New lags come in growing order.
  void add(std::span<const double> series, std::span<const std::size_t> lags, double spacing);
  /// Sites as one series: the squared difference of two states is the number of sites that differ.
  void add(std::span<const PackedBits> states, std::span<const std::size_t> lags, double spacing);
  /// One with the same lags, or one of both is empty.
  Variogram& operator+=(const Variogram& other);

 private:
  template <class Series, class HalfSquare>
  void add_pairs(const Series& series, std::span<const std::size_t> lags, double spacing,
                 HalfSquare&& half_square);
  Entry& entry(double lag);

  std::vector<Entry> entries_;
};

/// The integral of the autocorrelation over both directions of time, in the unit of the lags (a
/// series that lasts T has T / time effective draws), given the variance of the law. It ends where
/// correlations have fallen to `level` or to their noise; the rest is taken to be exponential, as
/// it is where they do not get there. Infinity where nothing changed, or nothing was added.
double decorrelation_time(const Variogram& variogram, double variance, double level);

/// The lowest correlation that stands out clearly from noise; 1 without any.
double lowest_correlation(const Variogram& variogram, double variance);

}  // namespace nhot
