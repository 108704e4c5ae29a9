// Independent bits given their sum: the conditional Bernoulli distribution.
//
//     P(b) ~ exp(sum_i t_i b_i)  on  sum_i b_i = count
//
// Adding a constant to all t changes nothing, so they are shifted until the bits without the
// condition, with p_i = 1 / (1 + exp(-t_i)), sum to the count on average. The law of the sum of a
// range of bits is then a convolution of the laws of its halves, all terms positive and none larger
// than 1: nothing overflows or cancels, however large the t. The count is split between the halves
// of all bits in proportion to the product of their laws, and so on down to single bits.
//
// This is the recursion for elementary symmetric polynomials by divide and conquer: O(m^2) at worst
// for m bits, O(m s) when the unconditioned sum has standard deviation s, and O(m log m) memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "nhot/base/contracts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

class FixedCountBits {
 public:
  /// Draws the bits. log_odds are finite, at most 1e300 in size; count is at most their number.
  template <DrawSource Draws>
  void draw(std::span<const double> log_odds, Site count, Draws& draws, Bits& bits) {
    const auto size = static_cast<Site>(log_odds.size());
    NHOT_EXPECTS(count <= size);
    bits.assign(size, count == size ? 1 : 0);
    if (count == 0 || count == size) return;
    shift(log_odds, count);
    levels_.resize(std::max<std::size_t>(levels_.size(), 1));
    const Site middle = size / 2;
    build({0, middle}, 0, count);
    build({middle, size}, 0, count);
    split({0, size}, 0, count, draws, bits);
  }

 private:
  /// Bits [begin, end).
  struct Range {
    Site begin;
    Site end;
    Site size() const { return end - begin; }
    Site middle() const { return begin + size() / 2; }
  };

  /// The law of the sum of a range, P(sum = low + k) = values[k]. Probabilities below 1e-40 at its
  /// ends are left out: they change no outcome's probability by as much as 1e-30.
  struct Law {
    Site low = 0;
    Site size = 0;
    double* values = nullptr;

    double at(Site sum) const { return sum < low || sum - low >= size ? 0.0 : values[sum - low]; }
  };
  static constexpr double negligible = 1e-40;

  /// Sets p_ and q_ = 1 - p_ such that the sum has mean `count`, to within 0.25.
  void shift(std::span<const double> log_odds, Site count) {
    const std::size_t size = log_odds.size();
    // Around the count-th largest: at most count - 1 are larger, so the shift is bounded.
    shifted_.assign(log_odds.begin(), log_odds.end());
    std::nth_element(shifted_.begin(), shifted_.begin() + (count - 1), shifted_.end(),
                     [](double a, double b) { return a > b; });
    const double pivot = shifted_[count - 1];
    for (std::size_t i = 0; i < size; ++i) shifted_[i] = log_odds[i] - pivot;
    p_.resize(size);
    q_.resize(size);
    // The mean grows with the shift: Newton's method, with bisection outside the known bounds.
    double low = -45;
    double high = 45;
    double by = 0;
    for (int step = 0; step < 200; ++step) {
      double mean = 0;
      double variance = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double t = shifted_[i] + by;
        const double small = std::exp(-std::abs(t));
        const double major = 1 / (1 + small);
        const double minor = small * major;
        p_[i] = t > 0 ? major : minor;
        q_[i] = t > 0 ? minor : major;
        mean += p_[i];
        variance += p_[i] * q_[i];
      }
      const double excess = mean - count;
      if (std::abs(excess) <= 0.25) return;
      (excess > 0 ? high : low) = by;
      const double newton = by - excess / variance;
      by = newton > low && newton < high ? newton : low + (high - low) / 2;
    }
    throw InternalError("the shift of independent bits to a given sum was not found");
  }

  /// The storage of a range's law at some depth. A law has at most twice as many values as the
  /// range has bits, so ranges of one depth do not overlap.
  Law& place(Range range, std::size_t depth) {
    Level& level = levels_[depth];
    Law& law = level.laws[range.begin];
    law.values = level.values.data() + 2 * std::size_t{range.begin};
    return law;
  }

  /// Computes the laws of a range and of all its parts, for sums up to `most`.
  void build(Range range, std::size_t depth, Site most) {
    while (levels_.size() <= depth + 1) levels_.emplace_back();
    Level& level = levels_[depth];
    if (level.laws.size() < p_.size()) {
      level.laws.resize(p_.size());
      level.values.resize(2 * p_.size());
    }
    if (range.size() == 0) return;
    if (range.size() == 1) {
      Law& law = place(range, depth);
      law.low = 0;
      law.size = 2;
      law.values[0] = q_[range.begin];
      law.values[1] = p_[range.begin];
      trim(law);
      return;
    }
    const Range left{range.begin, range.middle()};
    const Range right{range.middle(), range.end};
    build(left, depth + 1, most);
    build(right, depth + 1, most);
    convolve(place(left, depth + 1), place(right, depth + 1), most, place(range, depth));
  }

  static void convolve(const Law& a, const Law& b, Site most, Law& out) {
    out.low = a.low + b.low;
    out.size = out.low > most ? 1 : std::min(a.size + b.size - 1, most - out.low + 1);
    std::fill(out.values, out.values + out.size, 0.0);
    for (Site i = 0; i < a.size && i < out.size; ++i) {
      const double factor = a.values[i];
      const Site terms = std::min(b.size, out.size - i);
      double* sums = out.values + i;
      for (Site j = 0; j < terms; ++j) sums[j] += factor * b.values[j];
    }
    trim(out);
  }

  static void trim(Law& law) {
    while (law.size > 1 && law.values[law.size - 1] < negligible) --law.size;
    Site skip = 0;
    while (skip + 1 < law.size && law.values[skip] < negligible) ++skip;
    if (skip == 0) return;
    std::copy(law.values + skip, law.values + law.size, law.values);
    law.low += skip;
    law.size -= skip;
  }

  /// Gives `count` ones to a range whose parts' laws are at `depth`.
  template <DrawSource Draws>
  void split(Range range, std::size_t depth, Site count, Draws& draws, Bits& bits) {
    if (count == 0 || count == range.size()) {
      std::fill(bits.begin() + range.begin, bits.begin() + range.end, Bit{count != 0});
      return;
    }
    const Range left{range.begin, range.middle()};
    const Range right{range.middle(), range.end};
    const Law& a = place(left, depth);
    const Law& b = place(right, depth);
    const Site first =
        std::max(a.low, count > b.low + b.size - 1 ? count - (b.low + b.size - 1) : 0);
    const Site last = std::min(a.low + a.size - 1, count >= b.low ? count - b.low : 0);
    double total = 0;
    for (Site k = first; k <= last; ++k) total += a.at(k) * b.at(count - k);
    NHOT_EXPECTS(total > 0);
    const Site in_left = draws.locate(total, [&](double target) {
      Site found = first;
      for (Site k = first; k <= last; ++k) {
        const double share = a.at(k) * b.at(count - k);
        if (share == 0) continue;
        found = k;
        if (target < share) break;
        target -= share;
      }
      return found;
    });
    split(left, depth + 1, in_left, draws, bits);
    split(right, depth + 1, count - in_left, draws, bits);
  }

  struct Level {
    std::vector<Law> laws;  // by first bit of the range
    std::vector<double> values;
  };

  // Scratch.
  std::vector<double> shifted_;
  std::vector<double> p_;
  std::vector<double> q_;
  std::vector<Level> levels_;
};

}  // namespace nhot
