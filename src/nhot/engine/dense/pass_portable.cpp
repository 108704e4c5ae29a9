// The passes of the dense engine for machines without wide vectors.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "nhot/engine/dense/make_passes.hpp"
#include "nhot/engine/dense/weight.hpp"

namespace nhot::dense {
namespace {

/// Four lanes at a time, in loops that compilers vectorize where they can and that keep everything
/// about four lanes in registers.
constexpr std::size_t width = 4;
static_assert(lanes % width == 0);

/// Four lanes of a segment, row by row.
template <Bias bias, bool direct, bool subtract, class Row>
class Columns {
 public:
  Columns(const SiteBlock& run, Row row, double steps_per_unit)
      : fields_(run.fields),
        weights_(run.weights),
        masks_(run.masks),
        row_(row),
        scale0_(std::bit_cast<std::uint32_t>(run.formula.scale[0] * point)),
        scale1_(std::bit_cast<std::uint32_t>(run.formula.scale[1] * point)),
        steps_per_unit_(static_cast<Element>(steps_per_unit)) {}

  /// Of the four sites from `first` on, and of those below them in rows up to `end`.
  void evaluate(std::size_t first, std::size_t end, float* sums0, float* sums1) const {
    float sum0[width] = {};
    float sum1[width] = {};
    for (std::size_t i = first; i < end; i += lanes) {
      std::int32_t field[width];
      std::memcpy(field, fields_ + i, sizeof field);
      if constexpr (!std::is_same_v<Row, NoRow>) {
        for (std::size_t l = 0; l < width; ++l) {
          const auto change = static_cast<std::int32_t>(row_[i + l] * steps_per_unit_);
          field[l] += subtract ? -change : change;
        }
        std::memcpy(fields_ + i, field, sizeof field);
      }
      SideMask mask0[width];
      SideMask mask1[width];
      std::memcpy(mask0, masks_[0] + i, sizeof mask0);
      std::memcpy(mask1, masks_[1] + i, sizeof mask1);
      std::int32_t y[width];
      for (std::size_t l = 0; l < width; ++l) {
        if constexpr (direct) {
          y[l] = negated(field[l], negated_side<bias> == 0 ? mask0[l] : mask1[l]);
          if constexpr (bias == Bias::min) y[l] = y[l] < 0 ? y[l] : 0;
        } else {
          const auto scale = std::bit_cast<float>((scale1_ & mask1[l]) | (scale0_ & ~mask1[l]));
          y[l] = plain_scaled<bias>(static_cast<float>(field[l]) * scale);
        }
      }
      float weight[width];
      for (std::size_t l = 0; l < width; ++l) weight[l] = plain_weight<bias>(y[l]);
      std::memcpy(weights_ + i, weight, sizeof weight);
      for (std::size_t l = 0; l < width; ++l) sum0[l] += masked(weight[l], mask0[l]);
      for (std::size_t l = 0; l < width; ++l) sum1[l] += masked(weight[l], mask1[l]);
    }
    std::memcpy(sums0, sum0, sizeof sum0);
    std::memcpy(sums1, sum1, sizeof sum1);
  }

 private:
  using Element = std::conditional_t<std::is_same_v<Row, const double*>, double, float>;

  std::int32_t* fields_;
  float* weights_;
  std::array<const SideMask*, 2> masks_;
  Row row_;
  std::uint32_t scale0_;
  std::uint32_t scale1_;
  Element steps_per_unit_;
};

struct PortablePass {
  template <Bias bias, bool direct, bool subtract, class Row>
  static void run(const SiteBlock& run, Row row, double steps_per_unit) {
    const Columns<bias, direct, subtract, Row> columns(run, row, steps_per_unit);
    const auto [sums0, sums1] = run.lane_sums;
    const std::size_t padded = run.rows() * lanes;
    for (std::size_t s = 0; s < run.segments(); ++s) {
      const std::size_t end = std::min((s + 1) * segment, padded);
      for (std::size_t column = 0; column < lanes; column += width)
        columns.evaluate(s * segment + column, end, sums0 + s * lanes + column,
                         sums1 + s * lanes + column);
    }
    add_up_lanes(run);
  }

 private:
  /// Lane totals in double: the lane sums of all segments.
  static void add_up_lanes(const SiteBlock& run) {
    const std::size_t end = run.segments() * lanes;
    for (unsigned side = 0; side < 2; ++side)
      for (std::size_t column = 0; column < lanes; column += width) {
        double totals[width] = {};
        for (std::size_t k = column; k < end; k += lanes)
          for (std::size_t l = 0; l < width; ++l)
            totals[l] += static_cast<double>(run.lane_sums[side][k + l]);
        std::memcpy(run.lane_totals[side] + column, totals, sizeof totals);
      }
  }
};

}  // namespace

Passes portable_passes() { return MakePasses<PortablePass>::passes; }

}  // namespace nhot::dense
