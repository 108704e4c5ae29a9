#include "nhot/diagnose/overlap_matrix.hpp"

namespace nhot {

OverlapMatrix::OverlapMatrix(std::span<const PackedBits* const> states)
    : size_(states.size()), values_(size_ * size_) {
  if (size_ == 0) return;
  std::vector<double> row_mean(size_, 0.0);
  for (std::size_t s = 0; s < size_; ++s)
    for (std::size_t t = s; t < size_; ++t) {
      const auto count = static_cast<float>(count_common(*states[s], *states[t]));
      values_[s * size_ + t] = values_[t * size_ + s] = count;
      row_mean[s] += count;
      if (t != s) row_mean[t] += count;
    }
  // m . x_s is the mean of a row, and m . m the mean of those.
  double mean = 0;
  for (double& value : row_mean) mean += value /= static_cast<double>(size_);
  mean /= static_cast<double>(size_);
  for (std::size_t s = 0; s < size_; ++s)
    for (std::size_t t = 0; t < size_; ++t) {
      float& value = values_[s * size_ + t];
      value = static_cast<float>(static_cast<double>(value) - row_mean[s] - row_mean[t] + mean);
    }
}

}  // namespace nhot
