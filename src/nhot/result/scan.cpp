#include "nhot/result/scan.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"
#include "nhot/model/digest.hpp"

namespace nhot {
namespace {

/// What to_text() shows, where it is there.
struct Shown {
  const char* column;
  const char* heading;
  int digits;                   // 0: known exactly
  const char* error = nullptr;  // the column whose size says how many digits count
};
constexpr Shown shown_columns[] = {
    {"energy_mean", "mean energy", 8, "energy_mcse"},
    {"energy_mcse", "mcse", 2},
    {"energy_sd", "sd", 4},
    {"energy_ess_bulk", "ESS bulk", 4},
    {"energy_rhat", "R-hat", 4},
    {"acceptance", "acceptance", 4},
    {"best_energy", "best energy", 0},
    {"log_z", "log Z", 8, "stderr"},
    {"stderr", "error", 2},
};

/// NaN for what is no single number.
double number_of(const Fact& fact) {
  if (const auto* truth = std::get_if<bool>(&fact.value())) return *truth ? 1 : 0;
  if (const auto* real = std::get_if<double>(&fact.value())) return *real;
  if (const auto* count = std::get_if<std::uint64_t>(&fact.value()))
    return static_cast<double>(*count);
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value()))
    return static_cast<double>(*whole);
  return nan;
}

bool is_number(const Fact& fact) {
  return std::holds_alternative<bool>(fact.value()) ||
         std::holds_alternative<double>(fact.value()) ||
         std::holds_alternative<std::uint64_t>(fact.value()) ||
         std::holds_alternative<std::int64_t>(fact.value());
}

class ColumnTable {
 public:
  explicit ColumnTable(std::size_t points) : points_(points) {}

  void put(const std::string& name, std::size_t point, double value) {
    auto found = std::find_if(columns_.begin(), columns_.end(),
                              [&](const ScanColumn& column) { return column.name == name; });
    if (found == columns_.end())
      found = columns_.insert(columns_.end(), {name, std::vector<double>(points_, nan)});
    found->values[point] = value;
  }
  std::vector<ScanColumn> take() { return std::move(columns_); }

 private:
  std::size_t points_;
  std::vector<ScanColumn> columns_;
};

}  // namespace

std::uint64_t scan_seed(std::uint64_t seed, double beta, std::uint64_t distance) {
  Digest digest;
  digest.add(std::uint64_t{0x7363616e});  // "scan"
  digest.add(seed);
  digest.add(beta);
  digest.add(distance);
  return std::stoull(digest.hex().substr(0, 8), nullptr, 16);
}

const ScanColumn* find_column(const std::vector<ScanColumn>& columns, const std::string& name) {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const ScanColumn& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<ScanColumn> columns_of(const Scan& scan) {
  ColumnTable table(scan.points.size());
  for (std::size_t k = 0; k < scan.points.size(); ++k) {
    const ScanPoint& point = scan.points[k];
    table.put("beta", k, point.beta);
    table.put("distance", k, static_cast<double>(point.distance));
    table.put("seed", k, static_cast<double>(point.seed));
    for (const auto& [name, fact] : point.facts) {
      if (name == "beta" || name == "distance" || name == "seed") continue;
      if (is_number(fact)) table.put(name, k, number_of(fact));
      const auto* nested = name == "observables" ? std::get_if<Facts>(&fact.value()) : nullptr;
      if (!nested) continue;
      for (const auto& [observable, summary] : *nested)
        for (const auto& [key, value] : std::get<Facts>(summary.value()))
          if (is_number(value)) table.put(observable + "_" + key, k, number_of(value));
    }
  }
  return table.take();
}

Facts facts_of(const Scan& scan) {
  Fact::List points;
  for (const ScanPoint& point : scan.points) points.emplace_back(point.facts);
  return {{"scan", scan.driver},
          {"model", scan.model},
          {"seed", scan.seed},
          {"points", std::move(points)},
          {"notes", scan.notes}};
}

TextRows point_rows(const std::vector<ScanColumn>& columns) {
  const ScanColumn* betas = find_column(columns, "beta");
  const ScanColumn* distances = find_column(columns, "distance");
  const ScanColumn* seeds = find_column(columns, "seed");
  const std::size_t points = betas && distances ? betas->values.size() : 0;
  const auto whole = [](double value) { return static_cast<unsigned long long>(value); };
  TextRows rows(1 + points);
  rows[0] = {"beta", "n"};
  for (std::size_t k = 0; k < points; ++k)
    rows[k + 1] = {short_real(betas->values[k]), with_commas(whole(distances->values[k]))};
  for (const Shown& shown : shown_columns) {
    const ScanColumn* column = find_column(columns, shown.column);
    const ScanColumn* error = shown.error ? find_column(columns, shown.error) : nullptr;
    if (!column) continue;
    rows[0].push_back(shown.heading);
    for (std::size_t k = 0; k < points; ++k)
      rows[k + 1].push_back(error               ? to_resolution(column->values[k], error->values[k])
                            : shown.digits == 0 ? short_real(column->values[k])
                                                : significant(column->values[k], shown.digits));
  }
  if (const ScanColumn* converged = find_column(columns, "converged")) {
    rows[0].emplace_back("converged");
    for (std::size_t k = 0; k < points; ++k)
      rows[k + 1].emplace_back(converged->values[k] > 0 ? "yes" : "no");
  }
  if (seeds) {
    rows[0].emplace_back("seed");
    for (std::size_t k = 0; k < points; ++k)
      rows[k + 1].push_back(std::to_string(whole(seeds->values[k])));
  }
  return rows;
}

std::string to_text(const Scan& scan, const TextLayout& layout) {
  return "model  " + scan.model + "\n\n" + layout.table(point_rows(columns_of(scan))) +
         layout.notes(scan.notes);
}

}  // namespace nhot
