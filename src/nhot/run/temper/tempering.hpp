// Parallel tempering: replicas of one shell at a ladder of temperatures, which exchange them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nhot/diagnose/verdict.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering_checkpoint.hpp"
#include "nhot/trace/rung_sink.hpp"

namespace nhot {

/// What changes along a ladder, see RungLaws.
enum class LadderPath : std::uint8_t { temperatures, weights };

struct TemperingPlan {
  std::uint64_t chains = 4;   // independent ladders
  std::uint64_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;
  // Exactly one of moves and seconds.
  std::optional<std::uint64_t> moves;         // per replica
  std::optional<double> seconds;              // wall-clock sampling time, after warm-up
  std::optional<std::uint64_t> warmup;        // moves per replica; default: a tenth of the run
  std::uint64_t thin = 0;                     // moves between draws; 0: chosen, for max_draws
  std::uint64_t max_draws = 20'000;           // per ladder and rung, when thin is 0
  std::uint64_t states = most_judged_states;  // kept per ladder at the target, at most
  bool states_asked = false;                  // by the user, see RunPlan
  bool write_states = true;                   // hand them to the sink, too
  std::optional<Bits> start;  // default: uniform on the shell, for each replica its own
  Observables observables;    // of the caller's own, beside those of the model

  std::vector<double> betas;  // the ladder; empty: placed during warm-up
  LadderPath path = LadderPath::temperatures;
  double hottest = 0;            // hot end of a placed ladder; the target is the cold end
  bool finds_hottest = false;    // the hot end is found during warm-up; no hotter than `hottest`
  std::size_t rungs = 0;         // of a placed ladder; 0: from the communication barrier
  std::size_t most_rungs = 128;  // when rungs is 0
  std::uint64_t sweep = 0;       // moves between exchanges; 0: about one step per site
  bool isocluster = false;       // two replicas per rung, which also exchange clusters

  // A run to resume: moves or seconds are added to it; sweep, thin, warmup and start are those it
  // had.
  std::shared_ptr<const StoppedTempering> resume;
};

/// InputError when the plan contradicts itself or the factory's shell and target.
void check_tempering(const ChainFactory& factory, const TemperingPlan& plan);

/// What a tempering run tells others while it goes on. All members may be empty.
struct TemperingHooks {
  TemperingHooks() = default;
  explicit TemperingHooks(const RunHooks& hooks)
      : progress(hooks.progress), stop(hooks.stop), ranks(hooks.ranks) {}

  std::function<void(const RunProgress&)> progress;
  std::function<bool()> stop;  // true: end after the current rounds
  RungSink* sink = nullptr;    // of a run that goes on, it gets the old draws first
  /// About once a second, and so that it takes no more than a twentieth of the time: the ladders
  /// as they are after the draws that the sink has got so far.
  std::function<void(TemperingCheckpoint)> checkpoint;
  RankTeam* ranks = nullptr;  // other processes that share the work; results do not depend on them
};

/// What happened at one temperature, over all ladders.
struct RungResult {
  double beta = 0;
  double acceptance = 0;    // of the moves
  double changed = 0;       // share of the moves that ended in another state
  double swap_rate = 0;     // share of accepted exchanges with the next colder rung; last: NaN
  double cluster_rate = 0;  // share of cluster exchanges that changed the replicas; NaN: none tried
  double barrier = 0;       // communication barrier between the hot end and this rung
  std::uint64_t round_trips = 0;  // from the hot end to this rung and back, over all ladders
  Trace trace;                    // one chain per ladder
};

/// Of the whole run: what a resumed run had done before is included.
struct TemperingResult {
  std::vector<RungResult> rungs;            // from hot to cold
  std::size_t target = 0;                   // the rung of the wanted beta
  std::vector<std::uint64_t> ladder_trips;  // round trips over the whole ladder, by ladder
  std::uint64_t moves = 0;                  // per replica, in the sampling phase
  std::uint64_t warmup_moves = 0;           // per replica
  std::uint64_t sweep = 1;                  // moves between exchanges
  std::uint64_t exchanges = 0;              // rounds of exchange, in the sampling phase
  std::uint64_t steps = 0;                  // over all replicas
  double seconds = 0;                       // wall-clock, sampling
  double cpu_seconds = 0;                   // sampling, over all replicas
  double recording_seconds = 0;             // of the CPU seconds: what was not spent on moves
  double best_energy = 0;                   // lowest seen by any replica, warm-up included
  bool interrupted = false;
  std::string unreachable_reason;  // why the moves do not reach every state; empty when they do
  std::vector<std::string> notes;
  TemperingCheckpoint checkpoint;  // at the end

  double barrier() const { return rungs.empty() ? 0 : rungs.back().barrier; }
};

/// Samples the product over the rungs of exp(-beta E) on the shell; the draws of a rung follow its
/// own law. The factory's beta is the target; it joins a given ladder when missing there.
/// Parameters of moves that are relative to beta follow the rung.
///
/// During warm-up a placed ladder is moved, in stages of doubling length, to where the rejection
/// between neighbours is equal, and has as many rungs as the barrier asks for; then it is frozen.
/// All ladders of a run share the rungs and nothing else. Ladder c draws from the streams
/// (seed, c, replica, ...): results do not depend on the number of threads.
///
/// A run that is stopped, at any moment, and resumed gives the same numbers as one that was not, as
/// long as both keep the same rounds between draws.
TemperingResult run_tempering(const ChainFactory& factory, const TemperingPlan& plan,
                              const TemperingHooks& hooks = {});

/// Summaries of the observables of one rung, the energy first.
std::vector<NamedSummary> summarise_rung(const RungResult& rung);

/// Converged: the draws at the target pass the usual demands over independent ladders (R-hat of
/// energy, observables and overlap; ESS; length), and every ladder made at least
/// `trips_per_ladder` round trips.
/// `comparison`: of the states that the ladders have at the target; null where there are none.
Verdict judge_tempering(const TemperingResult& result, std::span<const NamedSummary> target,
                        const ChainComparison* comparison, const VerdictLimits& limits = {},
                        std::uint64_t trips_per_ladder = 10);

}  // namespace nhot
