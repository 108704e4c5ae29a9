// Reads what RunWriter wrote, finished or not.
#pragma once

#include <filesystem>
#include <vector>

#include "nhot/io/run/run_contents.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// A run file in memory. Doubles and states are as they were in the run, to the bit; numbers in the
/// metadata come back in their shortest form.
struct StoredRun : RunFacts {
  Trace warmup;  // no chains when there was none
  Trace trace;
  StoredCheckpoint checkpoint;
  std::int64_t format = run_format;
  bool finished = false;  // false: PATH.partial of a run that goes on or was killed
};

/// InputError when the path is no file, no netCDF file, not a run of nhot, of a later format, or
/// damaged; EnvironmentError when it cannot be opened.
StoredRun read_run(const std::filesystem::path& path);

/// Of it, what is said beside the draws.
Metadata read_run_metadata(const std::filesystem::path& path);

/// The draws of all temperatures of a tempering run, from hot to cold, without states; none when
/// the file has none. Errors as above.
std::vector<Trace> read_run_rungs(const std::filesystem::path& path);

}  // namespace nhot
