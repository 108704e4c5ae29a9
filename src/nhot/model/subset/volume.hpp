// The determinant of a chosen subset of vectors, and the distance of a response from its span: from
// the state alone, by a Cholesky factor in the order of the sites.
#pragma once

#include <span>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/model/subset/gram.hpp"

namespace nhot {

/// O(|S|^3), besides the inner products of the members.
class SubsetVolume {
 public:
  SubsetVolume(const Gram& gram, std::span<const Bit> bits);

  /// log det G_S.
  double log_det() const { return log_det_; }
  /// Squared distance of a vector of length 1 from the span; `products` are its inner products with
  /// all vectors.
  double rest(std::span<const double> products) const;

 private:
  std::vector<Site> members_;
  std::vector<std::vector<double>> factor_;  // rows of the lower triangle
  double log_det_ = 0;
};

}  // namespace nhot
