#include "nhot/run/sample/looks.hpp"

#include <cmath>

namespace nhot {
namespace {

struct Half {
  double mean = 0;
  double variance = 0;
};

Half moments_of(std::span<const double> values) {
  Half half;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) half.mean += value / count;
  for (const double value : values)
    half.variance += (value - half.mean) * (value - half.mean) / count;
  return half;
}

}  // namespace

std::uint64_t look_after(std::uint64_t draws) {
  // 150 * 2^(k/2) in whole numbers, from a table of one octave.
  std::uint64_t low = first_look;
  std::uint64_t high = 213;
  for (;;) {
    if (draws < low) return low;
    if (draws < high) return high;
    low *= 2;
    high = low + (low * 29 + 35) / 70;  // sqrt(2) = 99/70
  }
}

std::uint64_t stage_end(std::uint64_t draws) {
  std::uint64_t end = first_stage;
  for (std::uint64_t stage = first_stage; end <= draws; end += stage) stage *= 2;
  return end;
}

bool is_level(const Trace& warmup) {
  // A share of the variance within halves: (1.1^2 - 1) * 2, an R-hat of 1.1 between two halves.
  constexpr double limit = 0.42;
  const std::size_t draws = warmup.draws();
  const std::size_t stage = (draws + first_stage) / 2;  // 32 + 64 + ... + s = 2 s - 32
  double between = 0;
  double within = 0;
  for (const ChainColumns& chain : warmup.chains) {
    const std::span<const double> last = std::span<const double>(chain.energy).last(stage);
    const Half first = moments_of(last.first(stage / 2));
    const Half second = moments_of(last.last(stage / 2));
    between += (first.mean - second.mean) * (first.mean - second.mean);
    within += (first.variance + second.variance) / 2;
  }
  return between <= limit * within;
}

}  // namespace nhot
