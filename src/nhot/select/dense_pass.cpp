// Compiled once per SIMD path: Highway includes this file again for each. Built with contraction of
// a * b + c switched off, on which the equality of the paths rests.
#include <algorithm>
#include <array>
#include <type_traits>

#include "nhot/select/dense_make_passes.hpp"
#include "nhot/select/dense_weight.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nhot/select/dense_pass.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.
#include <hwy/highway.h>

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
  using Arrays = std::array<const std::uint16_t*, 2>;
  static Arrays arrays(const Run& run) { return run.row_bits; }
  HWY_INLINE Sides(const Arrays& bits, std::size_t i)
      : agreeing(bits[0][i / lanes]), differing(bits[1][i / lanes]) {}
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
  using Arrays = std::array<const SideMask*, 2>;
  static Arrays arrays(const Run& run) { return run.masks; }
  HWY_INLINE Sides(const Arrays& masks, std::size_t i)
      : agreeing(hn::BitCast(Floats(), hn::Load(Words(), masks[0] + i))),
        differing(hn::BitCast(Floats(), hn::Load(Words(), masks[1] + i))) {}
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

/// The doubles that lane sums add up to, over all segments.
HWY_INLINE void add_up_lanes(const Run& run) {
  const Doubles doubles;
  const HalfFloats half;
  const std::size_t end = run.segments() * lanes;
  for (unsigned side = 0; side < 2; ++side) {
    const float* sums = run.lane_sums[side];
    for (std::size_t lane = 0; lane < lanes; lane += width / 2) {
      auto total = hn::Zero(doubles);
      for (std::size_t k = lane; k < end; k += lanes)
        total = hn::Add(total, hn::PromoteTo(doubles, hn::Load(half, sums + k)));
      hn::Store(total, doubles, run.lane_totals[side] + lane);
    }
  }
}

template <Bias bias, bool direct, bool subtract, class Row>
void pass(const Run& run, Row row, double steps_per_unit) {
  const Floats d;
  const Ints ints;
  const auto scale0 = hn::Set(d, run.law.scale[0] * point);
  const auto scale1 = hn::Set(d, run.law.scale[1] * point);
  std::int32_t* HWY_RESTRICT fields = run.fields;
  float* HWY_RESTRICT weights = run.weights;
  const Sides::Arrays arrays = Sides::arrays(run);
  const std::size_t padded = run.rows() * lanes;
  const std::size_t segments = run.segments();

  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t end = std::min((s + 1) * segment, padded);
    for (std::size_t column = 0; column < lanes; column += width) {
      auto sum0 = hn::Zero(d);
      auto sum1 = hn::Zero(d);
      for (std::size_t i = s * segment + column; i < end; i += lanes) {
        auto field = hn::Load(ints, fields + i);
        if constexpr (!std::is_same_v<Row, NoRow>) {
          if constexpr (subtract)
            field = hn::Sub(field, steps(row + i, steps_per_unit));
          else
            field = hn::Add(field, steps(row + i, steps_per_unit));
          hn::Store(field, ints, fields + i);
        }
        const Sides sides(arrays, i);
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
    }
  }
  add_up_lanes(run);
}

/// For MakePasses.
struct Pass {
  template <Bias bias, bool direct, bool subtract, class Row>
  static void run(const Run& over, Row row, double steps_per_unit) {
    pass<bias, direct, subtract>(over, row, steps_per_unit);
  }
};

}  // namespace nhot::dense::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace nhot::dense {

Passes passes(SimdPath path) {
  require_simd_path(path);
#if HWY_TARGETS & HWY_AVX3
  if (path == SimdPath::avx512) return MakePasses<N_AVX3::Pass>::passes;
#endif
#if HWY_TARGETS & HWY_AVX2
  if (path == SimdPath::avx2) return MakePasses<N_AVX2::Pass>::passes;
#endif
  return portable_passes();
}

}  // namespace nhot::dense
#endif
