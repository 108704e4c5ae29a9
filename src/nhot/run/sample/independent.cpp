#include "nhot/run/sample/independent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/run/checkpoint_interval.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/draw_cost.hpp"
#include "nhot/run/draw_recorder.hpp"
#include "nhot/run/sample/looks.hpp"
#include "nhot/run/sample/shared_chains.hpp"
#include "nhot/run/state_keeper.hpp"

namespace nhot {
namespace {

constexpr double round_seconds = 0.1;  // rounds are short enough for progress and Ctrl-C
constexpr std::uint64_t round_bytes = 64ULL << 20;  // states held for overlaps within a round
constexpr double fewest_draws = 8;                  // of a run by the clock, at any cost
constexpr std::uint64_t moves_to_count_steps = 16;  // of a run whose length is not known
constexpr double most_recording = 1.0 / 30;         // of the CPU time of a run by the clock

/// Runs one phase after the other over a fixed set of chains.
class IndependentDriver {
 public:
  IndependentDriver(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        recorder_(factory.model(), plan.observables),
        chains_(factory, plan, recorder_, hooks.ranks),
        states_(plan.chains) {
    before_.thin_chosen = plan.thin == 0;
    if (plan.resume) restore(plan.resume->checkpoint);
  }

  RunResult run() {
    RunResult result;
    if (plan_.resume) {
      result.warmup = plan_.resume->warmup;
      result.trace = plan_.resume->trace;
    }
    last_checkpoint_ = wall_seconds();
    if (warming()) warm_up(result);
    if (!warming() && !stopped_) sample(result);
    collect(result);
    return result;
  }

 private:
  void restore(const RunCheckpoint& checkpoint) {
    if (!checkpoint.best_draw.empty() && checkpoint.best_draw.size() != factory_.model().sites())
      throw InputError("the best draw of the checkpoint is not of this model",
                       "the file was not written by a run that can go on; repeat the run");
    before_ = checkpoint;
    before_.chains.clear();
    thin_ = checkpoint.thin;
    chains_.restore(checkpoint.chains);
  }

  // --- phases

  void warm_up(RunResult& result) {
    begin_phase(true);
    if (plan_.resume && before_.warmup_left > 0) {
      warmup_planned_ = before_.warmup_left;
      go_on_from_draw();
      run_moves(warmup_planned_, result.warmup);
    } else if (plan_.until && !plan_.warmup) {
      warm_up_until_level(result.warmup);
    } else if (plan_.seconds && !plan_.warmup) {
      warm_up_by_time(0.1 * *plan_.seconds);
    } else {
      warmup_planned_ = plan_.warmup ? *plan_.warmup : *plan_.moves / 10;
      thin_ = plan_.thin    ? plan_.thin
              : plan_.until ? closest_thin(factory_, 1)
                            : thin_for(plan_.moves ? *plan_.moves : warmup_planned_, 1);
      run_moves(warmup_planned_, result.warmup);
      if (plan_.seconds && !plan_.until) choose_thin_by_pace();
    }
    const bool by_moves = warmup_planned_ > 0;
    const bool done = by_moves ? phase_moves_ >= warmup_planned_ : !stopped_;
    if (!done) return;
    report(1.0);
    before_.warmup_moves += phase_moves_;
    before_.best_energy = std::min(before_.best_energy, chains_.best_energy());
    if (before_.thin_chosen && plan_.until)
      thin_ = closest_thin(factory_, steps_per_move());
    else if (plan_.moves && before_.thin_chosen)
      thin_ = thin_for(*plan_.moves, steps_per_move());
    chains_.reset_counters();
    begin_phase(false);
  }

  void warm_up_by_time(double limit) {
    advance_in_pieces(
        std::numeric_limits<std::uint64_t>::max(), limit, [&] { report(elapsed() / limit); },
        [](std::uint64_t) { return false; });
    choose_thin_by_pace();
  }

  /// Stage by stage, see looks.hpp; a warm-up that was stopped goes on in its stage.
  void warm_up_until_level(Trace& warmup) {
    if (plan_.resume) {
      go_on_from_draw();
    } else {
      thin_ = plan_.thin;
      if (thin_ == 0) {
        advance_all(moves_to_count_steps);
        since_draw_ = 0;
        chains_.accepted().assign(chains_.size(), 0);
        thin_ = closest_thin(factory_, steps_per_move());
      }
    }
    const double seconds = plan_.seconds ? 0.25 * *plan_.seconds : 1e300;
    const std::uint64_t most =
        plan_.moves ? std::min(most_warmup_draws, *plan_.moves / 10 / thin_) : most_warmup_draws;
    const auto tell = [&] { report(static_cast<double>(warmup.draws()) / most_warmup_draws); };
    const auto level = [&] {
      const std::uint64_t draws = warmup.draws();
      return draws > 0 && stage_end(draws - 1) == draws && is_level(warmup);
    };
    while (!level() && warmup.draws() < most && approach_draw(seconds, tell)) {
      const std::uint64_t end = std::min(most, stage_end(warmup.draws()));
      run_round(std::min(end - warmup.draws(), round_draws(std::max(0.0, seconds - elapsed()))),
                warmup);
      tell();
    }
  }

  /// The rate seen in the warm-up decides how a run by the clock is thinned.
  void choose_thin_by_pace() {
    if (plan_.thin) {
      thin_ = plan_.thin;
    } else if (seconds_per_move_ > 0) {
      // By the last pace, and twice as many as expected: chains may be faster once warm.
      const double moves = 2 / seconds_per_move_ * *plan_.seconds;
      const double seconds = *plan_.seconds * static_cast<double>(chains_.threads()) /
                             static_cast<double>(plan_.chains);
      // 0.6 of what was measured: draws_worth_taking() expects a low guess.
      thin_ = thin_to(static_cast<std::uint64_t>(moves), moves * steps_per_move(), 0.6e9 * seconds);
    }
  }

  void sample(RunResult& result) {
    begin_phase(false);
    const bool fresh = before_.moves == 0;
    if (!fresh) go_on_from_draw();
    const std::uint64_t states = states_to_keep();
    if (plan_.moves && fresh && before_.thin_chosen && !plan_.until) {
      most_draws_ = std::min(most_draws_, std::max<std::uint64_t>(1, *plan_.moves / thin_));
      thin_ = first_thin(thin_);
    }
    keeper_ =
        !fresh && before_.state_stride > 0
            ? StateKeeper(before_.state_stride, states)
            : StateKeeper::for_draws(!plan_.states_asked || plan_.until ? 0
                                     : plan_.moves ? std::min(*plan_.moves / thin_, most_draws_)
                                                   : plan_.max_draws,
                                     states);
    if (plan_.moves && !fresh && !plan_.until)
      thin_until(result.trace, [&] {
        return result.trace.draws() + (since_draw_ + *plan_.moves) / thin_ <= plan_.max_draws;
      });
    if (plan_.until) {
      run_until_enough(result);
    } else if (plan_.moves) {
      run_moves(*plan_.moves, result.trace);
    } else {
      while (approach_draw(*plan_.seconds, [&] { report(elapsed() / *plan_.seconds); })) {
        run_round(round_draws(std::max(0.0, *plan_.seconds - elapsed())), result.trace);
        thin_until(result.trace, [&] { return result.trace.draws() < plan_.max_draws; });
        thin_if_recording_is_slow(result.trace);
        report(elapsed() / *plan_.seconds);
      }
    }
    if (before_.thin_chosen && thin_ > 1)
      result.notes.push_back("thinned: one draw kept every " + std::to_string(thin_) + " moves (" +
                             std::to_string(result.trace.draws()) + " draws per chain)");
    note_states(result);
  }

  std::uint64_t states_to_keep() const {
    return states_within_memory(plan_.states, factory_.model().sites(), plan_.chains);
  }

  /// Where fewer states were kept than a user asked for.
  void note_states(RunResult& result) const {
    const std::uint64_t kept = result.trace.state_draws.size();
    if (!plan_.states_asked || kept >= std::min<std::uint64_t>(plan_.states, result.trace.draws()))
      return;
    result.notes.push_back("kept " + std::to_string(kept) + " states per chain of the " +
                           std::to_string(plan_.states) + " asked for: one at every " +
                           std::to_string(keeper_.stride()) + " draws, evenly spaced" +
                           (states_to_keep() < plan_.states ? ", within memory" : ""));
  }

  /// A phase of a known number of moves: whole draws first, then the moves that make no draw.
  void run_moves(std::uint64_t moves, Trace& trace) {
    const std::uint64_t end = phase_moves_ + moves;
    const auto tell = [&] { report(static_cast<double>(phase_moves_) / static_cast<double>(end)); };
    const auto draws_left = [&] { return (since_draw_ + (end - phase_moves_)) / thin_; };
    while (draws_left() > 0) {
      if (!approach_draw(1e300, tell)) return;
      std::uint64_t count = std::min(draws_left(), round_draws(1e300));
      if (!warming() && before_.thin_chosen)
        count = std::min(count, most_draws_ - std::min(trace.draws(), most_draws_ - 1));
      run_round(count, trace);
      if (!warming())
        thin_until(trace, [&] { return draws_left() == 0 || trace.draws() < most_draws_; });
      tell();
    }
    advance_in_pieces(end - phase_moves_, 1e300, tell, [](std::uint64_t) { return false; });
  }

  /// Looks at the run where looks.hpp says. Rounds end at looks and where draws are dropped, so
  /// that neither depends on how long rounds are.
  void run_until_enough(RunResult& result) {
    Trace& trace = result.trace;
    const double seconds = plan_.seconds ? *plan_.seconds : 1e300;
    const std::uint64_t end =
        plan_.moves ? *plan_.moves : std::numeric_limits<std::uint64_t>::max();
    const auto tell = [&] {
      report(plan_.moves ? static_cast<double>(phase_moves_) / static_cast<double>(end)
                         : elapsed() / seconds);
    };
    const auto draws_left = [&] {
      return plan_.moves ? (since_draw_ + (end - phase_moves_)) / thin_ : end;
    };
    for (;;) {
      if (look(result)) return;
      if (draws_left() == 0) break;
      if (!approach_draw(seconds, tell)) return;
      const std::uint64_t draws = trace.draws();
      std::uint64_t count = std::min({draws_left(), round_draws(std::max(0.0, seconds - elapsed())),
                                      look_after(draws) - draws});
      if (before_.thin_chosen)
        count = std::min(count, plan_.max_draws - std::min(draws, plan_.max_draws - 1));
      run_round(count, trace);
      thin_until(trace, [&] { return trace.draws() < plan_.max_draws; });
      tell();
    }
    advance_in_pieces(end - phase_moves_, seconds, tell, [](std::uint64_t) { return false; });
  }

  /// Judges the run where a look is due; true when it is to end.
  bool look(RunResult& result) {
    const std::uint64_t moves = before_.moves + phase_moves_;
    if (!hooks_.enough || since_draw_ > 0 || !is_look(result.trace.draws()) ||
        before_.last_look == moves)
      return false;
    RunResult now = result;
    collect(now);
    const bool agreed = hooks_.enough(now);
    result.enough = agreed && before_.look_agreed;
    before_.last_look = moves;
    before_.look_agreed = agreed;
    ++result.looks;
    return result.enough;
  }

  /// Of the warm-up so far; a function of the seed, also where the warm-up was resumed.
  double steps_per_move() const {
    std::uint64_t steps = 0;
    std::uint64_t moves = 0;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      steps += chains_.counters(c).steps;
      moves += chains_.counters(c).moves;
    }
    return moves > 0 ? std::max(1.0, static_cast<double>(steps) / static_cast<double>(moves)) : 1;
  }

  std::uint64_t thin_for(std::uint64_t moves, double steps_of_move) const {
    const double steps = static_cast<double>(moves) * steps_of_move;
    return thin_to(moves, steps, steps * step_nanoseconds(factory_));
  }

  /// At most max_draws, and no more than are worth taking.
  std::uint64_t thin_to(std::uint64_t moves, double steps, double nanoseconds) const {
    return thin_for_draws(
        moves, std::min(plan_.max_draws, draws_worth_taking(factory_, steps, nanoseconds)));
  }

  void halve(Trace& trace) {
    if (trace.draws() % 2 == 1) {  // the last draw goes
      since_draw_ += thin_;
      for (std::size_t c = 0; c < chains_.size(); ++c)
        chains_.accepted()[c] += static_cast<std::uint64_t>(
            std::llround(trace.chains[c].acceptance_rate.back() * static_cast<double>(thin_)));
    }
    trace.halve();
    thin_ *= 2;
  }

  /// Drops every second draw until it is enough, if nhot may choose how to thin.
  template <class Enough>
  void thin_until(Trace& trace, Enough&& enough) {
    if (!before_.thin_chosen || enough()) return;
    while (!enough()) halve(trace);
    keeper_.clean(trace);
    replace(trace);
  }

  /// Halves as often as thin_within() says for the share of recording since this was last done.
  void thin_if_recording_is_slow(Trace& trace) {
    const TimedChains::Seconds now = chains_.seconds();
    const double cpu = now.cpu - seconds_at_last_thinning_.cpu;
    const double share = (now.recording - seconds_at_last_thinning_.recording) / cpu;
    if (!(cpu > 0.05 && share > most_recording)) return;
    seconds_at_last_thinning_ = now;
    const double part = std::min(1.0, elapsed() / *plan_.seconds);
    const std::uint64_t wanted = thin_within(thin_, share, most_recording);
    thin_until(trace, [&] {
      return thin_ >= wanted || static_cast<double>(trace.draws()) < 2 * fewest_draws * part;
    });
  }

  void replace(const Trace& trace) {
    if (hooks_.sink) hooks_.sink->replace(plan_.write_states ? trace : trace.without_states());
    last_checkpoint_ = -1;  // due now: the last was of replaced draws
  }

  // --- rounds

  /// Draws in the next round: about round_seconds, by the pace of the rounds before.
  std::uint64_t round_draws(double seconds_left) const {
    const std::uint64_t by_memory = std::max<std::uint64_t>(
        1, round_bytes / std::max<std::uint64_t>(1, factory_.model().sites() / 8 * plan_.chains));
    if (seconds_per_move_ <= 0) return 1;
    const double wanted =
        std::min(round_seconds, seconds_left) / (seconds_per_move_ * static_cast<double>(thin_));
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, 1e9)), 1,
                                     std::min<std::uint64_t>(by_memory, 1 << 16));
  }

  /// Moves on while the next draw is further away than a round is long. False when the run is to
  /// stop, or has reached its end by the clock.
  template <class Tell>
  bool approach_draw(double end, Tell&& tell) {
    return advance_in_pieces(thin_ - since_draw_ - 1, end, tell, [&](std::uint64_t left) {
      return seconds_per_move_ > 0 &&
             static_cast<double>(left + 1) * seconds_per_move_ <= 2 * round_seconds;
    });
  }

  /// Advances every chain by `moves` moves without a draw, or until enough(moves left), in pieces
  /// short enough for progress and Ctrl-C. False when the run is to stop, or at its end by the
  /// clock.
  template <class Tell, class Enough>
  bool advance_in_pieces(std::uint64_t moves, double end, Tell&& tell, Enough&& enough) {
    std::uint64_t piece = 1;
    while (elapsed() < end && !stop()) {
      if (moves == 0 || enough(moves)) return true;
      const double before = elapsed();
      const std::uint64_t now = std::min(piece, moves);
      advance_all(now);
      moves -= now;
      if (elapsed() - before < round_seconds / 4) piece *= 2;
      tell();
    }
    return false;
  }

  /// Advances every chain without making a draw.
  void advance_all(std::uint64_t moves) {
    const double begin = wall_seconds();
    chains_.advance(moves);
    since_draw_ += moves;
    end_round(begin, moves);
  }

  /// Advances every chain by some draws, adds them to the trace and hands them on.
  void run_round(std::uint64_t draws, Trace& trace) {
    const double begin = wall_seconds();
    const std::uint64_t first = trace.draws();
    Trace block = recorder_.make_block(chains_.size(), draws, factory_.beta(), thin_);
    for (std::uint64_t d = 0; d < draws; ++d)
      if (!warming() && keeper_.keeps(first + d)) block.state_draws.push_back(d);
    for (std::vector<PackedBits>& own : states_)
      if (own.size() < draws) own.resize(draws);
    chains_.draw(draws, thin_ - since_draw_, thin_, block, states_);
    if (chains_.size() >= 2) block.observables.push_back(overlaps(draws));
    if (!warming()) note_best(block);
    for (const std::uint64_t d : block.state_draws)
      for (std::size_t c = 0; c < chains_.size(); ++c)
        block.states[c].push_back(std::exchange(states_[c][d], {}));
    const std::uint64_t moves = draws * thin_ - since_draw_;
    since_draw_ = 0;
    keep(trace, std::move(block));
    end_round(begin, moves);
  }

  /// The best draw so far, from the states of this round. Of equal ones the earliest, then that of
  /// the first chain: so it does not depend on how long rounds are.
  void note_best(const Trace& block) {
    std::optional<std::size_t> earliest;  // in this round, of the best energy so far
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      const std::vector<double>& energy = block.chains[c].energy;
      const auto best = std::min_element(energy.begin(), energy.end());
      if (best == energy.end()) continue;
      const auto draw = static_cast<std::size_t>(best - energy.begin());
      const bool ties = *best == before_.best_draw_energy && earliest && draw < *earliest;
      if (*best >= before_.best_draw_energy && !ties) continue;
      earliest = draw;
      before_.best_draw_energy = *best;
      before_.best_draw = states_[c][draw];
    }
  }

  /// Of the states of this round.
  ObservableColumn overlaps(std::uint64_t draws) {
    ObservableColumn column = overlap_column("chains", chains_.size());
    chains_.record(column.series.size(), [&](std::size_t pair) {
      for (std::uint64_t d = 0; d < draws; ++d)
        column.series[pair].push_back(overlap(states_[2 * pair][d], states_[2 * pair + 1][d]));
    });
    return column;
  }

  void keep(Trace& trace, Trace block) {
    if (hooks_.sink) {
      if (warming())
        hooks_.sink->append_warmup(block);
      else
        hooks_.sink->append(plan_.write_states ? block : block.without_states());
    }
    trace.append(std::move(block));
    if (!warming() && keeper_.bound(trace)) replace(trace);
  }

  void end_round(double begin, std::uint64_t moves) {
    phase_moves_ += moves;
    seconds_per_move_ = (wall_seconds() - begin) / static_cast<double>(moves);
    if (!hooks_.checkpoint || wall_seconds() - last_checkpoint_ < checkpoint_interval()) return;
    // With no move left, the end of a warm-up by moves would look like one by the clock.
    if (warming() && warmup_planned_ > 0 && phase_moves_ >= warmup_planned_) return;
    hooks_.checkpoint(checkpoint());
    last_checkpoint_ = wall_seconds();
  }

  // --- bookkeeping

  bool warming() const { return before_.warming; }

  void begin_phase(bool warming) {
    before_.warming = warming;
    phase_begin_ = wall_seconds();
    phase_moves_ = 0;
    since_draw_ = 0;
    chains_.accepted().assign(chains_.size(), 0);
    chains_.reset_seconds();
    seconds_at_last_thinning_ = {};
  }

  /// A phase that was stopped between draws.
  void go_on_from_draw() {
    since_draw_ = before_.since_draw;
    chains_.accepted() = before_.accepted_since_draw;
  }

  double elapsed() const { return wall_seconds() - phase_begin_; }

  bool stop() {
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return stopped_;
  }

  void report(double fraction) const {
    if (hooks_.progress)
      hooks_.progress({warming(), std::min(1.0, fraction), elapsed(), phase_moves_});
  }

  /// Of the sampling phase, what was done before a stop included.
  double sampling_seconds() const { return before_.seconds + (warming() ? 0 : elapsed()); }
  TimedChains::Seconds sampling_cpu() const {
    const TimedChains::Seconds now = warming() ? TimedChains::Seconds{} : chains_.seconds();
    return {before_.cpu_seconds + now.cpu, before_.recording_seconds + now.recording};
  }

  RunCheckpoint checkpoint() const {
    RunCheckpoint now = before_;
    now.chains = chains_.save();
    if (warming()) {
      now.warmup_moves += phase_moves_;
      now.warmup_left = warmup_planned_ - std::min(warmup_planned_, phase_moves_);
      now.best_energy = std::min(now.best_energy, chains_.best_energy());
    } else {
      now.moves += phase_moves_;
      now.warmup_left = 0;
    }
    now.thin = thin_;
    now.since_draw = since_draw_ % thin_;
    now.accepted_since_draw = chains_.accepted();
    now.state_stride = keeper_.stride();
    now.seconds = sampling_seconds();
    now.cpu_seconds = sampling_cpu().cpu;
    now.recording_seconds = sampling_cpu().recording;
    return now;
  }

  void collect(RunResult& result) {
    result.checkpoint = checkpoint();
    result.warmup_moves = result.checkpoint.warmup_moves;
    result.moves = result.checkpoint.moves;
    result.seconds = result.checkpoint.seconds;
    result.cpu_seconds = result.checkpoint.cpu_seconds;
    result.recording_seconds = result.checkpoint.recording_seconds;
    result.best_energy = std::min(before_.best_energy, chains_.best_energy());
    for (std::size_t c = 0; c < chains_.size() && !warming(); ++c) {
      const ChainCounters& counters = chains_.counters(c);
      result.steps += counters.steps;
      result.accepted += counters.accepted;
      result.changed += counters.changed;
      const auto share = [&](std::uint64_t moves_like_that) {
        return counters.moves
                   ? static_cast<double>(moves_like_that) / static_cast<double>(counters.moves)
                   : 0.0;
      };
      result.chain_acceptance.push_back(share(counters.accepted));
      result.chain_changed.push_back(share(counters.changed));
    }
    result.interrupted = stopped_;
  }

  static RunCheckpoint nothing_done() {
    RunCheckpoint none;
    none.warming = true;
    none.best_energy = std::numeric_limits<double>::infinity();
    return none;
  }

  const ChainFactory& factory_;
  const RunPlan& plan_;
  const RunHooks& hooks_;
  DrawRecorder recorder_;
  SharedChains chains_;
  std::vector<std::vector<PackedBits>> states_;  // [chain][draw], of a round; the memory is kept
  RunCheckpoint before_ = nothing_done();  // what was done before this phase; the best draw so far
  std::uint64_t since_draw_ = 0;           // moves after the last draw
  bool stopped_ = false;
  double phase_begin_ = 0;
  double last_checkpoint_ = 0;
  std::uint64_t phase_moves_ = 0;
  std::uint64_t warmup_planned_ = 0;  // 0: by the clock
  std::uint64_t thin_ = 1;
  std::uint64_t most_draws_ = plan_.max_draws;
  StateKeeper keeper_;
  double seconds_per_move_ = 0;
  TimedChains::Seconds seconds_at_last_thinning_;  // when recording was last too slow
};

}  // namespace

RunResult run_independent(const ChainFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("a run needs either a number of moves or a number of seconds",
                     "give {moves N} or {seconds S}");
  if (plan.chains == 0) throw InputError("a run needs at least one chain", "give {chains 4}");
  if (plan.resume && plan.resume->checkpoint.chains.size() != plan.chains)
    throw InputError("the run to go on with has " +
                         std::to_string(plan.resume->checkpoint.chains.size()) + " chains, not " +
                         std::to_string(plan.chains),
                     "leave out {chains}");
  if (plan.start) check_start(factory.shell(), *plan.start);
  return IndependentDriver(factory, plan, hooks).run();
}

}  // namespace nhot
