// What is known when a search for the best move has ended.
#pragma once

#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/run/tune/tuning.hpp"

namespace nhot {

struct TuningReport {
  TuningResult result;
  std::string objective;
  std::vector<std::string> notes;
};

TuningReport make_report(const TuningPlan& plan, TuningResult result);

/// {"move", "ess_per_second", "gain_over_default", "gain_over_swap", "ties", "trials", ...}.
Facts facts_of(const TuningReport& report);
/// The parts of the text: the moves of the last round, only the heading when there are none; what
/// was found.
TextRows move_rows(const TuningReport& report);
TextLines outcome_lines(const TuningReport& report);
std::string to_text(const TuningReport& report, const TextLayout& layout);

}  // namespace nhot
