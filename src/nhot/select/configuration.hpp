// A configuration with its fields: what an engine may look at.
#pragma once

#include <memory>
#include <type_traits>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// -value where the bit is 1, value where it is 0, without a branch: the bits of a chain are not
/// predictable.
template <class Number>
constexpr Number signed_by(Bit bit, Number value) {
  if constexpr (std::is_integral_v<Number>) {
    const Number mask = static_cast<Number>(-static_cast<Number>(bit));
    return static_cast<Number>((value ^ mask) - mask);
  } else {
    constexpr Number signs[2] = {1, -1};
    return signs[bit] * value;
  }
}

/// The container of a kernel's fields: its own choice, or a vector.
template <class Kernel>
struct FieldsOf {
  using type = std::vector<typename Kernel::Field>;
};
template <class Kernel>
requires requires { typename Kernel::Fields; }
struct FieldsOf<Kernel> {
  using type = typename Kernel::Fields;
};

/// Difference bits u = x xor c with the field of every site kept in step with them.
template <class Kernel>
struct Configuration {
  using Field = typename Kernel::Field;

  std::shared_ptr<const Kernel> kernel;
  std::shared_ptr<const Shell> shell;
  Bits u;
  typename FieldsOf<Kernel>::type fields;

  Site sites() const { return static_cast<Site>(u.size()); }
  Side side(Site i) const { return 2 * shell->group_of(i) + u[i]; }
  /// Cost of flipping a site, in units of the kernel's quantum.
  Field delta(Site i) const { return signed_by(u[i], fields[i]); }
  /// The same as an energy.
  double delta_energy(Site i) const { return kernel->quantum() * static_cast<double>(delta(i)); }
};

}  // namespace nhot
