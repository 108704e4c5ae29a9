// Several runs that differ in beta or in the distance: one table of them all.
//
// Each point is a run of its own with a seed of its own, scan_seed(): the run of that point alone
// with that seed gives the same numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

struct ScanPoint {
  double beta = 0;
  std::uint64_t distance = 0;
  std::uint64_t seed = 0;
  Facts facts;  // of the run alone
  Trace trace;  // its draws, without states; of drivers that keep none, empty
};

struct Scan {
  std::string driver;  // "sample", "temper" or "logz"
  std::string model;
  std::uint64_t seed = 0;  // that those of the points come from
  std::vector<ScanPoint> points;
  std::vector<std::string> notes;
};

/// A hash of all three, below 2^32.
std::uint64_t scan_seed(std::uint64_t seed, double beta, std::uint64_t distance);

/// One number per point; NaN where a point has none.
struct ScanColumn {
  std::string name;
  std::vector<double> values;
};

/// beta, distance, seed, then every single number and yes or no (1, 0) of the facts in their order;
/// "mean" of the observable "energy" is energy_mean.
std::vector<ScanColumn> columns_of(const Scan& scan);
/// Null when there is none of that name.
const ScanColumn* find_column(const std::vector<ScanColumn>& columns, const std::string& name);

/// The facts of all points in a list.
Facts facts_of(const Scan& scan);
/// The most telling columns as a table.
TextRows point_rows(const std::vector<ScanColumn>& columns);
std::string to_text(const Scan& scan, const TextLayout& layout);

}  // namespace nhot
