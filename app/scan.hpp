// Scans: one command for several values of beta or of the distance.
#pragma once

#include <functional>
#include <string>

#include "command.hpp"
#include "nhot/result/scan.hpp"
#include "watch.hpp"

namespace nhot::app {

/// A group whose option of this name takes several values, and says so in its help.
OptionGroup scanned(OptionGroup group, const std::string& name);

/// Whether an option has several values, or --resume names a scan that was stopped. A band is no
/// scan: one chain goes through all of it.
bool is_scan_call(const OptionValues& values);

/// Facts and draws of one point, from a call with single values; the words are for its bar. An
/// interrupt guard is alive.
using RunOnePoint = std::function<ScanPoint(Invocation& single, const WatchWords& words)>;

/// Runs all points, from the first beta and distance on, and prints and writes what they gave. What
/// an interrupt leaves undone is left out. Points that are done are kept in the file of
/// --checkpoint, or beside that of --out until the scan ends, and are not repeated by a scan that
/// goes on.
ExitCode run_scan(Invocation& invocation, const WatchWords& words, const RunOnePoint& run);

}  // namespace nhot::app
