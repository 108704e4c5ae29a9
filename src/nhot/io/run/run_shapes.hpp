// Checks the shape of what a run file holds before it is read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_groups.hpp"

namespace nhot {

/// The variable, its shape checked: a damaged file must not overrun the buffer.
inline NcVariable get_shaped(const NcGroup& group, const std::string& name,
                             const std::vector<std::size_t>& shape) {
  const NcVariable variable = group.get(name);
  if (group.shape(variable) != shape) throw DamagedRun("variable " + name + " has a wrong shape");
  return variable;
}

/// The size of a dimension that must be there.
inline std::size_t dimension(const NcGroup& group, const std::string& name) {
  const auto size = group.find_dimension(name);
  if (!size) throw DamagedRun("dimension " + name + " is missing");
  return *size;
}

}  // namespace nhot
