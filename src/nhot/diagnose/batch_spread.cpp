#include "nhot/diagnose/batch_spread.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

/// Sum over the groups of |sum of the batches|^2 / group size.
double sum_of_groups(const BatchProducts& products, const std::vector<std::size_t>& order,
                     std::size_t group_size) {
  double sum = 0;
  for (std::size_t first = 0; first < order.size(); first += group_size)
    for (std::size_t a = first; a < first + group_size; ++a) {
      sum += products(order[a], order[a]);
      for (std::size_t b = first; b < a; ++b) sum += 2 * products(order[a], order[b]);
    }
  return sum / static_cast<double>(group_size);
}

}  // namespace

GroupSpread group_spread(const BatchProducts& products, std::size_t group_size,
                         std::uint64_t arrangements) {
  const std::size_t batches = products.batches;
  NHOT_EXPECTS(group_size > 1 && batches % group_size == 0 && batches > group_size);
  double squares = 0;
  double whole = 0;
  for (std::size_t a = 0; a < batches; ++a) {
    squares += products(a, a);
    for (std::size_t b = 0; b < batches; ++b) whole += products(a, b);
  }
  whole /= static_cast<double>(batches);
  const double total = squares - whole;
  // Below this the differences are those of rounding.
  if (!(total > 1e-9 * (squares + std::abs(whole)))) return {nan, 1};

  std::vector<std::size_t> order(batches);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const double found = sum_of_groups(products, order, group_size);
  const auto groups = static_cast<double>(batches / group_size);
  const double between = (found - whole) / (groups - 1);
  const double within = (squares - found) / (static_cast<double>(batches) - groups);
  GroupSpread spread;
  spread.ratio =
      within > 1e-12 * total ? between / within : std::numeric_limits<double>::infinity();

  RandomDraws draws(make_stream(0, 0, 0, Purpose::arrangements));
  std::uint64_t as_large = 1;  // the arrangement that was found
  const double limit = found - 1e-12 * total;
  for (std::uint64_t k = 0; k < arrangements; ++k) {
    for (std::size_t a = batches - 1; a > 0; --a) std::swap(order[a], order[draws.below(a + 1)]);
    as_large += sum_of_groups(products, order, group_size) >= limit ? 1 : 0;
  }
  spread.probability = static_cast<double>(as_large) / static_cast<double>(arrangements + 1);
  return spread;
}

std::vector<double> leading_weights(const BatchProducts& products) {
  const std::size_t n = products.batches;
  std::vector<double> row(n, 0.0);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) row[a] += products(a, b);
    row[a] /= static_cast<double>(n);
  }
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(n);
  // Power iteration, from the row of the batch furthest from the mean.
  std::size_t furthest = 0;
  for (std::size_t a = 0; a < n; ++a)
    if (products(a, a) - 2 * row[a] > products(furthest, furthest) - 2 * row[furthest])
      furthest = a;
  std::vector<double> weights(n);
  const auto centred = [&](std::size_t a, std::size_t b) {
    return products(a, b) - row[a] - row[b] + mean;
  };
  for (std::size_t a = 0; a < n; ++a) weights[a] = centred(a, furthest);
  constexpr int rounds = 100;
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> next(n, 0.0);
    double size = 0;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) next[a] += centred(a, b) * weights[b];
      size += next[a] * next[a];
    }
    if (!(size > 0)) break;
    for (std::size_t a = 0; a < n; ++a) weights[a] = next[a] / std::sqrt(size);
  }
  return weights;
}

}  // namespace nhot
