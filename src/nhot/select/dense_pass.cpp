// Compiled once per SIMD path: Highway includes this file again for each. Built with contraction of
// a * b + c switched off, on which the equality of the paths rests.
#include "nhot/select/dense_pass.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

/// 2^(z-1) = c0 + c1 z + c2 z^2 + c3 z^3 on [1, 2) to 7.5e-5 relative: the best polynomial of its
/// degree, rounded to floats.
inline constexpr float c0 = 0x1.cefc4cp-2F;
inline constexpr float c1 = 0x1.e93d46p-2F;
inline constexpr float c2 = -0x1.065aa8p-7F;
inline constexpr float c3 = 0x1.3f96a4p-4F;
// y is an integer with 23 bits after the point: the bits before it are the exponent of 2^y, those
// after it the digits of a float z in [1, 2).
inline constexpr std::uint32_t digits = 0x007fffff;
inline constexpr std::uint32_t one = 0x3f800000;  // the bits of 1.0F

/// The range of y, with the point moved.
template <Bias bias>
inline constexpr float most = bias == Bias::min ? 0.0F : largest_power* point;
inline constexpr float least = -largest_power * point;

/// The side on which y is minus the field, where the law is direct: y grows with dE for logistic
/// weights, and falls with it for others.
template <Bias bias>
inline constexpr unsigned negated_side = bias == Bias::logistic ? 1 : 0;

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

/// The passes of a path from Pass::run<bias, subtract>(run, row, steps_per_unit).
template <class Pass>
struct MakePasses {
  template <bool subtract, class Row>
  static void by_bias(const Run& run, Row row, double steps_per_unit) {
    switch (run.law.bias) {
      case Bias::exp:
        Pass::template run<Bias::exp, subtract>(run, row, steps_per_unit);
        break;
      case Bias::logistic:
        Pass::template run<Bias::logistic, subtract>(run, row, steps_per_unit);
        break;
      case Bias::min:
        Pass::template run<Bias::min, subtract>(run, row, steps_per_unit);
        break;
    }
    sum_lanes(run);
  }

  static void evaluate(const Run& run) { by_bias<false>(run, NoRow{}, 0); }

  template <class Row>
  static void by_sign(const Run& run, Row row, const Change& change) {
    if (change.subtract)
      by_bias<true>(run, row, change.steps_per_unit);
    else
      by_bias<false>(run, row, change.steps_per_unit);
  }

  static void change_and_evaluate(const Run& run, const Change& change) {
    if (change.row.narrow != nullptr)
      by_sign(run, change.row.narrow, change);
    else
      by_sign(run, change.row.wide, change);
  }

  static constexpr Passes passes = {evaluate, change_and_evaluate};
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
using Ints = hn::Rebind<std::int32_t, Floats>;
using HalfInts = hn::Half<Ints>;
using Words = hn::Rebind<std::uint32_t, Floats>;
using FloatVec = hn::Vec<Floats>;
using IntVec = hn::Vec<Ints>;
constexpr std::size_t width = hn::MaxLanes(Floats());
static_assert(lanes % width == 0);

/// Truncation of floats that are in the range of integers: without the checks of hn::ConvertTo.
HWY_INLINE IntVec truncated(FloatVec v) {
#if HWY_TARGET == HWY_AVX3
  return IntVec{_mm512_cvttps_epi32(v.raw)};
#else
  return IntVec{_mm256_cvttps_epi32(v.raw)};
#endif
}

/// From y with the point moved.
template <Bias bias>
HWY_INLINE FloatVec weight(IntVec y) {
  const Floats d;
  const Words words;
  const auto fixed = hn::BitCast(words, y);
  const auto z =
      hn::BitCast(d, hn::Or(hn::And(fixed, hn::Set(words, digits)), hn::Set(words, one)));
  auto p = hn::Add(hn::Mul(hn::Set(d, c3), z), hn::Set(d, c2));
  p = hn::Add(hn::Mul(p, z), hn::Set(d, c1));
  p = hn::Add(hn::Mul(p, z), hn::Set(d, c0));
  const auto exponent = hn::AndNot(hn::Set(words, digits), fixed);
  const auto power = hn::BitCast(d, hn::Add(hn::BitCast(words, p), exponent));
  if constexpr (bias == Bias::logistic)
    return hn::Div(hn::Set(d, 1.0F), hn::Add(power, hn::Set(d, 1.0F)));
  else
    return power;
}

HWY_INLINE IntVec steps(const float* row, double steps_per_unit) {
  const Floats d;
  return truncated(hn::Mul(hn::Load(d, row), hn::Set(d, static_cast<float>(steps_per_unit))));
}
HWY_INLINE IntVec steps(const double* row, double steps_per_unit) {
  const Doubles d;
  const auto scale = hn::Set(d, steps_per_unit);
  const auto low = hn::DemoteTo(HalfInts(), hn::Mul(hn::Load(d, row), scale));
  const auto high = hn::DemoteTo(HalfInts(), hn::Mul(hn::Load(d, row + width / 2), scale));
  return hn::Combine(Ints(), high, low);
}

/// The sides of the sites of a vector.
struct Sides {
#if HWY_TARGET == HWY_AVX3
  // Bits: an addition under a mask is one operation.
  HWY_INLINE Sides(const Run& run, std::size_t i)
      : agreeing(run.row_bits[0][i / lanes]), differing(run.row_bits[1][i / lanes]) {}
  HWY_INLINE FloatVec choose(FloatVec for_agreeing, FloatVec for_differing) const {
    return FloatVec{_mm512_mask_mov_ps(for_agreeing.raw, differing, for_differing.raw)};
  }
  template <unsigned side>
  HWY_INLINE IntVec negate(IntVec v) const {
    const __mmask16 here = side == 0 ? agreeing : differing;
    return IntVec{_mm512_mask_sub_epi32(v.raw, here, _mm512_setzero_si512(), v.raw)};
  }
  HWY_INLINE void add(FloatVec w, FloatVec& to_agreeing, FloatVec& to_differing) const {
    to_agreeing.raw = _mm512_mask_add_ps(to_agreeing.raw, agreeing, to_agreeing.raw, w.raw);
    to_differing.raw = _mm512_mask_add_ps(to_differing.raw, differing, to_differing.raw, w.raw);
  }

  __mmask16 agreeing;
  __mmask16 differing;
#else
  HWY_INLINE Sides(const Run& run, std::size_t i)
      : agreeing(hn::BitCast(Floats(), hn::Load(Words(), run.masks[0] + i))),
        differing(hn::BitCast(Floats(), hn::Load(Words(), run.masks[1] + i))) {}
  HWY_INLINE FloatVec choose(FloatVec for_agreeing, FloatVec for_differing) const {
    return hn::IfVecThenElse(differing, for_differing, for_agreeing);
  }
  template <unsigned side>
  HWY_INLINE IntVec negate(IntVec v) const {
    const auto here = hn::BitCast(Ints(), side == 0 ? agreeing : differing);
    return hn::Sub(hn::Xor(v, here), here);
  }
  HWY_INLINE void add(FloatVec w, FloatVec& to_agreeing, FloatVec& to_differing) const {
    to_agreeing = hn::Add(to_agreeing, hn::And(w, agreeing));
    to_differing = hn::Add(to_differing, hn::And(w, differing));
  }

  FloatVec agreeing;
  FloatVec differing;
#endif
};

template <Bias bias, bool direct, bool subtract, class Row>
void pass(const Run& run, Row row, double steps_per_unit) {
  const Floats d;
  const Ints ints;
  const Doubles doubles;
  const HalfFloats half;
  const auto scale0 = hn::Set(d, run.law.scale[0] * point);
  const auto scale1 = hn::Set(d, run.law.scale[1] * point);
  std::int32_t* HWY_RESTRICT fields = run.fields;
  float* HWY_RESTRICT weights = run.weights;
  const std::size_t padded = run.rows() * lanes;
  const std::size_t segments = run.segments();

  for (std::size_t column = 0; column < lanes; column += width) {
    auto total0_low = hn::Zero(doubles);
    auto total0_high = hn::Zero(doubles);
    auto total1_low = hn::Zero(doubles);
    auto total1_high = hn::Zero(doubles);
    for (std::size_t s = 0; s < segments; ++s) {
      auto sum0 = hn::Zero(d);
      auto sum1 = hn::Zero(d);
      const std::size_t end = std::min((s + 1) * segment, padded);
      for (std::size_t i = s * segment + column; i < end; i += lanes) {
        auto field = hn::Load(ints, fields + i);
        if constexpr (!std::is_same_v<Row, NoRow>) {
          if constexpr (subtract)
            field = hn::Sub(field, steps(row + i, steps_per_unit));
          else
            field = hn::Add(field, steps(row + i, steps_per_unit));
          hn::Store(field, ints, fields + i);
        }
        const Sides sides(run, i);
        IntVec y;
        if constexpr (direct) {
          y = sides.template negate<negated_side<bias>>(field);
          if constexpr (bias == Bias::min) y = hn::Min(y, hn::Zero(ints));
        } else {
          const auto scaled = hn::Mul(hn::ConvertTo(d, field), sides.choose(scale0, scale1));
          y = truncated(hn::Min(hn::Max(scaled, hn::Set(d, least)), hn::Set(d, most<bias>)));
        }
        const auto w = weight<bias>(y);
        hn::Store(w, d, weights + i);
        sides.add(w, sum0, sum1);
      }
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
}

/// For MakePasses.
struct Pass {
  template <Bias bias, bool subtract, class Row>
  static void run(const Run& over, Row row, double steps_per_unit) {
    if (over.law.direct)
      pass<bias, true, subtract>(over, row, steps_per_unit);
    else
      pass<bias, false, subtract>(over, row, steps_per_unit);
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
inline std::int32_t plain_scaled(float y) {
  y = y > least ? y : least;
  y = y < most<bias> ? y : most<bias>;
  return static_cast<std::int32_t>(y);
}

template <Bias bias>
inline float plain_weight(std::int32_t y) {
  const auto fixed = static_cast<std::uint32_t>(y);
  const auto z = std::bit_cast<float>((fixed & digits) | one);
  const float p = ((c3 * z + c2) * z + c1) * z + c0;
  const auto power = std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) + (fixed & ~digits));
  return bias == Bias::logistic ? 1.0F / (power + 1.0F) : power;
}

/// Minus v where the mask is all ones.
inline std::int32_t negated(std::int32_t v, SideMask mask) {
  const auto sign = static_cast<std::int32_t>(mask);
  return (v ^ sign) - sign;
}

inline float masked(float w, SideMask mask) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(w) & mask);
}

/// sums[l] += weights[l] where the mask says so.
inline void add_masked(float* sums, const float* weights, const SideMask* masks) {
  float parts[lanes];
  for (std::size_t l = 0; l < lanes; ++l) parts[l] = masked(weights[l], masks[l]);
  for (std::size_t l = 0; l < lanes; ++l) sums[l] += parts[l];
}

/// Plain C++, in loops over 16 lanes that compilers turn into the vectors they have.
struct PortablePass {
  template <Bias bias, bool subtract, class Row>
  static void run(const Run& over, Row row, double steps_per_unit) {
    if (over.law.direct)
      pass<bias, true, subtract>(over, row, steps_per_unit);
    else
      pass<bias, false, subtract>(over, row, steps_per_unit);
  }

  template <Bias bias, bool direct, bool subtract, class Row>
  static void pass(const Run& run, Row row, double steps_per_unit) {
    const auto scale0 = std::bit_cast<std::uint32_t>(run.law.scale[0] * point);
    const auto scale1 = std::bit_cast<std::uint32_t>(run.law.scale[1] * point);
    double totals[2][lanes] = {};
    for (std::size_t s = 0; s < run.segments(); ++s) {
      float sums[2][lanes] = {};
      const std::size_t end = std::min((s + 1) * rows_per_segment, run.rows());
      for (std::size_t r = s * rows_per_segment; r < end; ++r) {
        const std::size_t i = r * lanes;
        std::int32_t fields[lanes];
        std::memcpy(fields, run.fields + i, sizeof fields);
        if constexpr (!std::is_same_v<Row, NoRow>) {
          using Element = std::remove_cv_t<std::remove_pointer_t<Row>>;
          const auto scale = static_cast<Element>(steps_per_unit);
          for (std::size_t l = 0; l < lanes; ++l) {
            const auto change = static_cast<std::int32_t>(row[i + l] * scale);
            fields[l] += subtract ? -change : change;
          }
          std::memcpy(run.fields + i, fields, sizeof fields);
        }
        const SideMask* masks0 = run.masks[0] + i;
        const SideMask* masks1 = run.masks[1] + i;
        std::int32_t y[lanes];
        if constexpr (direct) {
          const SideMask* negative = negated_side<bias> == 0 ? masks0 : masks1;
          for (std::size_t l = 0; l < lanes; ++l) y[l] = negated(fields[l], negative[l]);
          if constexpr (bias == Bias::min)
            for (std::int32_t& value : y) value = value < 0 ? value : 0;
        } else {
          for (std::size_t l = 0; l < lanes; ++l) {
            const auto scale = std::bit_cast<float>((scale1 & masks1[l]) | (scale0 & ~masks1[l]));
            y[l] = plain_scaled<bias>(static_cast<float>(fields[l]) * scale);
          }
        }
        float weights[lanes];
        for (std::size_t l = 0; l < lanes; ++l) weights[l] = plain_weight<bias>(y[l]);
        add_masked(sums[0], weights, masks0);
        add_masked(sums[1], weights, masks1);
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

Law::Law(const WeightFunction& agreeing, const WeightFunction& differing, double quantum,
         double bound)
    : bias(agreeing.bias) {
  NHOT_EXPECTS(agreeing.bias == differing.bias);
  // dE is the field of an agreeing site and minus that of a differing one.
  const double unit = (bias == Bias::logistic ? 1 : -1) * quantum * std::numbers::log2e;
  scale = {static_cast<float>(unit * agreeing.gamma), static_cast<float>(-unit * differing.gamma)};
  const double largest = std::max(std::abs(agreeing.gamma), std::abs(differing.gamma));
  const bool in_range =
      largest * bound * std::numbers::log2e < 0.99 * static_cast<double>(largest_power);
  direct = in_range && std::abs(scale[0]) == 1 / point && std::abs(scale[1]) == 1 / point &&
           agreeing.gamma > 0 && differing.gamma > 0;
}

double direct_quantum(double gamma) {
  return 1 / (gamma * std::numbers::log2e * static_cast<double>(point));
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

namespace {

template <class Element>
void add_steps(std::int32_t* fields, std::size_t size, const Element* row, const Change& change) {
  const auto scale = static_cast<Element>(change.steps_per_unit);
  if (change.subtract)
    for (std::size_t j = 0; j < size; ++j) fields[j] -= static_cast<std::int32_t>(row[j] * scale);
  else
    for (std::size_t j = 0; j < size; ++j) fields[j] += static_cast<std::int32_t>(row[j] * scale);
}

}  // namespace

void apply(std::int32_t* fields, std::size_t size, const Change& change) {
  if (change.row.narrow != nullptr)
    add_steps(fields, size, change.row.narrow, change);
  else
    add_steps(fields, size, change.row.wide, change);
}

namespace {

template <Bias bias>
float weight_by(const Law& law, unsigned side, std::int32_t field) {
  if (!law.direct)
    return plain_weight<bias>(
        plain_scaled<bias>(static_cast<float>(field) * (law.scale[side] * point)));
  const std::int32_t y = side == negated_side<bias> ? -field : field;
  return plain_weight<bias>(bias == Bias::min ? std::min(y, 0) : y);
}

}  // namespace

float weight_of(const Law& law, unsigned side, std::int32_t field) {
  switch (law.bias) {
    case Bias::exp:
      return weight_by<Bias::exp>(law, side, field);
    case Bias::logistic:
      return weight_by<Bias::logistic>(law, side, field);
    case Bias::min:
      break;
  }
  return weight_by<Bias::min>(law, side, field);
}

void evaluate_site(const Run& run, std::size_t i) {
  run.weights[i] = weight_of(run.law, run.masks[1][i] != 0, run.fields[i]);
  const std::size_t lane = i % lanes;
  const std::size_t s = i / segment;
  const std::size_t end = std::min((s + 1) * segment, run.rows() * lanes);
  for (unsigned side = 0; side < 2; ++side) {
    float sum = 0;
    for (std::size_t k = s * segment + lane; k < end; k += lanes)
      sum += masked(run.weights[k], run.masks[side][k]);
    run.lane_sums[side][s * lanes + lane] = sum;
    double total = 0;
    for (std::size_t k = 0; k < run.segments(); ++k)
      total += static_cast<double>(run.lane_sums[side][k * lanes + lane]);
    run.lane_totals[side][lane] = total;
  }
  sum_lanes(run);
}

}  // namespace nhot::dense
#endif
