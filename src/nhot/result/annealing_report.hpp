// What is known when an annealing run ends.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/run/anneal/annealing.hpp"

namespace nhot {

struct AnnealingReport {
  Model model;
  std::uint64_t distance = 0;
  std::uint64_t seed = 0;
  bool has_target = false;
  AnnealingResult result;
  std::vector<std::string> notes;
};

AnnealingReport make_report(const Model& model, const Shell& shell, const AnnealingPlan& plan,
                            AnnealingResult result);

Facts facts_of(const AnnealingReport& report);
/// The parts of the text: what was run and found; the best distinct states.
TextLines outcome_lines(const AnnealingReport& report);
TextRows state_rows(const AnnealingReport& report);
std::string to_text(const AnnealingReport& report, const TextLayout& layout);

}  // namespace nhot
