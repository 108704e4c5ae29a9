// A scan as one netCDF-4 file with a dimension `point`. doc/runs.md describes it.
#pragma once

#include <filesystem>
#include <vector>

#include "nhot/result/scan.hpp"

namespace nhot {

/// What a page needs of a stored scan.
struct StoredScan {
  Metadata metadata;
  std::vector<ScanColumn> columns;
};

/// The errors that writing there would meet now: to be called before long work.
void check_scan_place(const std::filesystem::path& path, bool force);

/// Written beside and renamed into place. `attributes` are the options of the scan.
void write_scan(const Scan& scan, const Metadata& attributes, const std::filesystem::path& path,
                bool force);

/// Whether a file holds a scan rather than a run.
bool is_scan_file(const std::filesystem::path& path);
StoredScan read_scan(const std::filesystem::path& path);

}  // namespace nhot
