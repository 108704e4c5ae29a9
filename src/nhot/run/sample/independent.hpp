// Independent chains on threads: warm-up, thinning, stop by moves or seconds, or when good enough.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/sample/checkpoint.hpp"
#include "nhot/trace/observables.hpp"
#include "nhot/trace/sink.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

class RankTeam;
class StateStore;

/// States per chain that are enough to compare chains by.
inline constexpr std::uint64_t most_judged_states = 512;

/// Ends a run before its moves or seconds are over: at the second of two looks in a row (looks.hpp)
/// that find every demand of the verdict met, and this many effective draws of every observable.
struct StopRule {
  double ess = 0;  // bulk and tail, over all chains; the verdict demands 100 per chain at least
};

struct RunPlan {
  std::uint64_t chains = 4;
  std::uint64_t threads = 0;  // 0: one per core, at most one per chain
  std::uint64_t seed = 1;
  // Exactly one of moves and seconds.
  std::optional<std::uint64_t> moves;  // per chain
  std::optional<double> seconds;       // wall-clock sampling time, after warm-up
  /// Moves and seconds are then the most it may take. Where `until` is set, neither the draws nor
  /// where they end depend on the clock, but for a run that its seconds end.
  std::optional<StopRule> until;
  /// Moves per chain. Default: a tenth of the run; with `until`, stages as looks.hpp says, of at
  /// most a tenth of the moves or a quarter of the seconds.
  std::optional<std::uint64_t> warmup;
  std::uint64_t thin = 0;            // moves between draws; 0: chosen, for at most max_draws
  std::uint64_t max_draws = 20'000;  // per chain, when thin is 0
  /// Kept per chain, at most; fewer of very large models. The verdict compares chains by them.
  std::uint64_t states = most_judged_states;
  /// By the user: spaced by the length of the run where that is known, and a note says when there
  /// are fewer. Otherwise by doubling, so that they are a function of the draws alone.
  bool states_asked = false;
  bool write_states = true;   // hand them to the sink, too
  std::optional<Bits> start;  // default: uniform on the shell, for each chain its own
  Observables observables;    // of the caller's own, beside those of the model
  bool verify = false;        // sample(): ask a second witness when the chains are done
  // A run to resume: moves or seconds are added to it; thin, warmup and start are those it had.
  std::shared_ptr<const StoppedRun> resume;
};

struct RunProgress {
  bool warming = false;
  double fraction = 0;      // of the phase
  double seconds = 0;       // since the phase began
  std::uint64_t moves = 0;  // per chain, in the phase
  bool verifying = false;   // the chains are done, and a second witness runs
};

struct RunResult;

/// What a run tells others while it goes on. All members may be empty.
struct RunHooks {
  std::function<void(const RunProgress&)> progress;
  std::function<bool()> stop;  // true: end after the current round
  TraceSink* sink = nullptr;
  /// About once a second: the chains as they are after the draws that the sink has got so far.
  std::function<void(RunCheckpoint)> checkpoint;
  /// Asked at every look of a plan with `until`: is the run, as it would end here, good enough?
  std::function<bool(const RunResult&)> enough;
  /// Where drivers that produce no draws keep what they have done (state_store.hpp).
  StateStore* store = nullptr;
  /// Other processes that share the work (ranks/rank_team.hpp); results do not depend on them.
  RankTeam* ranks = nullptr;
};

/// Of the whole run: what a resumed run had done before is included.
struct RunResult {
  Trace warmup;
  Trace trace;
  std::uint64_t moves = 0;         // per chain, in the sampling phase
  std::uint64_t warmup_moves = 0;  // per chain
  std::uint64_t steps = 0;         // over all chains
  std::uint64_t accepted = 0;      // over all chains
  std::uint64_t changed = 0;       // moves that ended in another state, over all chains
  double seconds = 0;              // wall-clock, sampling
  double cpu_seconds = 0;          // of the sampling phase, over all chains
  double recording_seconds = 0;    // of the CPU seconds: what was not spent on moves
  double best_energy = 0;          // lowest over all chains, warm-up included
  std::vector<double> chain_acceptance;
  std::vector<double> chain_changed;  // share of the moves, by chain
  bool interrupted = false;
  std::uint64_t looks = 0;  // of this call, where the plan has `until`
  bool enough = false;      // and a look ended the run
  std::vector<std::string> notes;
  RunCheckpoint checkpoint;  // at the end
};

/// Runs the chains in rounds; each round advances every chain by the same number of draws, so
/// chains stay equally long however they are shared out. Chain k draws from the streams (seed, 0,
/// k, ...); results do not depend on the number of threads. A run that is stopped and resumed gives
/// the same draws as one that was not, as long as both keep the same moves between draws.
RunResult run_independent(const ChainFactory& factory, const RunPlan& plan,
                          const RunHooks& hooks = {});

}  // namespace nhot
