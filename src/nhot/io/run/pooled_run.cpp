#include "nhot/io/run/pooled_run.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/io/run/run_record.hpp"

namespace nhot {
namespace {

void demand(bool same, const std::string& what, const std::string& one, const std::string& other) {
  if (!same)
    throw InputError(one + " and " + other + " differ in " + what,
                     "pool runs of one model, distance, reference and beta; diagnose others one "
                     "by one");
}

std::string seed_of(const StoredRun& run) { return find_value(run.metadata, "seed").value_or(""); }

void check_same_law(const StoredRun& one, const StoredRun& other, const std::string& path,
                    const std::string& other_path) {
  const RunRecord a = record_from(one);
  const RunRecord b = record_from(other);
  demand(a.hash == b.hash, "the model", path, other_path);
  demand(a.distance == b.distance, "the distance", path, other_path);
  demand(one.reference == other.reference, "the reference", path, other_path);
  demand(one.groups == other.groups, "the groups", path, other_path);
  demand(a.beta == b.beta, "beta", path, other_path);
  bool alike = one.trace.observables.size() == other.trace.observables.size();
  for (std::size_t k = 0; alike && k < one.trace.observables.size(); ++k)
    alike = one.trace.observables[k].name == other.trace.observables[k].name;
  demand(alike, "their observables (the overlap needs two chains)", path, other_path);
}

void check_other_draws(const StoredRun& one, const StoredRun& other, const std::string& path,
                       const std::string& other_path) {
  const std::vector<double>& a = one.trace.chains.front().energy;
  const std::vector<double>& b = other.trace.chains.front().energy;
  const std::size_t draws = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(draws);
  const bool constant = std::equal(a.begin() + 1, end, a.begin());
  if (draws > 1 && !constant && std::equal(a.begin(), end, b.begin()))
    throw InputError(
        path + " and " + other_path + " hold the same draws (seed " + seed_of(one) + ")",
        "give every run another {seed}");
}

/// Brings all traces to the coarsest thinning and the shortest length.
void align_traces(std::vector<StoredRun>& runs, const std::vector<std::string>& paths) {
  std::uint64_t thin = 1;
  for (const StoredRun& run : runs) thin = std::max(thin, run.trace.thin);
  for (std::size_t k = 0; k < runs.size(); ++k) {
    Trace& trace = runs[k].trace;
    const std::uint64_t own = trace.thin;
    while (trace.thin < thin) trace.halve();
    if (trace.thin != thin)
      throw InputError(paths[k] + " keeps a draw every " + std::to_string(own) +
                           " moves, another run every " + std::to_string(thin),
                       "run all with the same {thin}");
  }
  std::size_t draws = runs.front().trace.draws();
  for (const StoredRun& run : runs) draws = std::min(draws, run.trace.draws());
  for (StoredRun& run : runs) run.trace.cut(draws);
}

void add_chains(Trace& to, const Trace& from) {
  to.chains.insert(to.chains.end(), from.chains.begin(), from.chains.end());
  for (std::size_t k = 0; k < to.observables.size(); ++k) {
    auto& series = to.observables[k].series;
    const auto& more = from.observables[k].series;
    series.insert(series.end(), more.begin(), more.end());
  }
  to.states.insert(to.states.end(), from.states.begin(), from.states.end());
}

/// One that disagrees is kept, whatever the others say; one that agrees speaks for its own run
/// alone, so that none is left where another run had none.
WitnessFinding together(const WitnessFinding& one, const WitnessFinding& other) {
  for (const WitnessFinding* finding : {&one, &other})
    if (!finding->sentence.empty() && !finding->agrees) return *finding;
  return one.sentence.empty() || other.sentence.empty() ? WitnessFinding{} : one;
}

void add_record(RunRecord& to, const RunRecord& from) {
  const double moves = static_cast<double>(to.moves) * static_cast<double>(to.chains) +
                       static_cast<double>(from.moves) * static_cast<double>(from.chains);
  if (to.unreachable_reason.empty()) to.unreachable_reason = from.unreachable_reason;
  to.chains += from.chains;
  to.moves = static_cast<std::uint64_t>(std::llround(moves / static_cast<double>(to.chains)));
  to.warmup = std::min(to.warmup, from.warmup);
  to.seconds += from.seconds;
  to.cpu_seconds += from.cpu_seconds;
  to.recording_seconds += from.recording_seconds;
  to.steps += from.steps;
  to.accepted += from.accepted;
  to.changed += (from.changed - to.changed) * static_cast<double>(from.moves) *
                static_cast<double>(from.chains) / moves;
  to.chain_changed.insert(to.chain_changed.end(), from.chain_changed.begin(),
                          from.chain_changed.end());
  to.chain_acceptance.insert(to.chain_acceptance.end(), from.chain_acceptance.begin(),
                             from.chain_acceptance.end());
  to.witness = together(to.witness, from.witness);
  to.best_energy = std::min(to.best_energy, from.best_energy);
  to.interrupted = to.interrupted || from.interrupted;
  if (to.move.find(from.move) == std::string::npos) to.move += " | " + from.move;
  if (to.engine.find(from.engine) == std::string::npos) to.engine += " | " + from.engine;
}

}  // namespace

PooledRun pool(std::vector<StoredRun> runs, const std::vector<std::string>& paths) {
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (runs[k].trace.draws() == 0)
      throw InputError(paths[k] + " holds no draws", "leave it out, or let the run go on");
    for (std::size_t j = 0; j < k; ++j) {
      check_same_law(runs[j], runs[k], paths[j], paths[k]);
      check_other_draws(runs[j], runs[k], paths[j], paths[k]);
    }
  }
  align_traces(runs, paths);
  PooledRun pooled{record_from(runs.front()), std::move(runs.front().trace), {}};
  pooled.trace.state_draws.clear();  // those of other runs were taken at other draws
  std::string seeds = seed_of(runs.front());
  for (std::size_t k = 1; k < runs.size(); ++k) {
    add_chains(pooled.trace, runs[k].trace);
    add_record(pooled.record, record_from(runs[k]));
    seeds += ", " + seed_of(runs[k]);
  }
  if (runs.size() > 1)
    pooled.notes.push_back(std::to_string(runs.size()) + " runs taken together, with seeds " +
                           seeds);
  return pooled;
}

}  // namespace nhot
