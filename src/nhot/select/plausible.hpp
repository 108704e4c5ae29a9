// Whether a configuration that was read from somewhere can be true.
#pragma once

#include "nhot/select/configuration.hpp"

namespace nhot {

/// True when the bits lie on the shell and the fields are theirs.
template <class Kernel>
bool plausible(const Configuration<Kernel>& c) {
  for (const Bit bit : c.u)
    if (bit > 1) return false;
  if (!c.shell->contains(c.shell->relative(c.u))) return false;
  typename FieldsOf<Kernel>::type fields;
  c.kernel->compute_fields(c.u, fields);
  return fields == c.fields;
}

}  // namespace nhot
