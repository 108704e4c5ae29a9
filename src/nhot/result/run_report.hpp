// What is known of a run of chains at one temperature when it ends: facts, a summary of every
// observable, a verdict. Every driver that samples ends with it, and every front door reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/base/text_layout.hpp"
#include "nhot/chain/factory.hpp"
#include "nhot/diagnose/chain_comparison.hpp"
#include "nhot/diagnose/site_means.hpp"
#include "nhot/diagnose/summary.hpp"
#include "nhot/diagnose/verdict.hpp"
#include "nhot/diagnose/witness_comparison.hpp"
#include "nhot/result/text_parts.hpp"
#include "nhot/run/best_states.hpp"
#include "nhot/run/sample/independent.hpp"

namespace nhot {

/// The temperatures of a tempering run, from hot to cold, over all ladders: one number for each.
struct LadderRecord {
  std::vector<double> beta;
  std::vector<double> acceptance;
  std::vector<double> swap_rate;     // with the next colder one; the last has none
  std::vector<double> cluster_rate;  // empty: none tried
  std::vector<double> barrier;       // from the hot end
  std::vector<double> round_trips;   // from the hot end and back
  std::vector<double> energy;
  std::vector<double> energy_error;
  std::vector<double> energy_rhat;
};

/// Facts about a run, known when it ends and kept in its file.
struct RunRecord {
  std::string model;
  std::string kind;  // "quadratic", "rbm" or "custom"
  std::string hash;
  SiteNames names;
  std::uint64_t sites = 0;
  std::uint64_t couplings = 0;
  std::uint64_t distance = 0;
  std::string reference;
  double beta = 0;
  std::string move;  // resolved
  std::string engine;
  std::string unreachable_reason;  // why the moves do not reach every state
  std::uint64_t chains = 0;
  std::uint64_t moves = 0;  // per chain
  std::uint64_t warmup = 0;
  std::uint64_t seed = 0;
  double seconds = 0;              // wall clock
  double cpu_seconds = 0;          // of sampling, over all chains
  double recording_seconds = nan;  // of the CPU seconds: what was not spent on moves
  std::uint64_t steps = 0;
  std::uint64_t accepted = 0;
  double changed = nan;  // share of the moves that ended in another state
  std::vector<double> chain_acceptance;
  std::vector<double> chain_changed;  // share of the moves, by chain; empty where unknown
  double best_energy = 0;
  bool interrupted = false;
  WitnessFinding witness;
  LadderRecord ladder;  // empty unless it was tempered; then of its target
};

struct ObservableReport {
  std::string name;
  std::string help;
  ObservableSummary summary;  // times in draws
  double tau_moves = 0;
  double tau_seconds = 0;  // CPU time of one chain
  double ess_per_second = 0;
};

/// How a run with a stop rule ended.
struct StopReport {
  double ess = 0;           // demanded beside the verdict; 0: none
  bool reached = false;     // a look ended it
  std::uint64_t looks = 0;  // since it began or was resumed
};

struct RunReport {
  RunRecord run;
  std::uint64_t thin = 1;
  std::uint64_t draws = 0;                    // per chain
  std::vector<ObservableReport> observables;  // energy first
  ChainComparison comparison;
  Verdict verdict;
  SiteMeans site_means;   // of the kept states; empty where nobody asked
  FoundState best_state;  // the lowest draw known, no bits: none
  bool lattice = false;   // sites have places of their own, and a list of them says little
  std::optional<StopReport> stop;
  std::string advice;  // what to do about a verdict of no; empty: nothing to say
  std::optional<WitnessComparison> witness;  // of runs that offer one; no populations: not asked
  Facts tuning;  // what a search for the move has found; empty: it was named
  std::vector<std::string> notes;

  double acceptance() const;
  /// Some chain never left its state, although there are others: nothing can be said of its speed.
  bool stuck() const;
  double ns_per_step() const;
  double ns_per_move() const;
  /// Of the CPU seconds; nan where it is not known.
  double move_share() const;
};

/// What is known of a problem before anything has run.
RunRecord record_of(const ChainFactory& factory);
/// The facts of a run that has just ended.
RunRecord record_of(const ChainFactory& factory, std::uint64_t chains, std::uint64_t seed,
                    const RunResult& result);

/// Summarises every observable of the trace and judges the run. The series of observables other
/// than the energy hold every `stride`-th draw.
RunReport make_report(RunRecord record, const Trace& trace, std::uint64_t stride = 1);

/// The best of the kept states and, of models with few sites, the means of the sites.
void describe_states(RunReport& report, bool lattice, const Trace& trace);
/// A draw that need not be among the kept ones; no bits: none.
void offer_best(RunReport& report, double energy, const PackedBits& draw);

/// "3 7 12", or "bread, milk", for people: the sites that are 1, at most `most` of them.
std::string ones_text(const Bits& bits, const SiteNames& names, std::size_t most = 40);

/// Lists of sites say something where sites are things to choose, and not too many.
bool lists_sites(const RunReport& report);

/// Above this many sites no list of sites goes into facts or text.
inline constexpr std::size_t most_listed_sites = 10'000;

/// Views of the energies of all chains.
ChainsView energies_of(const Trace& trace);

/// How much longer a run that has not converged would have to be, or that this does not help. Empty
/// where nothing can be said.
std::string advice_on(const RunReport& report);

/// What the verdict is told besides the observables.
JudgedRun judged_run(const RunReport& report);

/// At the end of other notes.
void add_notes(std::vector<std::string>& to, const std::vector<std::string>& from);

/// "zeros", "ones", or "given".
std::string reference_name(const Shell& shell);

/// All of it, under the names of the command line's JSON.
Facts facts_of(const RunReport& report);
Facts facts_of(const ObservableReport& observable);
/// Energy, and the sites that are 1, with their names where they have any.
Facts facts_of(const FoundState& state, const SiteNames& names);
/// Name, kind, size and hash.
Facts facts_of(const Model& model);

/// The same for people.
std::string to_text(const RunReport& report, const TextLayout& layout);
/// Its parts: what was run; a row for every observable; what came of it.
TextLines problem_lines(const RunReport& report);
TextRows observable_rows(const RunReport& report);
TextLines outcome_lines(const RunReport& report);
/// The sites that are 1 most often, at most so many, with what the best draw has there.
TextRows site_rows(const RunReport& report, std::size_t most);
/// A row for every temperature; the target has a star.
TextRows ladder_rows(const LadderRecord& ladder, double target);
/// What the star and the columns mean.
inline constexpr const char* ladder_legend =
    "(* target; swap rate: with the next row; round trips: from the hot end and back)";
/// "ferromagnet:4x4: 16 sites, 32 couplings".
std::string model_text(const std::string& name, std::uint64_t sites, std::uint64_t couplings);

}  // namespace nhot
