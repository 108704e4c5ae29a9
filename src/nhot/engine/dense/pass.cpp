// Compiled once per SIMD path: Highway includes this file again for each. Built without contraction
// of a * b + c (fused multiply-add), on which the equality of the paths rests.
#include <algorithm>
#include <array>
#include <type_traits>

#include "nhot/engine/dense/make_passes.hpp"
#include "nhot/engine/dense/weight.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "nhot/engine/dense/pass.cpp"
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

/// Rows that are interleaved, operation by operation, to hide the latency of each.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t at_once = 2;
constexpr bool keep_sides = true;
#else
constexpr std::size_t at_once = 4;
constexpr bool keep_sides = false;  // loaded twice: there are not enough registers
#endif
constexpr std::size_t rows_ahead = 12;  // prefetch distance

/// Weights from y in fixed point, as plain_weight().
template <Bias bias, std::size_t count>
HWY_INLINE void weights_of(const IntVec (&y)[count], FloatVec (&w)[count]) {
  const Floats d;
  const Words words;
  FloatVec z[count];
  for (std::size_t r = 0; r < count; ++r)
    z[r] = hn::BitCast(
        d, hn::Or(hn::And(hn::BitCast(words, y[r]), hn::Set(words, digits)), hn::Set(words, one)));
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Mul(hn::Set(d, c3), z[r]);
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Add(w[r], hn::Set(d, c2));
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Mul(w[r], z[r]);
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Add(w[r], hn::Set(d, c1));
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Mul(w[r], z[r]);
  for (std::size_t r = 0; r < count; ++r) w[r] = hn::Add(w[r], hn::Set(d, c0));
  for (std::size_t r = 0; r < count; ++r) {
    const auto exponent = hn::AndNot(hn::Set(words, digits), hn::BitCast(words, y[r]));
    w[r] = hn::BitCast(d, hn::Add(hn::BitCast(words, w[r]), exponent));
  }
  if constexpr (bias == Bias::logistic) {
    for (std::size_t r = 0; r < count; ++r) w[r] = hn::Add(w[r], hn::Set(d, 1.0F));
    for (std::size_t r = 0; r < count; ++r) w[r] = hn::Div(hn::Set(d, 1.0F), w[r]);
  }
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
  // Bit masks: a masked addition is one instruction.
  using Arrays = std::array<const std::uint16_t*, 2>;
  static Arrays arrays(const SiteBlock& run) { return run.row_bits; }
  Sides() = default;
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
  static Arrays arrays(const SiteBlock& run) { return run.masks; }
  Sides() = default;
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

/// Lane totals in double: the lane sums of all segments.
HWY_INLINE void add_up_lanes(const SiteBlock& run) {
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

/// What a pass reads and writes.
template <Bias bias, bool direct, bool subtract, class Row>
class RunPass {
 public:
  HWY_INLINE RunPass(const SiteBlock& run, Row row, double steps_per_unit)
      : scale0_(hn::Set(Floats(), run.formula.scale[0] * point)),
        scale1_(hn::Set(Floats(), run.formula.scale[1] * point)),
        fields_(run.fields),
        weights_(run.weights),
        arrays_(Sides::arrays(run)),
        row_(row),
        steps_per_unit_(steps_per_unit) {}

  /// One vector of sites in each of `count` rows, from site `first` on.
  template <std::size_t count>
  HWY_INLINE void rows(std::size_t first, FloatVec& sum0, FloatVec& sum1) const {
    const Floats d;
    const Ints ints;
    IntVec y[count];
    Sides sides[count];
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t i = first + r * lanes;
      auto field = hn::Load(ints, fields_ + i);
      if constexpr (!std::is_same_v<Row, NoRow>) {
        __builtin_prefetch(row_ + i + rows_ahead * lanes);
        if constexpr (subtract)
          field = hn::Sub(field, steps(row_ + i, steps_per_unit_));
        else
          field = hn::Add(field, steps(row_ + i, steps_per_unit_));
        hn::Store(field, ints, fields_ + i);
      }
      sides[r] = Sides(arrays_, i);
      if constexpr (direct) {
        y[r] = sides[r].template negate<negated_side<bias>>(field);
        if constexpr (bias == Bias::min) y[r] = hn::Min(y[r], hn::Zero(ints));
      } else {
        const auto scaled = hn::Mul(hn::ConvertTo(d, field), sides[r].choose(scale0_, scale1_));
        y[r] = truncated(hn::Min(hn::Max(scaled, hn::Set(d, least)), hn::Set(d, most<bias>)));
      }
    }
    FloatVec w[count];
    weights_of<bias>(y, w);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t i = first + r * lanes;
      hn::Store(w[r], d, weights_ + i);
      (keep_sides ? sides[r] : Sides(arrays_, i)).add(w[r], sum0, sum1);
    }
  }

 private:
  FloatVec scale0_;
  FloatVec scale1_;
  std::int32_t* HWY_RESTRICT fields_;
  float* HWY_RESTRICT weights_;
  Sides::Arrays arrays_;
  Row row_;
  double steps_per_unit_;
};

template <Bias bias, bool direct, bool subtract, class Row>
void pass(const SiteBlock& run, Row row, double steps_per_unit) {
  const Floats d;
  const RunPass<bias, direct, subtract, Row> over(run, row, steps_per_unit);
  const std::size_t padded = run.rows() * lanes;
  const std::size_t segments = run.segments();
  for (std::size_t s = 0; s < segments; ++s) {
    const std::size_t end = std::min((s + 1) * segment, padded);
    for (std::size_t column = 0; column < lanes; column += width) {
      auto sum0 = hn::Zero(d);
      auto sum1 = hn::Zero(d);
      std::size_t i = s * segment + column;
      for (; i + (at_once - 1) * lanes < end; i += at_once * lanes)
        over.template rows<at_once>(i, sum0, sum1);
      for (; i < end; i += lanes) over.template rows<1>(i, sum0, sum1);
      hn::Store(sum0, d, run.lane_sums[0] + s * lanes + column);
      hn::Store(sum1, d, run.lane_sums[1] + s * lanes + column);
    }
  }
  add_up_lanes(run);
}

/// For MakePasses.
struct Pass {
  template <Bias bias, bool direct, bool subtract, class Row>
  static void run(const SiteBlock& over, Row row, double steps_per_unit) {
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
