// A configuration with its fields: what an engine may look at.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "nhot/base/inline.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/frame.hpp"
#include "nhot/shell/shell.hpp"
#include "nhot/state/grouped.hpp"

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
  Group group(Site i) const {
    if constexpr (is_grouped<Kernel>)
      return shell->group_of(i);
    else
      return 0;
  }
  Side side(Site i) const { return 2 * group(i) + u[i]; }
  /// The sites of the group of a side, which has no others.
  std::span<const Site> members(Side side) const requires is_grouped<Kernel> {
    return shell->members(side / 2);
  }
  /// The index of a site among the members of its group.
  Site place(Site i) const {
    if constexpr (is_grouped<Kernel>)
      return shell->place(i);
    else
      return i;
  }
  /// Cost of flipping a site, in units of the kernel's quantum.
  Field delta(Site i) const { return signed_by(u[i], fields[i]); }
  /// The same as an energy.
  double delta_energy(Site i) const { return kernel->quantum() * static_cast<double>(delta(i)); }
};

/// True when the cost of a pair of flips is a sum of two fields and a coupling.
template <class Kernel>
inline constexpr bool is_pairwise = [] {
  if constexpr (requires { Kernel::pairwise; })
    return Kernel::pairwise;
  else
    return true;
}();

/// Energies of configurations as whole numbers of the kernel's energy_step(), relative to the
/// reference: sums of changes are exact, so that a state has one energy, whatever the path to it.
template <class Kernel>
class EnergyCount {
 public:
  using Field = typename Kernel::Field;
  using Count = std::int64_t;

  explicit EnergyCount(const Kernel& kernel)
      : scale_(kernel.energies()), step_(kernel.energy_step()), inverse_(1 / step_) {}

  /// A change of the energy, given as a field or a sum of fields.
  NHOT_ALWAYS_INLINE std::int64_t of_change(Field change) const {
    if constexpr (Kernel::exact)
      return change;
    else
      return static_cast<std::int64_t>(change * inverse_);  // the step is a power of two
  }

  /// sum_i a_i u_i + sum_{i<j} Q_ij u_i u_j, from the fields.
  std::int64_t of(const Configuration<Kernel>& c) const {
    std::int64_t doubled = 0;
    for (Site i = 0; i < c.sites(); ++i)
      if (c.u[i]) doubled += of_change(c.fields[i]) + of_change(c.kernel->linear(i));
    return doubled / 2;
  }

  /// The model's energy of a state with this count, to the bit.
  double energy(std::int64_t count) const { return scale_.energy(count); }
  double energy(const Configuration<Kernel>&, std::int64_t count) const { return energy(count); }
  /// A difference of two counts as an energy.
  double change(std::int64_t count) const { return step_ * static_cast<double>(count); }

 private:
  EnergyScale scale_;
  double step_;
  double inverse_;
};

/// Energies given as code lie on no grid. Changes are summed in double, precise enough to compare
/// states that are a walk apart; the energy of a state is computed by the code.
template <class Kernel>
requires(!is_pairwise<Kernel>) class EnergyCount<Kernel> {
 public:
  using Count = double;

  explicit EnergyCount(const Kernel&) {}
  double of_change(double change) const { return change; }
  double of(const Configuration<Kernel>& c) const { return c.kernel->energy(c.fields); }
  double energy(double count) const { return count; }
  double energy(const Configuration<Kernel>& c, double) const { return of(c); }
  double change(double count) const { return count; }
};

/// Whether a saved count agrees with that of the saved configuration. One of an energy given as
/// code carries the rounding of the changes that led to it, also where their sum is near zero:
/// `scale` is what a flip can cost.
inline bool same_count(std::int64_t kept, std::int64_t found, double) { return kept == found; }
inline bool same_count(double kept, double found, double scale) {
  return std::abs(kept - found) <= 1e-6 * (std::abs(found) + scale + 1e-300);
}

}  // namespace nhot
