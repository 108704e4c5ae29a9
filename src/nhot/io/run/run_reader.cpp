#include "nhot/io/run/run_reader.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "nhot/base/error.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/damage.hpp"
#include "nhot/io/run/run_groups.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;

/// Refuses what is no file that could be a run, before the library sees it.
void check_file(const fs::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    const fs::path partial = name + ".partial";
    if (fs::exists(partial, error))
      throw InputError("no run file " + name + "; the run has not finished or was stopped",
                       "read what it has written so far: " + partial.string());
    throw InputError("no run file " + name, "give a file that a run has written with {out}");
  }
  if (fs::is_directory(status))
    throw InputError(name + " is a folder, not a run file", "give a file inside it");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw EnvironmentError("cannot open " + name + ": " + std::strerror(errno),
                           "check its permissions");
  constexpr std::array<char, 8> hdf5 = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 8> head{};
  file.read(head.data(), head.size());
  if (file.gcount() == 0) throw InputError(name + " is empty", "was it cut short when copied?");
  if (head != hdf5) {
    const bool classic = head[0] == 'C' && head[1] == 'D' && head[2] == 'F';
    throw InputError(
        name + (classic ? " is a netCDF file, but not a run of nhot" : " is not a netCDF file"),
        "give a file that a run has written with {out}");
  }
}

void check_format(const NcGroup& root, const std::string& name) {
  const auto format = root.attribute("nhot_format");
  if (!format && root.attribute("nhot_checkpoint"))
    throw InputError(name + " is a checkpoint without draws, not a run file",
                     "go on with it: nhot resume " + name);
  if (!format)
    throw InputError(name + " is not a run of nhot (it has no attribute nhot_format)",
                     "give a file that a run has written with {out}");
  const auto* number = std::get_if<std::int64_t>(&*format);
  if (!number || *number < 1) throw DamagedRun("attribute nhot_format is not a version");
  if (*number > run_format)
    throw InputError(name + " has run format " + std::to_string(*number) +
                         "; this nhot reads formats up to " + std::to_string(run_format),
                     "read it with a newer nhot");
}

Trace read_whole(const NcGroup& root, Phase phase) {
  return read_phase(root, phase, 0, phase_size(root, phase).draws);
}

/// take(root) of a file that may be of any kind, or damaged.
template <class Take>
auto read_file(const fs::path& path, Take&& take) {
  check_file(path);
  const std::string name = path.string();
  try {
    const NcFile file = NcFile::open(path);
    check_format(file.root(), name);
    return take(file.root());
  } catch (const NetcdfError& error) {
    fail_damaged(name, error.what());
  } catch (const DamagedRun& error) {
    fail_damaged(name, error.what());
  }
}

}  // namespace

StoredRun read_run(const fs::path& path) {
  return read_file(path, [](const NcGroup& root) {
    StoredRun run;
    static_cast<RunFacts&>(run) = read_facts(root);
    run.warmup = read_whole(root, Phase::warmup);
    run.trace = read_whole(root, Phase::sampling);
    run.checkpoint = read_checkpoint(root);
    run.finished = read_finished(root);
    run.format = std::get<std::int64_t>(*root.attribute("nhot_format"));  // checked
    return run;
  });
}

Metadata read_run_metadata(const fs::path& path) {
  return read_file(path, [](const NcGroup& root) { return read_facts(root).metadata; });
}

std::vector<Trace> read_run_rungs(const fs::path& path) {
  return read_file(
      path, [](const NcGroup& root) { return read_rung_draws(root, 0, rungs_size(root).draws); });
}

}  // namespace nhot
