// Do the batches of one group differ less from each other than from those of other groups?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nhot {

/// Inner products of the means of batches, whatever space they live in.
struct BatchProducts {
  std::size_t batches = 0;
  std::vector<double> values;  // batches x batches, symmetric

  double operator()(std::size_t a, std::size_t b) const { return values[a * batches + b]; }
};

/// An analysis of variance over groups of equal size, in the space of the inner products
/// (Anderson, Austral Ecology 26, 2001).
struct GroupSpread {
  /// Pseudo-F, [SS between / (groups - 1)] / [SS within / (batches - groups)]: near 1 when groups
  /// are alike, infinite when batches vary between groups only, NaN when they do not vary at all.
  double ratio = 0;
  /// Permutation p-value: the share of random arrangements of the batches into groups that have a
  /// ratio as large.
  double probability = 1;
};

/// Batches of a group come one after the other, `group_size` of them. The arrangements are drawn
/// from a fixed stream: same numbers, same answer.
GroupSpread group_spread(const BatchProducts& products, std::size_t group_size,
                         std::uint64_t arrangements = 4999);

/// Weights of the direction in which the batches' means differ most (the leading eigenvector of
/// their centred products).
std::vector<double> leading_weights(const BatchProducts& products);

}  // namespace nhot
