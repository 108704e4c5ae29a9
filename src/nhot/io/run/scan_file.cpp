#include "nhot/io/run/scan_file.hpp"

#include <algorithm>
#include <system_error>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"
#include "nhot/base/version.hpp"
#include "nhot/io/file_place.hpp"
#include "nhot/io/netcdf_file.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

constexpr const char* mark = "nhot_scan";  // an attribute of the root

fs::path partial_of(const fs::path& path) {
  fs::path partial = path;
  partial += ".partial";
  return partial;
}

void put_column(const NcGroup& group, const NcDimension& point, const ScanColumn& column) {
  const NcVariable variable = group.define(column.name, NcType::float64, {point});
  write(variable, {{0}, {column.values.size()}}, column.values);
}

/// (point, chain, draw); NaN behind the last draw of a point that has fewer than others.
void put_energies(const NcGroup& root, const NcDimension& point, const Scan& scan) {
  std::size_t chains = 0;
  std::size_t draws = 0;
  for (const ScanPoint& one : scan.points) {
    chains = std::max(chains, one.trace.chains.size());
    draws = std::max(draws, one.trace.draws());
  }
  if (draws == 0) return;
  const NcGroup group = root.define_group("sample_stats");
  const NcDimension chain = group.define_dimension("chain", chains);
  const NcDimension draw = group.define_dimension("draw", draws);
  const NcVariable energy =
      group.define("energy", NcType::float64, {point, chain, draw}, {{1, chains, draws}, true});
  group.put_attribute(energy, "long_name", std::string("energy, offset included"));
  for (std::size_t k = 0; k < scan.points.size(); ++k) {
    std::vector<double> values(chains * draws, nan);
    const Trace& trace = scan.points[k].trace;
    for (std::size_t c = 0; c < trace.chains.size(); ++c)
      std::copy(trace.chains[c].energy.begin(), trace.chains[c].energy.end(),
                values.begin() + static_cast<std::ptrdiff_t>(c * draws));
    write(energy, {{k, 0, 0}, {1, chains, draws}}, values);
  }
}

std::vector<double> site_means_of(const ScanPoint& point) {
  std::vector<double> means;
  const Fact* facts = find_fact(point.facts, "site_means");
  if (!facts) return means;
  const Fact* list = find_fact(std::get<Facts>(facts->value()), "mean");
  for (const Fact& one : std::get<Fact::List>(list->value()))
    means.push_back(std::get<double>(one.value()));
  return means;
}

/// (point, site), where every point has them.
void put_site_means(const NcGroup& root, const NcDimension& point, const Scan& scan) {
  std::vector<std::vector<double>> means;
  for (const ScanPoint& one : scan.points) means.push_back(site_means_of(one));
  const std::size_t sites = means.empty() ? 0 : means.front().size();
  if (sites == 0 || std::any_of(means.begin(), means.end(), [&](const std::vector<double>& own) {
        return own.size() != sites;
      }))
    return;
  const NcDimension site = root.define_dimension("site", sites);
  const NcVariable variable = root.define("site_mean", NcType::float64, {point, site});
  root.put_attribute(variable, "long_name", std::string("share of states in which the site is 1"));
  for (std::size_t k = 0; k < means.size(); ++k) write(variable, {{k, 0}, {1, sites}}, means[k]);
}

void write_all(const NcGroup& root, const Scan& scan, const Metadata& attributes) {
  root.put_attribute(mark, std::int64_t{1});
  root.put_attribute("inference_library", std::string("nhot"));
  root.put_attribute("inference_library_version", std::string(version()));
  for (const auto& [name, value] : attributes)
    if (!value.empty()) root.put_attribute(name, value);
  const NcDimension point = root.define_dimension("point", scan.points.size());
  for (const ScanColumn& column : columns_of(scan)) put_column(root, point, column);
  put_site_means(root, point, scan);
  put_energies(root, point, scan);
}

}  // namespace

void check_scan_place(const fs::path& path, bool force) {
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    throw InputError("the folder " + folder.string() + " of " + path.string() + " does not exist",
                     "make it first: mkdir -p " + folder.string());
  if (fs::exists(path, error) && (!force || !fs::is_regular_file(path, error)))
    throw InputError(path.string() + " exists already",
                     "give another {out}, or {force} to replace it");
  if (is_read_only(path))
    throw EnvironmentError(path.string() + " is read-only", "give another {out}, or chmod +w it");
}

void write_scan(const Scan& scan, const Metadata& attributes, const fs::path& path, bool force) {
  check_scan_place(path, force);
  const fs::path partial = partial_of(path);
  try {
    NcFile file = NcFile::create(partial);
    write_all(file.root(), scan, attributes);
    file.close();
    fs::rename(partial, path);
  } catch (const std::exception& problem) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    throw EnvironmentError("cannot write " + path.string() + ": " + problem.what(),
                           "make room, or check the permissions of its folder");
  }
}

bool is_scan_file(const fs::path& path) {
  try {
    const NcFile file = NcFile::open(path);
    return file.root().attribute(mark).has_value();
  } catch (const NetcdfError&) {
    return false;
  }
}

StoredScan read_scan(const fs::path& path) {
  StoredScan scan;
  try {
    const NcFile file = NcFile::open(path);
    const NcGroup root = file.root();
    for (const std::string& name : root.attributes())
      if (const auto value = root.attribute(name))
        if (const auto* text = std::get_if<std::string>(&*value))
          scan.metadata.emplace_back(name, *text);
    for (const std::string& name : root.variables()) {
      const NcVariable variable = root.get(name);
      const std::vector<std::size_t> shape = root.shape(variable);
      if (shape.size() != 1) continue;
      ScanColumn& column = scan.columns.emplace_back(ScanColumn{name, {}});
      column.values.resize(shape[0]);
      read(variable, {{0}, {shape[0]}}, column.values);
    }
  } catch (const NetcdfError& problem) {
    throw InputError(path.string() + " cannot be read as a scan: " + problem.what(),
                     "give a file that a scan with {out} has written");
  }
  if (!find_column(scan.columns, "beta") || !find_column(scan.columns, "distance"))
    throw InputError(path.string() + " holds no scan",
                     "give a file that a scan with {out} has written");
  return scan;
}

}  // namespace nhot
