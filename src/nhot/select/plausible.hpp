// Whether a configuration that was read from somewhere can be true.
#pragma once

#include <cmath>

#include "nhot/select/configuration.hpp"

namespace nhot {

/// True when the bits lie on the shell and fields and energy are theirs, to the rounding that
/// real couplings may gather.
template <class Kernel>
bool plausible(const Configuration<Kernel>& c, double energy) {
  for (const Bit bit : c.u)
    if (bit > 1) return false;
  const Bits model_bits = c.shell->relative(c.u);
  if (!c.shell->contains(model_bits)) return false;
  typename FieldsOf<Kernel>::type fields;
  c.kernel->compute_fields(c.u, fields);
  if constexpr (Kernel::exact)
    if (fields != c.fields) return false;
  double scale = 0;
  for (const typename Kernel::Field f : fields) scale += std::abs(static_cast<double>(f));
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!(std::abs(static_cast<double>(fields[i] - c.fields[i])) <= 1e-6 * scale)) return false;
  const double expected = c.kernel->energy(model_bits);
  const double allowed = 1e-6 * (std::abs(expected) + c.kernel->quantum() * scale);
  return std::abs(energy - expected) <= allowed;
}

}  // namespace nhot
