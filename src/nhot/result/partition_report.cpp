#include "nhot/result/partition_report.hpp"

#include <cmath>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

std::string name_of(PartitionMethod method) {
  switch (method) {
    case PartitionMethod::smc:
      return "smc";
    case PartitionMethod::ais:
      return "ais";
    case PartitionMethod::ti:
      break;
  }
  return "ti";
}

std::string plus_minus(const LogEstimate& estimate) {
  if (std::isnan(estimate.value)) return "no estimate";
  return to_resolution(estimate.value, estimate.stderr_value) + " +- " +
         significant(estimate.stderr_value, 2);
}

}  // namespace

PartitionReport make_report(const ChainFactory& factory, const PartitionPlan& plan,
                            PartitionResult result) {
  PartitionReport report{factory.model(),   factory.shell().distance(),
                         factory.beta(),    factory.move(),
                         factory.engine(),  name_of(plan.method),
                         plan.seed,         plan.ratio,
                         std::move(result), {}};
  if (!factory.unreachable_reason().empty()) report.notes.push_back(factory.unreachable_reason());
  add_notes(report.notes, factory.notes());
  add_notes(report.notes, report.result.notes);
  return report;
}

Facts facts_of(const PartitionReport& report) {
  const PartitionResult& result = report.result;
  Facts facts = {{"model", facts_of(report.model)},
                 {"distance", report.distance},
                 {"beta", report.beta},
                 {"move", report.move},
                 {"engine", report.engine},
                 {"method", report.method},
                 {"seed", report.seed},
                 {"log_z", result.log_z.value},
                 {"stderr", result.log_z.stderr_value},
                 {"log_states", result.log_states}};
  if (result.has_ratio)
    facts.emplace_back("ratio", Facts{{"distance", report.distance + 1},
                                      {"log_ratio", result.log_ratio.value},
                                      {"stderr", result.log_ratio.stderr_value}});
  else if (report.ratio_asked)
    facts.emplace_back("ratio", Fact());
  append(facts, {{"log_z_of", result.log_z_of},
                 {"betas", result.betas},
                 {"effective_share", result.effective_share},
                 {"families", result.families},
                 {"moves", result.moves},
                 {"seconds", result.seconds},
                 {"interrupted", result.interrupted},
                 {"notes", report.notes}});
  if (!report.tuning.empty()) facts.emplace_back("tuning", report.tuning);
  return facts;
}

TextLines outcome_lines(const PartitionReport& report) {
  const PartitionResult& result = report.result;
  const Model& model = report.model;
  TextLines lines = {
      {"model", model_text(model.name(), model.sites(), model.couplings())},
      {"shell", "distance " + with_commas(report.distance) + ", beta " + short_real(report.beta)},
      {"move", report.move},
      {"method", report.method + ", " + std::to_string(result.betas.size()) + " temperatures, " +
                     std::to_string(result.log_z_of.size()) + " independent estimates"},
      {"time", short_duration(result.seconds)},
      {"log states", significant(result.log_states, 10)},
      {"log Z", plus_minus(result.log_z)},
  };
  if (result.has_ratio) lines.emplace_back("log Z_{n+1}/Z_n", plus_minus(result.log_ratio));
  return lines;
}

std::string to_text(const PartitionReport& report, const TextLayout& layout) {
  return layout.key_values(outcome_lines(report)) + layout.notes(report.notes);
}

}  // namespace nhot
