// Ranges of values and bounds of sums, for descriptions of models.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "nhot/base/compensated_sum.hpp"
#include "nhot/base/facts.hpp"
#include "nhot/model/describe.hpp"

namespace nhot {

/// Lower and upper bound of a sum of terms, each at its lowest and at its highest.
class BoundsSum {
 public:
  explicit BoundsSum(bool spin) : spin_(spin) {}
  void add_constant(double value) {
    low_.add(value);
    high_.add(value);
  }
  // A term takes +-value for spins, 0 or value for bits.
  void add_term(double value) {
    if (spin_ || value < 0) low_.add(spin_ ? -std::fabs(value) : value);
    if (spin_ || value > 0) high_.add(std::fabs(value));
  }
  EnergyBounds bounds() const { return {low_.value(), high_.value()}; }

 private:
  bool spin_;
  CompensatedSum low_;
  CompensatedSum high_;
};

/// Smallest and largest of the values seen, and whether all are whole.
struct ValueRange {
  double low = 0;
  double high = 0;
  bool whole = true;
  std::uint64_t count = 0;
  void add(double value) {
    low = count == 0 ? value : std::min(low, value);
    high = count == 0 ? value : std::max(high, value);
    whole = whole && value == std::floor(value);
    ++count;
  }
};

inline void add_range(Facts& facts, const std::string& name, const ValueRange& range) {
  if (range.count == 0) return;
  facts.emplace_back(name + "_min", range.low);
  facts.emplace_back(name + "_max", range.high);
  facts.emplace_back(name + "_integer", range.whole);
}

}  // namespace nhot
