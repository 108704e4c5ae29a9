#include "nhot/run/temper/tempering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/run/checkpoint_interval.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/state_keeper.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/temper/ladder_placement.hpp"
#include "nhot/run/temper/rung_recorder.hpp"
#include "nhot/run/temper/shared_ladders.hpp"

namespace nhot {
namespace {

constexpr double block_seconds = 0.1;  // blocks are short enough for progress and Ctrl-C
constexpr std::uint64_t block_bytes = 64ULL << 20;       // states held for overlaps within a block
constexpr std::uint64_t draws_of_all_rungs = 4'000'000;  // kept in memory, when thin is 0
constexpr std::uint64_t least_warmup = 96;               // exchanges that placing a ladder takes
constexpr std::uint64_t wanted_exchanges = 2000;  // at least, when the number of moves is given

class Tempering {
 public:
  Tempering(const ChainFactory& factory, const TemperingPlan& plan, const TemperingHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        recorder_(factory.model(), plan.observables),
        placement_(factory, plan),
        ladders_(factory, plan, hooks.ranks) {}

  TemperingResult run() {
    TemperingResult result;
    result.unreachable_reason = factory_.unreachable_reason();
    if (plan_.resume)
      go_on_with(*plan_.resume);
    else
      begin(result);
    last_checkpoint_ = wall_seconds();
    if (at_.warming) warm_up();
    find_target();
    if (!at_.warming) sample(result);
    result.checkpoint = checkpoint();
    if (at_.warming) ladders_.reset_counters();  // of a warm-up only the lowest energy is told
    collect(result);
    return result;
  }

 private:
  std::size_t rungs() const { return ladders_.rungs(); }
  const std::vector<double>& betas() const { return ladders_.betas(); }

  // --- the beginning -------------------------------------------------------------------------

  void begin(TemperingResult& result) {
    at_.sweep = plan_.sweep ? plan_.sweep : moves_per_sweep(factory_, plan_.seed);
    if (!plan_.sweep && plan_.moves)
      at_.sweep = std::clamp<std::uint64_t>(*plan_.moves / wanted_exchanges, 1, at_.sweep);
    at_.thin_asked = plan_.thin;
    at_.warming = true;
    ladders_.place(placement_.first());
    if (placement_.wanted() && rungs() > 1) at_.stage = LadderPlacement::first_stage();
    if (plan_.seconds && !plan_.warmup) {
      at_.warmup_limit = 0.1 * *plan_.seconds;
      return;
    }
    const std::uint64_t moves = plan_.warmup ? *plan_.warmup : *plan_.moves / 10;
    at_.warmup_planned = (moves + at_.sweep - 1) / at_.sweep;
    if (plan_.warmup || !placement_.wanted() || at_.warmup_planned >= least_warmup) return;
    at_.warmup_planned = least_warmup;
    result.notes.emplace_back("warm-up made longer than a tenth of the run, to place the ladder");
  }

  void go_on_with(const StoppedTempering& run) {
    at_ = run.checkpoint;
    at_.ladders.clear();
    ladders_.restore(run.checkpoint.ladders);
    placement_.check(betas());
    traces_ = run.rungs;
    if (at_.draws == 0) traces_.clear();
    find_target();
    RungRecorder next(recorder_, {betas(), ladders_.size(), 0, at_.thin * at_.sweep, target_});
    bool whole = traces_.empty() || traces_.size() == rungs();
    for (std::size_t k = 0; whole && k < traces_.size(); ++k) {
      next.measure_overlaps(k);
      whole = traces_[k].draws() == at_.draws && next.continues(traces_[k], k);
    }
    if (!whole)
      throw InputError("the saved run has other draws than came before its checkpoint",
                       "start it again");
    if (hooks_.sink && at_.draws > 0) hooks_.sink->append_rungs(written(traces_), target_);
  }

  // --- phases --------------------------------------------------------------------------------

  void warm_up() {
    phase_begin_ = wall_seconds() - at_.warmup_seconds;
    const double limit = at_.warmup_limit;
    const bool by_clock = limit > 0;
    const auto share = [&](std::uint64_t rounds) {  // of the phase, at the pace so far
      return by_clock ? elapsed() / limit * static_cast<double>(rounds) /
                            static_cast<double>(at_.warmup_rounds)
                      : static_cast<double>(rounds) / static_cast<double>(at_.warmup_planned);
    };
    const auto over = [&] {
      return by_clock ? elapsed() >= limit : at_.warmup_rounds >= at_.warmup_planned;
    };
    // Stages of doubling length take the first half; the rest runs on the frozen ladder.
    PlacementStage& stage = at_.stage;
    while (!over() && go_on()) {
      std::uint64_t count = block_rounds(by_clock ? limit - elapsed() : 1e300);
      if (!by_clock) count = std::min(count, at_.warmup_planned - at_.warmup_rounds);
      if (stage.moving) count = std::min(count, stage.end - at_.warmup_rounds);
      ladders_.run(count, at_.sweep,
                   {.measure_changes = stage.moving && placement_.finds_hottest()});
      at_.warmup_rounds += count;
      report(share(at_.warmup_rounds), at_.warmup_rounds);
      if (!stage.moving || at_.warmup_rounds < stage.end) continue;
      ladders_.place(
          placement_.next({betas(), ladders_.rejection(), ladders_.changed_sites(), at_.sweep}));
      ladders_.reset_counters();
      stage = LadderPlacement::next_stage(stage);
      stage.moving = share(stage.end) <= 0.5;
    }
    at_.warmup_seconds = elapsed();
    if (by_clock ? stopped_ : !over()) return;
    report(1, at_.warmup_rounds);
    at_.warming = false;
    at_.stage.moving = false;
    ladders_.reset_counters();
  }

  void sample(TemperingResult& result) {
    sampling_ = true;
    phase_begin_ = wall_seconds();
    if (traces_.empty()) traces_.assign(rungs(), {});
    const std::uint64_t room =
        std::max<std::uint64_t>(1000, draws_of_all_rungs / rungs() / ladders_.size());
    const std::uint64_t most = std::min(plan_.max_draws, room);
    const std::uint64_t before = at_.rounds;
    if (plan_.moves) {
      asked_ = at_.moves + *plan_.moves;
      const std::uint64_t end = rounds_of(asked_);
      choose_thin(static_cast<double>(end) / static_cast<double>(most));
      make_keeper(end / at_.thin);
      thin_until([&] { return end / at_.thin <= most; });
      while (at_.rounds < end && go_on()) {
        advance(end - at_.rounds, 1e300);
        report(static_cast<double>(at_.rounds - before) / static_cast<double>(end - before),
               at_.rounds - before);
      }
    } else {
      const double pace = ladders_.seconds_per_round();
      const double expected = pace > 0 ? *plan_.seconds / pace : 0;
      choose_thin(1.5 * expected / static_cast<double>(most));
      make_keeper(most);
      while (elapsed() < *plan_.seconds && go_on()) {
        advance(std::numeric_limits<std::uint64_t>::max(), *plan_.seconds - elapsed());
        thin_until([&] { return at_.draws < most; });
        report(elapsed() / *plan_.seconds, at_.rounds - before);
      }
    }
    if (at_.thin_asked == 0 && at_.thin > 1)
      result.notes.push_back("thinned: one draw kept every " + std::to_string(at_.thin) +
                             " exchanges (" + std::to_string(at_.draws) +
                             " draws per ladder and rung)");
  }

  std::uint64_t rounds_of(std::uint64_t moves) const {
    return std::max<std::uint64_t>(1, moves / at_.sweep + (moves % at_.sweep > 0));
  }

  // --- thinning ------------------------------------------------------------------------------

  /// Before the first round; `wanted` rounds between draws keep their number within bounds.
  void choose_thin(double wanted) {
    if (at_.rounds > 0) return;
    at_.thin = at_.thin_asked ? rounds_of(at_.thin_asked)
                              : static_cast<std::uint64_t>(std::max(1.0, std::ceil(wanted)));
  }

  /// What a sink gets of the draws.
  std::vector<Trace> written(std::vector<Trace> traces) const {
    if (!plan_.write_states)
      for (Trace& trace : traces) trace = trace.without_states();
    return traces;
  }

  void make_keeper(std::uint64_t draws) {
    const std::uint64_t states =
        states_within_memory(plan_.states, factory_.model().sites(), plan_.chains);
    keeper_ = at_.rounds > 0 && at_.state_stride > 0
                  ? StateKeeper(at_.state_stride, states)
                  : StateKeeper::for_draws(plan_.states_asked ? draws : 0, states);
  }

  /// Drops every second draw until it is enough, if the run may choose how to thin.
  template <class Enough>
  void thin_until(Enough&& enough) {
    if (at_.thin_asked || enough()) return;
    while (!enough()) {
      const bool odd = at_.draws % 2 == 1;  // the last draw goes
      if (odd) at_.since_draw += at_.thin;
      for (std::size_t k = 0; k < rungs(); ++k) {
        if (odd) ladders_.give_back_accepted(k, traces_[k]);
        traces_[k].halve();
      }
      at_.draws /= 2;
      at_.thin *= 2;
    }
    keeper_.clean(traces_[target_]);
    replace();
  }

  void replace() {
    if (hooks_.sink) hooks_.sink->replace_rungs(written(traces_), target_);
    last_checkpoint_ = -1e300;  // due now: the last was of replaced draws
  }

  // --- blocks of rounds ----------------------------------------------------------------------

  std::uint64_t block_rounds(double seconds_left) const {
    if (ladders_.seconds_per_round() <= 0) return 1;
    const double wanted = std::min(block_seconds, seconds_left) / ladders_.seconds_per_round();
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, 1e9)), 1, 1 << 16);
  }

  /// Some rounds, at most `most`: up to a draw, or towards one that is far away.
  void advance(std::uint64_t most, double seconds_left) {
    const std::uint64_t to_draw = at_.thin - at_.since_draw;
    const std::uint64_t count = std::min(most, block_rounds(seconds_left));
    if (count < to_draw) {
      ladders_.run(count, at_.sweep);
      at_.rounds += count;
      at_.since_draw += count;
      return;
    }
    const std::uint64_t by_memory =
        block_bytes / (std::uint64_t{factory_.model().sites()} * ladders_.size() * rungs());
    record_block(std::min(1 + (count - to_draw) / at_.thin, std::max<std::uint64_t>(1, by_memory)));
  }

  void record_block(std::uint64_t draws) {
    RungRecorder::Shape shape{betas(), ladders_.size(), draws, at_.thin * at_.sweep, target_};
    for (std::uint64_t d = 0; d < draws; ++d)
      if (keeper_.keeps(at_.draws + d)) shape.keep.push_back(d);
    RungRecorder block(recorder_, std::move(shape));
    const std::uint64_t first = at_.thin - at_.since_draw;
    const std::uint64_t rounds = first + (draws - 1) * at_.thin;
    ladders_.run(rounds, at_.sweep, {first, at_.thin, &block});
    ladders_.share_out(rungs(), [&](std::size_t k) { block.measure_overlaps(k); });
    for (std::size_t k = 0; k < rungs(); ++k) traces_[k].append(block.traces()[k]);
    at_.rounds += rounds;
    at_.since_draw = 0;
    at_.draws += draws;
    if (hooks_.sink) hooks_.sink->append_rungs(written(block.traces()), target_);
    if (keeper_.bound(traces_[target_])) replace();
  }

  // --- bookkeeping ---------------------------------------------------------------------------

  double elapsed() const { return wall_seconds() - phase_begin_; }

  /// Between blocks: writes a checkpoint when it is time; false when the run is to stop.
  bool go_on() {
    if (const double begin = wall_seconds();
        hooks_.checkpoint && begin - last_checkpoint_ >= checkpoint_interval_) {
      hooks_.checkpoint(checkpoint());
      last_checkpoint_ = wall_seconds();
      checkpoint_interval_ =
          std::max(checkpoint_interval(), (last_checkpoint_ - begin) / checkpoint_share());
    }
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return !stopped_;
  }

  void report(double fraction, std::uint64_t rounds) const {
    if (hooks_.progress)
      hooks_.progress({at_.warming, std::clamp(fraction, 0.0, 1.0), elapsed(), rounds * at_.sweep});
  }

  TemperingCheckpoint checkpoint() {
    TemperingCheckpoint now = at_;
    now.ladders = ladders_.save();
    if (sampling_) {
      now.moves = std::min(asked_, at_.rounds * at_.sweep);
      now.seconds += elapsed();
      now.state_stride = keeper_.stride();
    } else if (at_.warming) {
      now.warmup_seconds = elapsed();
    }
    return now;
  }

  void find_target() {
    const auto found = std::find(betas().begin(), betas().end(), factory_.beta());
    target_ = static_cast<std::size_t>(found - betas().begin());
  }

  void collect(TemperingResult& result) {
    result.target = target_;
    result.moves = at_.rounds * at_.sweep;
    result.warmup_moves = at_.warmup_rounds * at_.sweep;
    result.sweep = at_.sweep;
    result.exchanges = at_.rounds;
    result.seconds = result.checkpoint.seconds;
    result.interrupted = stopped_;
    ladders_.collect(result);
    traces_.resize(rungs());
    for (std::size_t k = 0; k < rungs(); ++k) result.rungs[k].trace = std::move(traces_[k]);
  }

  const ChainFactory& factory_;
  const TemperingPlan& plan_;
  const TemperingHooks& hooks_;
  DrawRecorder recorder_;
  LadderPlacement placement_;
  SharedLadders ladders_;
  TemperingCheckpoint at_;     // where the run is, without its ladders
  std::vector<Trace> traces_;  // by rung
  std::size_t target_ = 0;
  StateKeeper keeper_;
  std::uint64_t asked_ = std::numeric_limits<std::uint64_t>::max();  // moves, over all calls
  bool sampling_ = false;
  bool stopped_ = false;
  double phase_begin_ = 0;
  double last_checkpoint_ = 0;
  double checkpoint_interval_ = checkpoint_interval();
};

}  // namespace

TemperingResult run_tempering(const ChainFactory& factory, const TemperingPlan& plan,
                              const TemperingHooks& hooks) {
  check_tempering(factory, plan);
  return Tempering(factory, plan, hooks).run();
}

}  // namespace nhot
