#include "nhot/diagnose/fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "diagnose/known_chains.hpp"

namespace nhot {
namespace {

std::size_t bit_reverse(std::size_t k, std::size_t length) {
  std::size_t reversed = 0;
  for (std::size_t bit = 1; bit < length; bit *= 2) {
    reversed = 2 * reversed + (k & 1);
    k /= 2;
  }
  return reversed;
}

std::vector<double> noise(std::size_t count, std::uint64_t chain) {
  testing::NormalDraws draw(71, chain);
  std::vector<double> values(count);
  for (double& value : values) value = draw();
  return values;
}

TEST(Fft, EqualsTheDefinition) {
  for (std::size_t n = 1; n <= 512; n *= 2) {
    const std::vector<double> x = noise(n, 0), y = noise(n, 1);
    std::vector<double> re = x, im = y;
    Fft(n).forward(re, im);
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0.0;
      for (std::size_t t = 0; t < n; ++t) {
        const auto turn = static_cast<double>(k * t % n) / static_cast<double>(n);
        sum += std::complex<double>(x[t], y[t]) * std::polar(1.0, -2.0 * std::numbers::pi * turn);
      }
      const std::size_t at = bit_reverse(k, n);
      ASSERT_NEAR(re[at], sum.real(), 1e-12) << "n " << n << " k " << k;
      ASSERT_NEAR(im[at], sum.imag(), 1e-12) << "n " << n << " k " << k;
    }
  }
}

// Lengths beyond the sweep are cut recursively: check one tone and the way back there.
TEST(Fft, LongLengths) {
  for (const std::size_t n : {2048u, 4096u, 65536u}) {
    const Fft fft(n);
    const std::size_t tone = n / 8 + 3;
    std::vector<double> re(n), im(n);
    for (std::size_t t = 0; t < n; ++t) {
      const auto turn = static_cast<double>(tone * t % n) / static_cast<double>(n);
      re[t] = std::cos(2.0 * std::numbers::pi * turn);
      im[t] = std::sin(2.0 * std::numbers::pi * turn);
    }
    fft.forward(re, im);
    const std::size_t at = bit_reverse(tone, n);
    for (std::size_t k = 0; k < n; ++k) {
      const double expected = k == at ? static_cast<double>(n) : 0.0;
      ASSERT_NEAR(re[k], expected, 1e-14 * static_cast<double>(n));
      ASSERT_NEAR(im[k], 0.0, 1e-14 * static_cast<double>(n));
    }

    const std::vector<double> x = noise(n, 2), y = noise(n, 3);
    re = x, im = y;
    fft.forward(re, im);
    fft.backward(re, im);
    for (std::size_t t = 0; t < n; ++t) {
      ASSERT_NEAR(re[t] / static_cast<double>(n), x[t], 1e-14);
      ASSERT_NEAR(im[t] / static_cast<double>(n), y[t], 1e-14);
    }
  }
}

TEST(Fft, LengthFor) {
  EXPECT_EQ(Fft::length_for(1), 1u);
  EXPECT_EQ(Fft::length_for(3), 4u);
  EXPECT_EQ(Fft::length_for(4), 4u);
  EXPECT_EQ(Fft::length_for(40000), 65536u);
}

}  // namespace
}  // namespace nhot
