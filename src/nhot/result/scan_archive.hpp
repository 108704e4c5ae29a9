// A point of a scan as bytes, so that a scan that was stopped does not repeat it.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/result/scan.hpp"

namespace nhot {

/// Everything of a point that the table and the file of a scan show.
std::vector<std::byte> archive_of(const ScanPoint& point);

/// InputError when the bytes are none that archive_of() made.
ScanPoint scan_point_from(const std::vector<std::byte>& archive);

}  // namespace nhot
