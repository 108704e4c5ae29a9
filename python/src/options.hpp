// The options of every function of the package, from the library's own declarations.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/run/options.hpp"

namespace nhot::python {

using Given = std::vector<std::pair<std::string, std::string>>;

/// The groups of sample, temper, compare, anneal, logz, profile or tune, without what only a
/// command line has.
const std::vector<OptionGroup>& groups_of(const std::string& function);

/// Checked values. InputError as of OptionValues.
OptionValues values_of(const std::string& function, const Given& given);

/// The shell of a model from (reference, groups): None is a reference of zeros, and one group.
/// InputError as of shell_from().
Shell shell_of(const Model& model, const OptionValues& values, const nb::tuple& shell);

/// None: nothing. InputError when the state is not on the shell.
inline std::optional<Bits> start_from(const nb::object& start, const Shell& shell) {
  if (start.is_none()) return std::nullopt;
  Bits bits = bits_from(nb::cast<BitsIn>(start));
  check_start(shell, bits);
  return bits;
}

}  // namespace nhot::python
