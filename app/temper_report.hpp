// What is told about a tempering run: a row for every temperature, and the target in full.
#pragma once

#include <string>
#include <vector>

#include "json.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/run/tempering.hpp"
#include "sample_report.hpp"

namespace nhot::app {

struct TemperReport {
  RunReport target;
  std::vector<RunReport> rungs;
  const TemperingResult* run = nullptr;
};

/// Refers to the result.
TemperReport make_report(const ChainFactory& factory, const TemperingPlan& plan,
                         const TemperingResult& result, const std::string& reference);

/// The object of the target with a row for every temperature.
Json to_json(const TemperReport& report);

/// A table of temperatures, then the target.
std::string to_text(const TemperReport& report);

}  // namespace nhot::app
