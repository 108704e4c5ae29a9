// Compiled once per SIMD path: Highway includes this file again for each. Built with contraction of
// a * b + c switched off, on which the equality of the paths rests.
#include "nhot/select/dense_pass.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numbers>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nhot/select/dense_pass.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

#ifndef NHOT_DENSE_PASS_ONCE
#define NHOT_DENSE_PASS_ONCE
namespace nhot::dense {

/// 2^x = 1 + c1 x + ... + c5 x^5 on [-1/2, 1/2] to 1.1e-7 relative: the best polynomial with value
/// 1 at 0, rounded to floats.
inline constexpr float c1 = 0x1.62e42ap-1F;
inline constexpr float c2 = 0x1.ebf9bcp-3F;
inline constexpr float c3 = 0x1.c6b752p-5F;
inline constexpr float c4 = 0x1.3cea88p-7F;
inline constexpr float c5 = 0x1.5bba14p-10F;
/// Adding this rounds a small float to an integer, which then stands in its last bits.
inline constexpr float rounder = 0x1.8p23F;

/// In the place of a row of couplings: fields stay.
struct NoRow {};

/// Totals of both sides from their lanes.
inline void sum_lanes(const Run& run) {
  for (unsigned side = 0; side < 2; ++side) {
    const double* t = run.lane_totals[side];
    run.totals[side] = (((t[0] + t[8]) + (t[4] + t[12])) + ((t[2] + t[10]) + (t[6] + t[14]))) +
                       (((t[1] + t[9]) + (t[5] + t[13])) + ((t[3] + t[11]) + (t[7] + t[15])));
  }
}

/// The passes of a path from Pass::run<bias, subtract>(run, row).
template <class Pass>
struct MakePasses {
  template <bool subtract, class Row>
  static void by_bias(const Run& run, Row row) {
    switch (run.law.bias) {
      case Bias::exp:
        Pass::template run<Bias::exp, subtract>(run, row);
        break;
      case Bias::logistic:
        Pass::template run<Bias::logistic, subtract>(run, row);
        break;
      case Bias::min:
        Pass::template run<Bias::min, subtract>(run, row);
        break;
    }
    sum_lanes(run);
  }

  static void evaluate(const Run& run) { by_bias<false>(run, NoRow{}); }

  static void add_and_evaluate(const Run& run, CouplingRows::Row row, bool subtract) {
    if (row.narrow != nullptr)
      subtract ? by_bias<true>(run, row.narrow) : by_bias<false>(run, row.narrow);
    else
      subtract ? by_bias<true>(run, row.wide) : by_bias<false>(run, row.wide);
  }

  static constexpr Passes passes = {evaluate, add_and_evaluate};
};

}  // namespace nhot::dense
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace nhot::dense::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, lanes>;
using HalfFloats = hn::Half<Floats>;
using Doubles = hn::Rebind<double, HalfFloats>;
using Words = hn::Rebind<std::uint32_t, Floats>;
using FloatVec = hn::Vec<Floats>;
using DoubleVec = hn::Vec<Doubles>;

template <Bias bias>
HWY_INLINE FloatVec weight(FloatVec y) {
  const Floats d;
  const Words words;
  y = hn::Max(y, hn::Set(d, -largest_power));
  y = hn::Min(y, hn::Set(d, bias == Bias::min ? 0.0F : largest_power));
  const auto shifted = hn::Add(y, hn::Set(d, rounder));
  const auto x = hn::Sub(y, hn::Sub(shifted, hn::Set(d, rounder)));
  auto p = hn::Add(hn::Mul(hn::Set(d, c5), x), hn::Set(d, c4));
  p = hn::Add(hn::Mul(p, x), hn::Set(d, c3));
  p = hn::Add(hn::Mul(p, x), hn::Set(d, c2));
  p = hn::Add(hn::Mul(p, x), hn::Set(d, c1));
  p = hn::Add(hn::Mul(p, x), hn::Set(d, 1.0F));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(words, shifted));
  const auto power = hn::BitCast(d, hn::Add(hn::BitCast(words, p), exponent));
  if constexpr (bias == Bias::logistic)
    return hn::Div(hn::Set(d, 1.0F), hn::Add(power, hn::Set(d, 1.0F)));
  else
    return power;
}

HWY_INLINE DoubleVec widened(const float* row) {
  return hn::PromoteTo(Doubles(), hn::Load(HalfFloats(), row));
}
HWY_INLINE DoubleVec widened(const double* row) { return hn::Load(Doubles(), row); }

/// The new fields of a half vector.
template <bool subtract, class Row>
HWY_INLINE DoubleVec moved(double* fields, Row row, std::size_t i) {
  const Doubles d;
  auto field = hn::LoadU(d, fields);
  if constexpr (!std::is_same_v<Row, NoRow>) {
    if constexpr (subtract)
      field = hn::Sub(field, widened(row + i));
    else
      field = hn::Add(field, widened(row + i));
    hn::StoreU(field, d, fields);
  }
  return field;
}

template <Bias bias, bool subtract, class Row>
void pass(const Run& run, Row row) {
  const Floats d;
  const Doubles doubles;
  const HalfFloats half;
  const Words words;
  constexpr std::size_t width = hn::MaxLanes(Floats());
  static_assert(lanes % width == 0);
  const auto scale0 = hn::Set(d, run.law.scale[0]);
  const auto scale1 = hn::Set(d, run.law.scale[1]);
  const SideMask* HWY_RESTRICT masks0 = run.masks[0];
  const SideMask* HWY_RESTRICT masks1 = run.masks[1];
  float* HWY_RESTRICT weights = run.weights;

  // The last row, if it is not whole, is worked on in a copy.
  const std::size_t whole_rows = run.size / lanes;
  const std::size_t rest = run.size % lanes;
  alignas(64) double last_row[lanes] = {};
  if (rest != 0) std::memcpy(last_row, run.fields + whole_rows * lanes, rest * sizeof(double));

  for (std::size_t column = 0; column < lanes; column += width) {
    auto total0_low = hn::Zero(doubles);
    auto total0_high = hn::Zero(doubles);
    auto total1_low = hn::Zero(doubles);
    auto total1_high = hn::Zero(doubles);
    for (std::size_t s = 0; s < run.segments(); ++s) {
      auto sum0 = hn::Zero(d);
      auto sum1 = hn::Zero(d);
      const auto step = [&](std::size_t i, double* HWY_RESTRICT fields) HWY_ATTR {
        const auto low = moved<subtract>(fields, row, i);
        const auto high = moved<subtract>(fields + width / 2, row, i + width / 2);
        const auto field = hn::Combine(d, hn::DemoteTo(half, high), hn::DemoteTo(half, low));
        const auto mask0 = hn::BitCast(d, hn::Load(words, masks0 + i));
        const auto mask1 = hn::BitCast(d, hn::Load(words, masks1 + i));
        const auto scale = hn::IfVecThenElse(mask1, scale1, scale0);
        const auto w = weight<bias>(hn::Mul(field, scale));
        hn::Store(w, d, weights + i);
        sum0 = hn::Add(sum0, hn::And(w, mask0));
        sum1 = hn::Add(sum1, hn::And(w, mask1));
      };
      const std::size_t end = std::min((s + 1) * rows_per_segment, whole_rows) * lanes;
      for (std::size_t i = s * segment + column; i < end; i += lanes) step(i, run.fields + i);
      if (rest != 0 && whole_rows / rows_per_segment == s)
        step(whole_rows * lanes + column, last_row + column);
      hn::Store(sum0, d, run.lane_sums[0] + s * lanes + column);
      hn::Store(sum1, d, run.lane_sums[1] + s * lanes + column);
      total0_low = hn::Add(total0_low, hn::PromoteTo(doubles, hn::LowerHalf(half, sum0)));
      total0_high = hn::Add(total0_high, hn::PromoteTo(doubles, hn::UpperHalf(half, sum0)));
      total1_low = hn::Add(total1_low, hn::PromoteTo(doubles, hn::LowerHalf(half, sum1)));
      total1_high = hn::Add(total1_high, hn::PromoteTo(doubles, hn::UpperHalf(half, sum1)));
    }
    hn::Store(total0_low, doubles, run.lane_totals[0] + column);
    hn::Store(total0_high, doubles, run.lane_totals[0] + column + width / 2);
    hn::Store(total1_low, doubles, run.lane_totals[1] + column);
    hn::Store(total1_high, doubles, run.lane_totals[1] + column + width / 2);
  }
  if constexpr (!std::is_same_v<Row, NoRow>)
    if (rest != 0) std::memcpy(run.fields + whole_rows * lanes, last_row, rest * sizeof(double));
}

/// For make_passes.
struct Pass {
  template <Bias bias, bool subtract, class Row>
  static void run(const Run& over, Row row) {
    pass<bias, subtract>(over, row);
  }
};

}  // namespace nhot::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace nhot::dense {
namespace {

/// The operations of the vector code, one by one.
template <Bias bias>
inline float plain_weight(float y) {
  constexpr float most = bias == Bias::min ? 0.0F : largest_power;
  y = y > -largest_power ? y : -largest_power;
  y = y < most ? y : most;
  const float shifted = y + rounder;
  const float x = y - (shifted - rounder);
  const float p = ((((c5 * x + c4) * x + c3) * x + c2) * x + c1) * x + 1.0F;
  const auto bits =
      std::bit_cast<std::uint32_t>(p) + (std::bit_cast<std::uint32_t>(shifted) << 23U);
  const auto power = std::bit_cast<float>(bits);
  return bias == Bias::logistic ? 1.0F / (power + 1.0F) : power;
}

inline float masked(float w, SideMask mask) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(w) & mask);
}

/// Plain C++, in loops over 16 lanes that compilers turn into the vectors they have.
struct PortablePass {
  template <Bias bias, bool subtract, class Row>
  static void run(const Run& run, Row row) {
    const float scale0 = run.law.scale[0];
    const float scale1 = run.law.scale[1];
    const std::size_t rows = (run.size + lanes - 1) / lanes;
    double totals[2][lanes] = {};
    for (std::size_t s = 0; s < run.segments(); ++s) {
      float sums[2][lanes] = {};
      for (std::size_t r = s * rows_per_segment; r < std::min((s + 1) * rows_per_segment, rows);
           ++r) {
        const std::size_t i = r * lanes;
        const std::size_t here = std::min(lanes, run.size - i);
        double fields[lanes] = {};
        std::memcpy(fields, run.fields + i, here * sizeof(double));
        if constexpr (!std::is_same_v<Row, NoRow>) {
          for (std::size_t l = 0; l < lanes; ++l) {
            if constexpr (subtract)
              fields[l] -= static_cast<double>(row[i + l]);
            else
              fields[l] += static_cast<double>(row[i + l]);
          }
          std::memcpy(run.fields + i, fields, here * sizeof(double));
        }
        const SideMask* masks0 = run.masks[0] + i;
        const SideMask* masks1 = run.masks[1] + i;
        float weights[lanes];
        for (std::size_t l = 0; l < lanes; ++l) {
          const float scale = masks1[l] != 0 ? scale1 : scale0;
          weights[l] = plain_weight<bias>(static_cast<float>(fields[l]) * scale);
        }
        for (std::size_t l = 0; l < lanes; ++l) {
          sums[0][l] += masked(weights[l], masks0[l]);
          sums[1][l] += masked(weights[l], masks1[l]);
        }
        std::memcpy(run.weights + i, weights, sizeof weights);
      }
      for (unsigned side = 0; side < 2; ++side) {
        std::memcpy(run.lane_sums[side] + s * lanes, sums[side], sizeof sums[side]);
        for (std::size_t l = 0; l < lanes; ++l)
          totals[side][l] += static_cast<double>(sums[side][l]);
      }
    }
    for (unsigned side = 0; side < 2; ++side)
      std::memcpy(run.lane_totals[side], totals[side], sizeof totals[side]);
  }
};

}  // namespace

Law::Law(const WeightFunction& agreeing, const WeightFunction& differing) : bias(agreeing.bias) {
  NHOT_EXPECTS(agreeing.bias == differing.bias);
  // dE is the field of an agreeing site and minus that of a differing one.
  const double sign = bias == Bias::logistic ? 1 : -1;
  scale = {static_cast<float>(sign * agreeing.gamma * std::numbers::log2e),
           static_cast<float>(-sign * differing.gamma * std::numbers::log2e)};
}

Passes passes(SimdPath path) {
  require_simd_path(path);
#if HWY_TARGETS & HWY_AVX3
  if (path == SimdPath::avx512) return MakePasses<N_AVX3::Pass>::passes;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (path == SimdPath::avx2) return MakePasses<N_AVX2::Pass>::passes;
#endif
  return MakePasses<PortablePass>::passes;
}

float weight_of(const Law& law, unsigned side, double field) {
  const float y = static_cast<float>(field) * law.scale[side];
  switch (law.bias) {
    case Bias::exp:
      return plain_weight<Bias::exp>(y);
    case Bias::logistic:
      return plain_weight<Bias::logistic>(y);
    case Bias::min:
      break;
  }
  return plain_weight<Bias::min>(y);
}

void evaluate_site(const Run& run, std::size_t i) {
  run.weights[i] = weight_of(run.law, run.masks[1][i] != 0, run.fields[i]);
  const std::size_t lane = i % lanes;
  const std::size_t first = i / segment * segment + lane;
  const std::size_t end = std::min(first - lane + segment, (run.size + lanes - 1) / lanes * lanes);
  for (unsigned side = 0; side < 2; ++side) {
    float sum = 0;
    for (std::size_t k = first; k < end; k += lanes)
      sum += masked(run.weights[k], run.masks[side][k]);
    run.lane_sums[side][i / segment * lanes + lane] = sum;
    double total = 0;
    for (std::size_t s = 0; s < run.segments(); ++s)
      total += static_cast<double>(run.lane_sums[side][s * lanes + lane]);
    run.lane_totals[side][lane] = total;
  }
  sum_lanes(run);
}

}  // namespace nhot::dense
#endif
