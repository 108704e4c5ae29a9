#include "nhot/diagnose/fft.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

// Blocks up to this length are transformed in one sweep per stage; longer ones are halved first, so
// that the work stays within the cache.
constexpr std::size_t sweep_length = 2048;

// One decimation-in-frequency stage: (a, b) -> (a + b, (a - b) w).
void forward_stage(double* __restrict re, double* __restrict im, std::size_t half,
                   const double* __restrict cosine, const double* __restrict sine) {
  double* __restrict re_high = re + half;
  double* __restrict im_high = im + half;
  for (std::size_t j = 0; j < half; ++j) {
    const double dr = re[j] - re_high[j];
    const double di = im[j] - im_high[j];
    re[j] += re_high[j];
    im[j] += im_high[j];
    re_high[j] = dr * cosine[j] - di * sine[j];
    im_high[j] = dr * sine[j] + di * cosine[j];
  }
}

// Its inverse up to a factor of two: (a, b) -> (a + b w*, a - b w*).
void backward_stage(double* __restrict re, double* __restrict im, std::size_t half,
                    const double* __restrict cosine, const double* __restrict sine) {
  double* __restrict re_high = re + half;
  double* __restrict im_high = im + half;
  for (std::size_t j = 0; j < half; ++j) {
    const double br = re_high[j] * cosine[j] + im_high[j] * sine[j];
    const double bi = im_high[j] * cosine[j] - re_high[j] * sine[j];
    re_high[j] = re[j] - br;
    im_high[j] = im[j] - bi;
    re[j] += br;
    im[j] += bi;
  }
}

// The two shortest stages (half lengths 2 and 1) of a block of four, whose roots are 1 and -i.
void forward_four(double* re, double* im) {
  const double r0 = re[0] + re[2], i0 = im[0] + im[2];
  const double r1 = re[1] + re[3], i1 = im[1] + im[3];
  const double r2 = re[0] - re[2], i2 = im[0] - im[2];
  const double r3 = im[1] - im[3], i3 = re[3] - re[1];
  re[0] = r0 + r1, im[0] = i0 + i1;
  re[1] = r0 - r1, im[1] = i0 - i1;
  re[2] = r2 + r3, im[2] = i2 + i3;
  re[3] = r2 - r3, im[3] = i2 - i3;
}

void backward_four(double* re, double* im) {
  const double r0 = re[0] + re[1], i0 = im[0] + im[1];
  const double r1 = re[0] - re[1], i1 = im[0] - im[1];
  const double r2 = re[2] + re[3], i2 = im[2] + im[3];
  const double r3 = im[3] - im[2], i3 = re[2] - re[3];
  re[0] = r0 + r2, im[0] = i0 + i2;
  re[1] = r1 + r3, im[1] = i1 + i3;
  re[2] = r0 - r2, im[2] = i0 - i2;
  re[3] = r1 - r3, im[3] = i1 - i3;
}

}  // namespace

Fft::Fft(std::size_t length) : length_(length), cos_(length), sin_(length) {
  NHOT_EXPECTS(std::has_single_bit(length));
  const std::size_t longest = length / 2;
  for (std::size_t j = 0; j < longest; ++j) {
    const double angle = std::numbers::pi * static_cast<double>(j) / static_cast<double>(longest);
    cos_[longest + j] = std::cos(angle);
    sin_[longest + j] = -std::sin(angle);
  }
  for (std::size_t half = longest / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) {
      cos_[half + j] = cos_[2 * half + 2 * j];
      sin_[half + j] = sin_[2 * half + 2 * j];
    }
  }
}

std::size_t Fft::length_for(std::size_t wanted) { return std::bit_ceil(wanted); }

void Fft::forward_block(double* re, double* im, std::size_t length) const {
  if (length > sweep_length) {
    const std::size_t half = length / 2;
    forward_stage(re, im, half, &cos_[half], &sin_[half]);
    forward_block(re, im, half);
    forward_block(re + half, im + half, half);
    return;
  }
  std::size_t half = length / 2;
  for (; half > 2; half /= 2) {
    for (std::size_t at = 0; at < length; at += 2 * half) {
      forward_stage(re + at, im + at, half, &cos_[half], &sin_[half]);
    }
  }
  if (half == 2) {
    for (std::size_t at = 0; at < length; at += 4) forward_four(re + at, im + at);
  } else if (half == 1) {
    forward_stage(re, im, 1, &cos_[1], &sin_[1]);
  }
}

void Fft::backward_block(double* re, double* im, std::size_t length) const {
  if (length > sweep_length) {
    const std::size_t half = length / 2;
    backward_block(re, im, half);
    backward_block(re + half, im + half, half);
    backward_stage(re, im, half, &cos_[half], &sin_[half]);
    return;
  }
  if (length == 2) {
    backward_stage(re, im, 1, &cos_[1], &sin_[1]);
  } else if (length >= 4) {
    for (std::size_t at = 0; at < length; at += 4) backward_four(re + at, im + at);
  }
  for (std::size_t half = 4; 2 * half <= length; half *= 2) {
    for (std::size_t at = 0; at < length; at += 2 * half) {
      backward_stage(re + at, im + at, half, &cos_[half], &sin_[half]);
    }
  }
}

void Fft::forward(std::span<double> re, std::span<double> im) const {
  NHOT_EXPECTS(re.size() == length_ && im.size() == length_);
  forward_block(re.data(), im.data(), length_);
}

void Fft::backward(std::span<double> re, std::span<double> im) const {
  NHOT_EXPECTS(re.size() == length_ && im.size() == length_);
  backward_block(re.data(), im.data(), length_);
}

}  // namespace nhot
