// Files that were bundled into the program when it was built: the scripts and styles of the pages.
#pragma once

#include <string_view>

namespace nhot {

/// The text of a file of src/nhot/report/assets/ ("charts.js"), or of the plotting library
/// ("uPlot.iife.min.js", "uPlot.min.css"). Empty when it was not there at build time.
std::string_view asset(std::string_view name);

}  // namespace nhot
