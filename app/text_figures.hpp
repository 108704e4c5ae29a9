// The figures of a report, as lines of text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "nhot/trace/trace.hpp"
#include "sample_report.hpp"

namespace nhot::app {

/// True when the environment says that a terminal shows UTF-8.
bool shows_unicode();

/// Values as a row of characters of growing height, from `low` to `high`: eight block characters,
/// or plain letters where Unicode is not to be had. NaN is a space.
std::string sparkline(const std::vector<double>& values, double low, double high, bool unicode);

/// Trace, ranks, autocorrelation and growth of the ESS of every observable, and acceptance by walk
/// length, in lines of at most about 100 columns.
std::string text_figures(const RunReport& report, const Trace& trace, bool unicode);

}  // namespace nhot::app
