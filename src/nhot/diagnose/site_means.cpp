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
  for (std::size_t first = 0; first < sites; first += counted_sites) {
    const std::size_t here = std::min(counted_sites, sites - first);
    sums.fill(0);
    squares.fill(0);
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
        }
      }
    }
    for (std::size_t k = 0; k < here; ++k) {
      result.mean[first + k] =
          static_cast<double>(all[k]) / static_cast<double>(length * states.size());
      if (batches < 2) continue;
      const double spread = std::max(0.0, squares[k] - sums[k] * sums[k] / number);
      result.error[first + k] = std::sqrt(spread / (number - 1) / number);
    }
  }
  return result;
}

}  // namespace nhot
