#include "nhot/model/frame.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace nhot {

std::vector<std::int64_t> framed_linear(const QuadraticModel& model,
                                        std::span<const Bit> reference) {
  const FixedPoint& fixed_point = model.fixed_point();
  const bool spin = model.convention() == Convention::spin;
  std::vector<std::int64_t> result(model.sites());
  for (Site i = 0; i < model.sites(); ++i) {
    std::int64_t field = fixed_point.units(model.linear()[i]);
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const bool up = reference[row.sites[k]] != 0;
      if (up || spin) field += (up ? 1 : -1) * fixed_point.units(row.values[k]);
    }
    if (spin) field *= 2;
    result[i] = reference[i] ? -field : field;
  }
  return result;
}

Grid find_grid(const QuadraticModel& model, std::span<const Bit> reference,
               std::int64_t max_quanta) {
  // Rounding may have turned couplings to zero, and rows of integers hold no zeros.
  if (model.fixed_point().rounding() > 0) return {};
  const std::vector<std::int64_t> linear = framed_linear(model, reference);
  std::int64_t largest = 0;
  std::int64_t common = 0;
  for (Site i = 0; i < model.sites(); ++i) {
    std::int64_t low = linear[i];
    std::int64_t high = linear[i];
    common = std::gcd(common, linear[i]);
    const QuadraticModel::Row row = model.row(i);
    for (std::size_t k = 0; k < row.sites.size(); ++k) {
      const std::int64_t q =
          framed_coupling(model, reference[i], reference[row.sites[k]], row.values[k]);
      (q < 0 ? low : high) += q;
      if (common != 1) common = std::gcd(common, q);
    }
    largest = std::max({largest, std::abs(low), std::abs(high)});
  }
  if (largest == 0) return {1, 0};
  if (largest / common > max_quanta) return {};
  return {common, largest / common};
}

}  // namespace nhot
