// The options of every function of the package, from the library's own declarations.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "nhot/run/options.hpp"

namespace nhot::python {

using Given = std::vector<std::pair<std::string, std::string>>;

/// The groups of sample, temper, compare, anneal or logz, without what only a command line has.
const std::vector<OptionGroup>& groups_of(const std::string& function);

/// Checked values. InputError as of OptionValues.
OptionValues values_of(const std::string& function, const Given& given);

/// The shell of a model. InputError when the distance is missing or too large, or the reference
/// has another number of sites.
Shell shell_of(const Model& model, const OptionValues& values, const nb::object& reference);

/// None: nothing.
inline std::optional<Bits> start_from(const nb::object& start) {
  if (start.is_none()) return std::nullopt;
  return bits_from(nb::cast<BitsIn>(start));
}

}  // namespace nhot::python
