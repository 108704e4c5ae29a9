#include "run_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace nhot::app {
namespace {

// Options that concern the call and not the run.
constexpr std::array<std::string_view, 8> not_of_the_run = {"config", "json",  "quiet",   "help",
                                                            "out",    "force", "threads", "resume"};

std::uint64_t count_or_zero(const Metadata& metadata, std::string_view key) {
  const auto text = find_value(metadata, key);
  const auto value = text ? parse_integer(*text) : std::nullopt;
  return value && *value > 0 ? static_cast<std::uint64_t>(*value) : 0;
}

double real_or_zero(const Metadata& metadata, std::string_view key) {
  const auto text = find_value(metadata, key);
  return text ? parse_real(*text).value_or(0) : 0;
}

std::vector<double> read_list(const std::string& text) {
  std::vector<double> values;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (const auto value = parse_real(std::string_view(text).substr(at, end - at)))
      values.push_back(*value);
    at = end + 1;
  }
  return values;
}

}  // namespace

Metadata attributes_of(const Invocation& invocation, const ChainFactory& factory) {
  Metadata metadata = {{"command", invocation.command->name},
                       {"kind", factory.model().kind()},
                       {"couplings", std::to_string(factory.model().couplings())},
                       {"engine", factory.engine()}};
  if (!factory.confined().empty()) metadata.emplace_back("confined", factory.confined());
  for (const auto& [name, value] : invocation.values.resolved()) {
    const bool outside =
        std::find(not_of_the_run.begin(), not_of_the_run.end(), name) != not_of_the_run.end();
    if (outside || value.empty()) continue;
    metadata.emplace_back(name, name == "move" ? factory.move() : value);
  }
  return metadata;
}

Metadata results_of(const RunReport& report) {
  const auto list_of = [](const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : " ") + format_real(value);
    return text;
  };
  const RunRecord& run = report.run;
  // Under the names of --json; "moves" and "seconds" take the place of what was asked for.
  return {{"moves", std::to_string(run.moves)},
          {"warmup", std::to_string(run.warmup)},
          {"thin", std::to_string(report.thin)},
          {"seconds", format_real(run.seconds)},
          {"cpu_seconds", format_real(run.cpu_seconds)},
          {"recording_seconds", format_real(run.recording_seconds)},
          {"steps", std::to_string(run.steps)},
          {"accepted", std::to_string(run.accepted)},
          {"acceptance", format_real(report.acceptance())},
          {"chain_acceptance", list_of(run.chain_acceptance)},
          {"changed", format_real(run.changed)},
          {"chain_changed", list_of(run.chain_changed)},
          {"ns_per_step", format_real(report.ns_per_step())},
          {"ns_per_move", format_real(report.ns_per_move())},
          {"best_energy", format_real(run.best_energy)},
          {"converged", report.verdict.converged ? "true" : "false"},
          {"interrupted", run.interrupted ? "true" : "false"},
          {"witness", run.witness.sentence},
          {"witness_agrees", run.witness.agrees ? "true" : "false"}};
}

RunRecord record_from(const StoredRun& run) {
  const Metadata& metadata = run.metadata;
  const auto text = [&](std::string_view key) { return find_value(metadata, key).value_or(""); };
  RunRecord record;
  record.model = text("model");
  record.kind = text("kind");
  record.hash = text("model_hash");
  record.sites = run.sites;
  record.couplings = count_or_zero(metadata, "couplings");
  record.distance = count_or_zero(metadata, "distance");
  record.reference = text("reference");
  record.beta = real_or_zero(metadata, "beta");
  record.move = text("move");
  record.engine = text("engine");
  record.confined = text("confined");
  record.chains = run.chains;
  record.seed = count_or_zero(metadata, "seed");
  record.interrupted = !run.finished || text("interrupted") == "true";
  record.moves = run.trace.draws() * run.trace.thin;
  record.warmup = run.warmup.draws() * run.warmup.thin;
  if (!run.finished) return record;
  record.moves = count_or_zero(metadata, "moves");
  record.warmup = count_or_zero(metadata, "warmup");
  record.seconds = real_or_zero(metadata, "seconds");
  record.cpu_seconds = real_or_zero(metadata, "cpu_seconds");
  if (const auto recording = parse_real(text("recording_seconds")))
    record.recording_seconds = *recording;
  record.steps = count_or_zero(metadata, "steps");
  record.accepted = count_or_zero(metadata, "accepted");
  record.chain_acceptance = read_list(text("chain_acceptance"));
  record.chain_changed = read_list(text("chain_changed"));
  if (const auto changed = parse_real(text("changed"))) record.changed = *changed;
  record.best_energy = real_or_zero(metadata, "best_energy");
  record.witness = {text("witness_agrees") == "true", text("witness")};
  return record;
}

}  // namespace nhot::app
