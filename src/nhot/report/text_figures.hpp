// The figures of a report, as lines of text for a terminal.
#pragma once

#include <string>
#include <vector>

#include "nhot/base/text_layout.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// What there is to draw with: a page, and block characters or plain ones.
struct Pen {
  TextLayout layout;
  bool unicode = false;
};

/// Values as a row of characters of growing height, from `low` to `high`: eight block characters,
/// or plain letters where Unicode is not to be had. NaN is a space.
std::string sparkline(const std::vector<double>& values, double low, double high, bool unicode);

/// Trace, ranks, autocorrelation and growth of the ESS of every observable, and acceptance by walk
/// length, in lines of at most about 100 columns.
std::string text_figures(const RunReport& report, const Trace& trace, const Pen& pen);

}  // namespace nhot
