// The curves of a profile, as lines of text for a terminal.
#pragma once

#include <string>

#include "nhot/report/text_figures.hpp"
#include "nhot/result/profile_report.hpp"

namespace nhot {

/// The free energy (log Z at beta = 0) and log P(n) over n, two plots of 12 lines.
std::string profile_figures(const ProfileReport& report, const Pen& pen);

}  // namespace nhot
