// The passes of engine `dense` over one run of sites, on a SIMD path: fields, weights and sums
// fused.
//
// For weights, fields are integers, trunc(a_i / quantum) + sum over differing j of
// trunc(Q_ij / quantum): a function of the state alone. Sites are in rows of 16 lanes; 8 rows make
// a segment. Sums are kept per lane: site i of a run belongs to lane i % 16 of segment i / 128,
// whatever the width of the machine's vectors, and every sum is taken in one order. No operation is
// fused with another. So all paths give the same numbers to the bit.
//
// Weights are floats:
//
//     exp        2^y             y = -t / log 2, clamped to [-124, 124]
//     min        2^y             y = -t / log 2, clamped to [-124, 0]
//     logistic   1 / (1 + 2^y)   y =  t / log 2, clamped to [-124, 124]
//
// with t = gamma dE from the integer fields, and 2^y by a polynomial of degree 3. Errors: 8e-5
// relative for the function of t, and t itself is off by at most 2.5e-7 * |t| + 1e-7 for roundings
// on the way and gamma * quantum * (sites + 1) for those of the couplings. Selection is by these
// very weights and the acceptance of a move uses them too, so none of this biases what is sampled.
//
// Where a formula is direct, a field is y itself, up to its sign, in fixed point with 23 fraction
// bits: no multiplication and no conversion.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "nhot/base/aligned.hpp"
#include "nhot/base/simd_path.hpp"
#include "nhot/model/coupling_rows.hpp"
#include "nhot/state/weight.hpp"

namespace nhot::dense {

inline constexpr std::size_t lanes = 16;
inline constexpr std::size_t rows_per_segment = 8;
inline constexpr std::size_t segment = lanes * rows_per_segment;
inline constexpr float largest_power = 124;  // 2^124 times 8 rows is still a float
inline constexpr float point = 0x1p23F;      // y is an integer, in units of 1 / point

/// All ones where a site belongs to a side, zero elsewhere.
using SideMask = std::uint32_t;

/// How weights follow from integer fields: y = scale * field, one scale for agreeing and one for
/// differing sites. The quantum, and the sign that turns a field into dE, are part of the scale.
struct WeightFormula {
  Bias bias = Bias::logistic;
  std::array<float, 2> scale = {0, 0};
  bool direct = false;  // may_be_direct(), and the quantum is direct_quantum()

  WeightFormula() = default;
  /// `bound` is at least every |field| in units of energy.
  WeightFormula(const WeightFunction& agreeing, const WeightFunction& differing, double quantum,
                double bound);
};

/// True when 1e-3 < gamma * bound / log 2 < 0.99 * 124, so that y stays in its range and uses most
/// of its bits, and gamma < 2^100.
bool may_be_direct(double gamma, double bound);
/// The quantum that makes the formulas of one gamma direct.
double direct_quantum(double gamma);

/// One run of sites under one formula. Arrays over sites have whole segments; sites beyond the end
/// belong to no side.
struct SiteBlock {
  std::int32_t* fields;
  std::size_t size;
  WeightFormula formula;
  std::array<const SideMask*, 2> masks;          // agreeing, differing
  std::array<const std::uint16_t*, 2> row_bits;  // the same, 16 bits to a row
  float* weights;
  std::array<float*, 2> lane_sums;     // by side: segments x 16
  std::array<double*, 2> lane_totals;  // by side: 16, over all segments
  double* totals;                      // by side: over all lanes

  std::size_t rows() const { return (size + lanes - 1) / lanes; }
  std::size_t segments() const { return (size + segment - 1) / segment; }
};

/// A row of couplings to be added to integer fields, or subtracted.
struct Change {
  CouplingRows::Row row;
  double steps_per_unit;  // 1 / quantum, within the range of floats
  bool subtract;
};

/// Prefetches the beginning of the row; vector passes prefetch the rest.
inline void prefetch(const Change& change) {
  const auto* begin = change.row.narrow != nullptr ? static_cast<const void*>(change.row.narrow)
                                                   : static_cast<const void*>(change.row.wide);
  for (std::size_t line = 0; line < 8; ++line)
    __builtin_prefetch(static_cast<const char*>(begin) + line * cache_line);
}

/// The passes of one path.
struct Passes {
  /// Weights and sums of the whole run.
  void (*evaluate)(const SiteBlock&);
  /// The same after a change of the fields.
  void (*change_and_evaluate)(const SiteBlock&, const Change&);
};

/// InputError when this processor or build lacks the path.
Passes passes(SimdPath path);

/// Fields of a run of `size` sites after a change, without weights.
void apply(std::int32_t* fields, std::size_t size, const Change& change);

/// What a coupling adds to an integer field.
inline std::int32_t steps_of(double coupling, double steps_per_unit) {
  return static_cast<std::int32_t>(coupling * steps_per_unit);
}

/// Weight of one site, equal to that of a pass to the bit.
float weight_of(const WeightFormula& formula, unsigned side, std::int32_t field);

/// Weights and sums after the mask of one site has changed; its field has not.
void evaluate_site(const SiteBlock& run, std::size_t i);

}  // namespace nhot::dense
