// Which kernels are on shells of several groups, told by their type.
#pragma once

namespace nhot {

/// The same kernel, for a grouped shell: one of several groups of sites, or with free sites. Code
/// for the one group of all other shells then looks up no group.
template <class Kernel>
class Grouped : public Kernel {
 public:
  static constexpr bool grouped = true;
  using Kernel::Kernel;
};

template <class Kernel>
inline constexpr bool is_grouped = requires {
  Kernel::grouped;
};

}  // namespace nhot
