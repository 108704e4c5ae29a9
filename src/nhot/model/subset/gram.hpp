// Inner products of many vectors of unit length, of which a subset is chosen: what k-DPPs and
// regressions are made of.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nhot/base/types.hpp"

namespace nhot {

/// G = C + ridge I with C the inner products of unit vectors: symmetric, positive definite, 1 +
/// ridge on the diagonal. The ridge makes every subset of vectors independent, also those that are
/// not in exact arithmetic, such as more vectors than they have coordinates: a finite energy for
/// every state, that changes by one rule. Where vectors are far from dependent it changes a
/// determinant by about the ridge times the trace of the inverse.
class Gram {
 public:
  static constexpr double ridge = 0x1p-24;  // 6e-8
  /// Up to so many vectors their inner products are kept, 128 MB; beyond, a row is computed when it
  /// is needed, from the coordinates.
  static constexpr Site most_kept = 4096;

  /// From C itself, row by row.
  static Gram of_products(Site size, std::vector<double> products);
  /// From vectors, one coordinate after the other: size numbers for each.
  static Gram of_coordinates(Site size, std::vector<double> coordinates);

  Site size() const { return size_; }
  double operator()(Site i, Site j) const;
  /// G_ij for every j.
  void row(Site i, std::span<double> out) const;

 private:
  Site size_ = 0;
  std::vector<double> products_;     // G; empty: computed when needed
  std::vector<double> coordinates_;  // empty where C was given
};

}  // namespace nhot
