// The flip of one site, for every kernel.
#pragma once

#include <concepts>
#include <utility>

#include "nhot/base/inline.hpp"
#include "nhot/model/dense_kernel.hpp"
#include "nhot/state/configuration.hpp"
#include "nhot/state/sides.hpp"

namespace nhot {

/// True when a flip changes runs of fields at once.
template <class Kernel>
inline constexpr bool moves_runs = requires(const Kernel& kernel,
                                            typename FieldsOf<Kernel>::type& fields) {
  { kernel.apply_flip(Site{}, Bit{}, fields) } -> std::same_as<SiteRange>;
};

/// Flips site i: its bit, the side lists where there are any, then the fields. between() is called
/// before the fields change, changed(j, shift) for each that did; kernels that change runs of
/// fields return the run instead.
template <class Kernel, class Between, class Changed>
NHOT_ALWAYS_INLINE SiteRange flip_site(Configuration<Kernel>& c, SideLists* lists, Site i,
                                       Between&& between, Changed&& changed) {
  c.u[i] ^= 1;
  const Bit now = c.u[i];
  if (lists) lists->flipped(c.group(i), i, now);
  between();
  if constexpr (moves_runs<Kernel>) {
    return c.kernel->apply_flip(i, now, c.fields);
  } else {
    c.kernel->apply_flip(i, now, c.fields, std::forward<Changed>(changed));
    return {};
  }
}

}  // namespace nhot
