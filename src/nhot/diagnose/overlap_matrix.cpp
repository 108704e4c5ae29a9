#include "nhot/diagnose/overlap_matrix.hpp"

#include <cstdint>

namespace nhot {
namespace {

/// Ones in a word, by sums of neighbouring bits; compilers turn loops of it into vector code for
/// any processor.
std::uint64_t ones(std::uint64_t word) {
  word -= (word >> 1) & 0x5555555555555555U;
  word = (word & 0x3333333333333333U) + ((word >> 2) & 0x3333333333333333U);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fU;
  word += word >> 8;
  word += word >> 16;
  word += word >> 32;
  return word & 0x7fU;
}

std::uint64_t common_ones(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  std::uint64_t sum = 0;
  for (std::size_t w = 0; w < words; ++w) sum += ones(a[w] & b[w]);
  return sum;
}

std::vector<std::uint64_t> pack(std::span<const Bits* const> states, std::size_t words) {
  std::vector<std::uint64_t> packed(states.size() * words, 0);
  for (std::size_t s = 0; s < states.size(); ++s)
    for (std::size_t i = 0; i < states[s]->size(); ++i)
      packed[s * words + i / 64] |= std::uint64_t{(*states[s])[i]} << (i % 64);
  return packed;
}

}  // namespace

OverlapMatrix::OverlapMatrix(std::span<const Bits* const> states)
    : size_(states.size()), values_(size_ * size_) {
  if (size_ == 0) return;
  const std::size_t words = (states.front()->size() + 63) / 64;
  const std::vector<std::uint64_t> packed = pack(states, words);
  std::vector<double> row_mean(size_, 0.0);
  for (std::size_t s = 0; s < size_; ++s)
    for (std::size_t t = s; t < size_; ++t) {
      const auto count = static_cast<float>(
          common_ones(packed.data() + s * words, packed.data() + t * words, words));
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
