// The driver of `temper`: parallel tempering, what is known of every temperature, and the verdict
// on the target.
#pragma once

#include <cstdint>
#include <vector>

#include "nhot/result/run_report.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

/// One temperature. Its report is that of a run of its own, with the time of all rungs: none could
/// do without the others.
struct RungReport {
  RunReport report;
  double acceptance = 0;
  double swap_rate = 0;     // with the next colder rung; NaN for the last
  double cluster_rate = 0;  // NaN: none tried
  double barrier = 0;       // from the hot end
  std::uint64_t round_trips = 0;
};

struct TemperingReport {
  RunReport target;               // with the verdict over the ladders
  std::vector<RungReport> rungs;  // from hot to cold
  std::size_t target_rung = 0;
  std::uint64_t sweep = 1;
  std::uint64_t exchanges = 0;
  double barrier = 0;
  std::vector<std::uint64_t> ladder_trips;
};

struct TemperResult {
  TemperingResult run;
  TemperingReport report;
};

TemperResult temper(const ChainFactory& factory, const TemperingPlan& plan,
                    const TemperingHooks& hooks = {});

TemperingReport make_report(const ChainFactory& factory, const TemperingPlan& plan,
                            const TemperingResult& result);

/// The facts of the target with a row for every temperature.
Facts facts_of(const TemperingReport& report);
/// A table of temperatures, then the target.
std::string to_text(const TemperingReport& report, const TextLayout& layout);

}  // namespace nhot
