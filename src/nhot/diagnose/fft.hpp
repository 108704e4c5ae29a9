// The discrete Fourier transform of a power-of-two length, for correlations.
//
// forward() leaves the spectrum in bit-reversed order and backward() takes it in that order: a
// correlation multiplies spectra term by term, so no reordering pass is needed. Real and imaginary
// parts live in two arrays, which lets the compiler use vector instructions. O(n log n); relative
// error a few times 1e-16 * log2(n).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nhot {

class Fft {
 public:
  /// A length that is a power of two. Tables of n - 1 roots of unity are made here, once.
  explicit Fft(std::size_t length);

  std::size_t length() const { return length_; }

  /// X_k = sum over t of x_t exp(-2 pi i k t / n), at place bit_reverse(k).
  void forward(std::span<double> re, std::span<double> im) const;

  /// The inverse of forward() times n: the caller divides.
  void backward(std::span<double> re, std::span<double> im) const;

  /// Smallest power of two that is at least `wanted`.
  static std::size_t length_for(std::size_t wanted);

 private:
  void forward_block(double* re, double* im, std::size_t length) const;
  void backward_block(double* re, double* im, std::size_t length) const;

  std::size_t length_;
  // cos_[h + j], sin_[h + j] hold the root exp(-i pi j / h), j < h, for each half length h = 1, 2,
  // 4 ...
  std::vector<double> cos_;
  std::vector<double> sin_;
};

}  // namespace nhot
