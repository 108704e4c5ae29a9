// The options of every function of the package, from the library's own declarations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/run/options.hpp"

namespace nhot::python {

using Given = std::vector<std::pair<std::string, std::string>>;

/// The groups of sample, temper, compare, anneal or logz, without what only a command line has.
const std::vector<OptionGroup>& groups_of(const std::string& function);

/// Checked values. InputError as of OptionValues.
OptionValues values_of(const std::string& function, const Given& given);

/// The shell of a model around a reference, None being zeros. InputError as of shell_from().
Shell shell_of(const Model& model, const OptionValues& values, const nb::object& reference);

/// The chains of a model on that shell, by the move of the options; made without the interpreter's
/// lock.
std::shared_ptr<const ChainFactory> factory_of(const Model& model, const OptionValues& values,
                                               const nb::object& reference, double beta);

/// None: nothing.
inline std::optional<Bits> start_from(const nb::object& start) {
  if (start.is_none()) return std::nullopt;
  return bits_from(nb::cast<BitsIn>(start));
}

}  // namespace nhot::python
