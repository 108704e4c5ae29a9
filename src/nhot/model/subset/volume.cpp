#include "nhot/model/subset/volume.hpp"

#include <algorithm>
#include <cmath>

namespace nhot {

SubsetVolume::SubsetVolume(const Gram& gram, std::span<const Bit> bits) {
  for (Site i = 0; i < gram.size(); ++i)
    if (bits[i]) members_.push_back(i);
  for (std::size_t a = 0; a < members_.size(); ++a) {
    std::vector<double>& row = factor_.emplace_back(a + 1);
    for (std::size_t b = 0; b < a; ++b) {
      double sum = gram(members_[a], members_[b]);
      for (std::size_t c = 0; c < b; ++c) sum -= row[c] * factor_[b][c];
      row[b] = sum / factor_[b][b];
    }
    double square = gram(members_[a], members_[a]);
    for (std::size_t c = 0; c < a; ++c) square -= row[c] * row[c];
    square = std::max(square, Gram::ridge);  // its least value, but for rounding
    row[a] = std::sqrt(square);
    log_det_ += std::log(square);
  }
}

double SubsetVolume::rest(std::span<const double> products) const {
  double rest = 1;
  std::vector<double> solved(members_.size());
  for (std::size_t a = 0; a < members_.size(); ++a) {
    double sum = products[members_[a]];
    for (std::size_t c = 0; c < a; ++c) sum -= factor_[a][c] * solved[c];
    solved[a] = sum / factor_[a][a];
    rest -= solved[a] * solved[a];
  }
  return std::max(rest, 0.0);
}

}  // namespace nhot
