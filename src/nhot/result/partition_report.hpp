// What is known when log Z has been estimated.
#pragma once

#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/run/logz/partition.hpp"

namespace nhot {

struct PartitionReport {
  Model model;
  std::uint64_t distance = 0;
  double beta = 0;
  std::string move;
  std::string engine;
  std::string method;  // smc, ais or ti
  std::uint64_t seed = 0;
  bool ratio_asked = false;
  PartitionResult result;
  std::vector<std::string> notes;
  Facts tuning = {};  // what a search for the move has found; empty: it was named
};

PartitionReport make_report(const ChainFactory& factory, const PartitionPlan& plan,
                            PartitionResult result);

Facts facts_of(const PartitionReport& report);
TextLines outcome_lines(const PartitionReport& report);
std::string to_text(const PartitionReport& report, const TextLayout& layout);

}  // namespace nhot
