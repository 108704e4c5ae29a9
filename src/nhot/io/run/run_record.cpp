#include "nhot/io/run/run_record.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"

namespace nhot {
namespace {

// What a file keeps of a run that has ended, named once for both directions. `Record` is a
// RunRecord or a const one.
template <class Record, class Visit>
void visit_results(Record& run, Visit&& visit) {
  visit("seed", run.seed);
  visit("moves", run.moves);
  visit("warmup", run.warmup);
  visit("seconds", run.seconds);
  visit("cpu_seconds", run.cpu_seconds);
  visit("recording_seconds", run.recording_seconds);
  visit("steps", run.steps);
  visit("accepted", run.accepted);
  visit("chain_acceptance", run.chain_acceptance);
  visit("changed", run.changed);
  visit("chain_changed", run.chain_changed);
  visit("best_energy", run.best_energy);
  visit("interrupted", run.interrupted);
  visit("witness", run.witness.sentence);
  visit("witness_agrees", run.witness.agrees);
}

// And of one that was tempered.
template <class Ladder, class Visit>
void visit_ladder(Ladder& ladder, Visit&& visit) {
  visit("ladder_beta", ladder.beta);
  visit("ladder_acceptance", ladder.acceptance);
  visit("ladder_swap_rate", ladder.swap_rate);
  visit("ladder_cluster_rate", ladder.cluster_rate);
  visit("ladder_barrier", ladder.barrier);
  visit("ladder_round_trips", ladder.round_trips);
  visit("ladder_energy", ladder.energy);
  visit("ladder_energy_error", ladder.energy_error);
  visit("ladder_energy_rhat", ladder.energy_rhat);
}

// And of one that begins.
template <class Record, class Visit>
void visit_problem(Record& run, Visit&& visit) {
  visit("kind", run.kind);
  visit("couplings", run.couplings);
  visit("engine", run.engine);
  visit("distance", run.distance);
  visit("reference", run.reference);
  visit("beta", run.beta);
  visit("move", run.move);
  visit("confined", run.unreachable_reason);  // last: left out where there is none
}

struct ToMetadata {
  Metadata& metadata;

  void operator()(const char* name, std::uint64_t value) const { add(name, std::to_string(value)); }
  void operator()(const char* name, double value) const { add(name, format_real(value)); }
  void operator()(const char* name, bool value) const { add(name, value ? "true" : "false"); }
  void operator()(const char* name, const std::string& value) const { add(name, value); }
  void operator()(const char* name, const std::vector<double>& values) const {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : " ") + format_real(value);
    add(name, text);
  }
  void add(const char* name, std::string text) const {
    metadata.emplace_back(name, std::move(text));
  }
};

// What a file does not tell stays as it is.
struct FromMetadata {
  const Metadata& metadata;

  void operator()(const char* name, std::uint64_t& value) const {
    const auto text = find_value(metadata, name);
    const auto number = text ? parse_integer(*text) : std::nullopt;
    if (number && *number > 0) value = static_cast<std::uint64_t>(*number);
  }
  void operator()(const char* name, double& value) const {
    const auto text = find_value(metadata, name);
    if (const auto number = text ? parse_real(*text) : std::nullopt) value = *number;
  }
  void operator()(const char* name, bool& value) const {
    if (const auto text = find_value(metadata, name)) value = *text == "true";
  }
  void operator()(const char* name, std::string& value) const {
    if (const auto text = find_value(metadata, name)) value = *text;
  }
  void operator()(const char* name, std::vector<double>& values) const {
    const std::string text = find_value(metadata, name).value_or("");
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      // What is no number is not known: the others keep their places.
      values.push_back(parse_real(std::string_view(text).substr(at, end - at)).value_or(nan));
      at = end + 1;
    }
  }
};

}  // namespace

Metadata attributes_of(const ChainFactory& factory) {
  Metadata metadata;
  const RunRecord run = record_of(factory);
  visit_problem(run, ToMetadata{metadata});
  if (run.unreachable_reason.empty()) metadata.pop_back();
  return metadata;
}

Metadata results_of(const RunReport& report) {
  Metadata metadata;
  const ToMetadata add{metadata};
  visit_results(report.run, add);
  if (!report.run.ladder.beta.empty()) visit_ladder(report.run.ladder, add);
  add("thin", report.thin);
  add("acceptance", report.acceptance());
  add("ns_per_step", report.ns_per_step());
  add("ns_per_move", report.ns_per_move());
  add("converged", report.verdict.converged);
  return metadata;
}

RunRecord record_from(const StoredRun& run) {
  RunRecord record;
  const FromMetadata read{run.metadata};
  visit_problem(record, read);
  read("model", record.model);
  read("model_hash", record.hash);
  read("seed", record.seed);
  record.names = run.names;
  record.sites = run.sites;
  record.chains = run.chains;
  if (run.finished) {
    visit_results(record, read);
    visit_ladder(record.ladder, read);
    return record;
  }
  record.interrupted = true;
  record.moves = run.trace.draws() * run.trace.thin;
  record.warmup = run.warmup.draws() * run.warmup.thin;
  return record;
}

RunReport report_of(const StoredRun& run) {
  RunReport report = make_report(record_from(run), run.trace);
  if (!find_value(run.metadata, "target_beta")) report.advice = advice_on(report);  // no ladder
  describe_states(report, !run.lattice.sides.empty(), run.trace);
  if (find_value(run.checkpoint.plan, "best_draw")) {
    const RunCheckpoint last = checkpoint_from(run.checkpoint.plan, run.checkpoint.chains);
    if (last.best_draw.size() == run.sites)
      offer_best(report, last.best_draw_energy, last.best_draw);
  }
  return report;
}

void write_to(RunWriter& writer, RunHooks& hooks) {
  hooks.sink = &writer;
  hooks.checkpoint = [&writer](RunCheckpoint checkpoint) {
    Metadata metadata = to_metadata(checkpoint);
    writer.checkpoint(std::move(checkpoint.chains), std::move(metadata));
  };
}

void write_to(RunWriter& writer, TemperingHooks& hooks) {
  hooks.sink = &writer;
  hooks.checkpoint = [&writer](TemperingCheckpoint checkpoint) {
    Metadata metadata = to_metadata(checkpoint);
    writer.checkpoint(std::move(checkpoint.ladders), std::move(metadata));
  };
}

}  // namespace nhot
