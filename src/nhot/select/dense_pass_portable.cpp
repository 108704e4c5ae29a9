// The passes of the dense engine for machines without wide vectors.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "nhot/select/dense_make_passes.hpp"
#include "nhot/select/dense_weight.hpp"

namespace nhot::dense {
namespace {

/// sums[l] += weights[l] where the mask says so.
inline void add_masked(float* sums, const float* weights, const SideMask* masks) {
  float parts[lanes];
  for (std::size_t l = 0; l < lanes; ++l) parts[l] = masked(weights[l], masks[l]);
  for (std::size_t l = 0; l < lanes; ++l) sums[l] += parts[l];
}

/// Plain C++, in loops over 16 lanes that compilers turn into the vectors they have.
struct PortablePass {
  template <Bias bias, bool direct, bool subtract, class Row>
  static void run(const Run& run, Row row, double steps_per_unit) {
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

Passes portable_passes() { return MakePasses<PortablePass>::passes; }

}  // namespace nhot::dense
