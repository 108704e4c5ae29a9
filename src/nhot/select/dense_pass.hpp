// The passes of engine `dense` over one run of sites, on a SIMD path: fields, weights and sums in
// one go.
//
// Sites stand in rows of 16 lanes; 8 rows make a segment. Sums are kept per lane: site i of a run
// belongs to lane i % 16 of segment i / 128, whatever the width of the machine's vectors, and every
// sum is taken in one order. No operation is fused with another. So all paths give the same numbers
// to the bit.
//
// Weights are floats:
//
//     exp        2^y             y = -t / log 2, cut to [-120, 120]
//     min        2^y             y = -t / log 2, cut to [-120, 0]
//     logistic   1 / (1 + 2^y)   y =  t / log 2, cut to [-120, 120]
//
// with t = gamma dE from fields in double, rounded to float, and 2^y by a polynomial of degree 5.
// Against the exact function of the rounded y the error is at most 3e-7 relative (exp, min) and
// 4e-7 (logistic); rounding y adds 1.2e-7 * |t|. Selection is by these very weights and the
// acceptance of a move uses them too, so the error does not reach the law that is sampled.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "nhot/base/simd_path.hpp"
#include "nhot/model/coupling_rows.hpp"
#include "nhot/select/weight.hpp"

namespace nhot::dense {

inline constexpr std::size_t lanes = 16;
inline constexpr std::size_t rows_per_segment = 8;
inline constexpr std::size_t segment = lanes * rows_per_segment;
inline constexpr float largest_power = 120;

/// All ones where a site belongs to a side, zero elsewhere.
using SideMask = std::uint32_t;

/// How weights follow from fields: y = scale * field, one scale for agreeing and one for differing
/// sites. The sign that turns a field into dE is part of the scale.
struct Law {
  Bias bias = Bias::logistic;
  std::array<float, 2> scale = {0, 0};

  Law() = default;
  Law(const WeightFunction& agreeing, const WeightFunction& differing);
};

/// One run of sites under one law. Arrays of floats and masks have whole rows; those of sites
/// beyond the end belong to no side.
struct Run {
  double* fields;  // `size` of them
  std::size_t size;
  Law law;
  std::array<const SideMask*, 2> masks;  // agreeing, differing
  float* weights;
  std::array<float*, 2> lane_sums;     // by side: segments x 16
  std::array<double*, 2> lane_totals;  // by side: 16, over all segments
  double* totals;                      // by side: over all lanes

  std::size_t segments() const { return (size + segment - 1) / segment; }
};

/// The passes of one path.
struct Passes {
  /// Weights and sums of the whole run.
  void (*evaluate)(const Run&);
  /// The same after adding (or subtracting) a row of couplings to the fields.
  void (*add_and_evaluate)(const Run&, CouplingRows::Row, bool subtract);
};

/// InputError when the path is not there.
Passes passes(SimdPath path);

/// Weight of one site, with the bits that a pass gives.
float weight_of(const Law& law, unsigned side, double field);

/// Weights and sums after the mask of one site has changed; its field has not.
void evaluate_site(const Run& run, std::size_t i);

}  // namespace nhot::dense
