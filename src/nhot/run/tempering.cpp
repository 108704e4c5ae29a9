#include "nhot/run/tempering.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/ladder.hpp"
#include "nhot/run/ladder_team.hpp"
#include "nhot/run/rung_recorder.hpp"
#include "nhot/run/sweep.hpp"

namespace nhot {
namespace {

constexpr double block_seconds = 0.1;  // blocks are short enough for progress and Ctrl-C
constexpr std::uint64_t block_bytes = 64ULL << 20;       // states held for overlaps within a block
constexpr std::uint64_t draws_of_all_rungs = 4'000'000;  // kept in memory, when thin is 0
constexpr std::uint64_t first_stage = 16;   // exchanges before a ladder is moved for the first time
constexpr std::uint64_t least_warmup = 96;  // exchanges that placing a ladder takes
constexpr std::uint64_t wanted_exchanges = 2000;  // at least, when the number of moves is given

class Tempering {
 public:
  Tempering(const ChainFactory& factory, const TemperingPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        recorder_(factory.model()),
        ladders_(factory, plan) {
    sweep_ = plan.sweep ? plan.sweep : moves_per_sweep(factory, plan.seed);
    if (!plan.sweep && plan.moves)
      sweep_ = std::clamp<std::uint64_t>(*plan.moves / wanted_exchanges, 1, sweep_);
  }

  TemperingResult run() {
    TemperingResult result;
    result.confined = factory_.confined();
    place_first();
    result.warmup_moves = warm_up(result);
    ladders_.reset_counters();
    sample(result);
    collect(result);
    return result;
  }

 private:
  std::size_t rungs() const { return ladders_.rungs(); }
  const std::vector<double>& betas() const { return ladders_.betas(); }
  bool placing() const { return plan_.betas.empty() && factory_.beta() > plan_.hottest; }

  // --- the ladder ----------------------------------------------------------------------------

  void place_first() {
    std::vector<double> betas = plan_.betas;
    if (placing()) {
      const double deviation = hot_deviation();
      // Where the deviation does not grow with beta, the barrier is at most this.
      const double guess =
          deviation * (factory_.beta() - plan_.hottest) / std::sqrt(std::numbers::pi);
      const std::size_t count =
          plan_.rungs ? plan_.rungs : rungs_for(guess, 4, std::min<std::size_t>(32, most_rungs()));
      betas = count < 2 ? std::vector{factory_.beta()}
                        : first_rungs(plan_.hottest, factory_.beta(), deviation, count);
    } else if (betas.empty()) {
      betas = {factory_.beta()};
    } else if (std::find(betas.begin(), betas.end(), factory_.beta()) == betas.end()) {
      betas.push_back(factory_.beta());
    }
    std::sort(betas.begin(), betas.end());
    ladders_.place(betas);
  }

  std::size_t most_rungs() const { return std::max<std::size_t>(2, plan_.most_rungs); }

  /// Standard deviation of the energy over the shell, from a few uniform states.
  double hot_deviation() const {
    RandomDraws draws(make_stream(plan_.seed, plan_.chains, 0, Purpose::tune));
    std::vector<double> energies;
    for (int k = 0; k < 32; ++k)
      energies.push_back(factory_.model().energy(factory_.shell().draw_uniform(draws)));
    return std::sqrt(sample_variance(energies));
  }

  void move_ladder() {
    const BarrierCurve curve(betas(), ladders_.rejection());
    const std::size_t count = plan_.rungs ? plan_.rungs : rungs_for(curve.total(), 2, most_rungs());
    ladders_.place(place_rungs(curve, plan_.hottest, factory_.beta(), count));
  }

  // --- phases --------------------------------------------------------------------------------

  std::uint64_t warm_up(TemperingResult& result) {
    begin_phase(true);
    const bool by_clock = plan_.seconds && !plan_.warmup;
    const double seconds = by_clock ? 0.1 * *plan_.seconds : 0;
    std::uint64_t wanted = 0;
    if (!by_clock) {
      const std::uint64_t moves = plan_.warmup ? *plan_.warmup : *plan_.moves / 10;
      wanted = (moves + sweep_ - 1) / sweep_;
      if (!plan_.warmup && placing() && wanted < least_warmup) {
        wanted = least_warmup;
        result.notes.emplace_back(
            "warm-up made longer than a tenth of the run, to place the ladder");
      }
    }
    const auto left = [&] {  // of the phase, as a fraction
      return by_clock ? 1 - elapsed() / seconds
                      : 1 - static_cast<double>(rounds_) / static_cast<double>(wanted);
    };
    // Stages of doubling length take the first half; the rest runs on the frozen ladder.
    bool moving = placing() && rungs() > 1;
    std::uint64_t stage = first_stage;
    std::uint64_t stage_end = stage;
    while ((by_clock ? elapsed() < seconds : rounds_ < wanted) && !stop()) {
      std::uint64_t count = block_rounds(by_clock ? seconds - elapsed() : 1e300);
      if (!by_clock) count = std::min(count, wanted - rounds_);
      if (moving) count = std::min(count, stage_end - rounds_);
      run_rounds(count, 0, nullptr);
      report(1 - left());
      if (!moving || rounds_ < stage_end) continue;
      move_ladder();
      ladders_.reset_counters();
      stage *= 2;
      stage_end += stage;
      // The next stage must fit into the first half, by the pace so far.
      const double done = 1 - left();
      moving = done * static_cast<double>(stage_end) / static_cast<double>(rounds_) <= 0.5;
    }
    report(1);
    return rounds_ * sweep_;
  }

  void sample(TemperingResult& result) {
    begin_phase(false);
    traces_.assign(rungs(), {});
    target_ = static_cast<std::size_t>(std::find(betas().begin(), betas().end(), factory_.beta()) -
                                       betas().begin());
    const std::uint64_t room =
        std::max<std::uint64_t>(1000, draws_of_all_rungs / rungs() / ladders_.size());
    const std::uint64_t most = std::min(plan_.max_draws, room);
    if (plan_.moves) {
      const std::uint64_t rounds = std::max<std::uint64_t>(1, (*plan_.moves + sweep_ - 1) / sweep_);
      thin_ = plan_.thin ? rounds_of(plan_.thin) : (rounds + most - 1) / most;
      const std::uint64_t draws = rounds / thin_;
      state_stride_ = plan_.states ? std::max<std::uint64_t>(1, draws / plan_.states) : 0;
      while (draws_ < draws && !stop()) {
        record_block(std::min(draws - draws_, block_draws(1e300)));
        report(static_cast<double>(rounds_) / static_cast<double>(rounds));
      }
      if (draws_ == draws && rounds % thin_ > 0) run_rounds(rounds % thin_, 0, nullptr);
    } else {
      thin_ = plan_.thin ? rounds_of(plan_.thin) : 1;
      if (!plan_.thin && ladders_.seconds_per_round() > 0) {
        const double expected = *plan_.seconds / ladders_.seconds_per_round();
        thin_ = static_cast<std::uint64_t>(
            std::max(1.0, std::ceil(1.5 * expected / static_cast<double>(most))));
      }
      state_stride_ = plan_.states ? std::max<std::uint64_t>(1, most / 2 / plan_.states) : 0;
      while (elapsed() < *plan_.seconds && !stop()) {
        record_block(block_draws(*plan_.seconds - elapsed()));
        report(std::min(1.0, elapsed() / *plan_.seconds));
        if (plan_.thin || traces_.front().draws() < most) continue;
        for (Trace& trace : traces_) trace.halve();
        thin_ *= 2;
        if (hooks_.sink) hooks_.sink->replace(traces_[target_]);
      }
    }
    result.seconds = elapsed();
    if (!plan_.thin && thin_ > 1)
      result.notes.push_back("thinned: one draw kept every " + std::to_string(thin_) +
                             " exchanges (" + std::to_string(traces_.front().draws()) +
                             " draws per ladder and rung)");
  }

  std::uint64_t rounds_of(std::uint64_t moves) const {
    return std::max<std::uint64_t>(1, (moves + sweep_ - 1) / sweep_);
  }

  // --- blocks of rounds ----------------------------------------------------------------------

  std::uint64_t block_rounds(double seconds_left) const {
    if (ladders_.seconds_per_round() <= 0) return 1;
    const double wanted = std::min(block_seconds, seconds_left) / ladders_.seconds_per_round();
    return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(wanted, 1e9)), 1, 1 << 16);
  }

  std::uint64_t block_draws(double seconds_left) const {
    const std::uint64_t by_memory =
        block_bytes / (std::uint64_t{factory_.model().sites()} * ladders_.size() * rungs());
    return std::clamp<std::uint64_t>(block_rounds(seconds_left) / thin_, 1,
                                     std::max<std::uint64_t>(1, by_memory));
  }

  void record_block(std::uint64_t draws) {
    RungRecorder::Shape shape{betas(), ladders_.size(), draws, thin_ * sweep_, target_};
    for (std::uint64_t d = 0; state_stride_ > 0 && d < draws; ++d)
      if ((draws_ + d + 1) % state_stride_ == 0) shape.keep.push_back(d);
    RungRecorder block(recorder_, std::move(shape));
    run_rounds(draws * thin_, thin_, &block);
    ladders_.share_out(rungs(), [&](std::size_t k) { block.measure_overlaps(k); });
    for (std::size_t k = 0; k < rungs(); ++k) traces_[k].append(block.traces()[k]);
    if (hooks_.sink) hooks_.sink->append(block.traces()[target_]);
    draws_ += draws;
  }

  void run_rounds(std::uint64_t rounds, std::uint64_t thin, RungRecorder* block) {
    ladders_.run(rounds, sweep_, thin, block);
    rounds_ += rounds;
  }

  // --- bookkeeping ---------------------------------------------------------------------------

  void begin_phase(bool warming) {
    warming_ = warming;
    phase_begin_ = wall_seconds();
    rounds_ = 0;
    draws_ = 0;
  }

  double elapsed() const { return wall_seconds() - phase_begin_; }

  bool stop() {
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return stopped_;
  }

  void report(double fraction) const {
    if (hooks_.progress)
      hooks_.progress({warming_, std::clamp(fraction, 0.0, 1.0), elapsed(), rounds_ * sweep_});
  }

  void collect(TemperingResult& result) {
    result.target = target_;
    result.moves = rounds_ * sweep_;
    result.sweep = sweep_;
    result.exchanges = rounds_;
    result.interrupted = stopped_;
    ladders_.collect(result);
    for (std::size_t k = 0; k < rungs(); ++k) result.rungs[k].trace = std::move(traces_[k]);
    if (!plan_.isocluster) return;
    const auto useful = [](const RungResult& rung) { return rung.cluster_rate >= 0.01; };
    if (std::none_of(result.rungs.begin(), result.rungs.end(), useful))
      result.notes.emplace_back(
          "isocluster changed the replicas in fewer than one try in a hundred at every "
          "temperature: "
          "they differ in one large cluster; without it the same time buys twice the moves");
  }

  const ChainFactory& factory_;
  const TemperingPlan& plan_;
  const RunHooks& hooks_;
  DrawRecorder recorder_;
  LadderTeam ladders_;
  std::vector<Trace> traces_;  // by rung
  std::size_t target_ = 0;
  bool warming_ = false;
  bool stopped_ = false;
  double phase_begin_ = 0;
  std::uint64_t sweep_ = 1;         // moves between exchanges
  std::uint64_t thin_ = 1;          // exchanges between draws
  std::uint64_t state_stride_ = 0;  // draws between kept states; 0: none
  std::uint64_t rounds_ = 0;        // of exchange, in this phase
  std::uint64_t draws_ = 0;         // in this phase
};

void check(const ChainFactory& factory, const TemperingPlan& plan) {
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("a run needs either a number of moves or a number of seconds",
                     "give --moves N or --seconds S");
  if (plan.chains == 0) throw InputError("a run needs at least one ladder", "give --chains 4");
  if (plan.start) check_start(factory.shell(), *plan.start);
  std::vector<double> betas = plan.betas;
  std::sort(betas.begin(), betas.end());
  for (const double beta : betas)
    if (!(beta >= 0) || !std::isfinite(beta))
      throw InputError("the ladder holds beta = " + format_real(beta),
                       "give finite numbers >= 0, as in --betas 0,0.1,0.2,0.4");
  if (const auto twice = std::adjacent_find(betas.begin(), betas.end()); twice != betas.end())
    throw InputError("the ladder holds beta = " + format_real(*twice) + " twice",
                     "give every beta once");
  if (!(plan.hottest >= 0) || !std::isfinite(plan.hottest))
    throw InputError("the hot end of the ladder is beta = " + format_real(plan.hottest),
                     "give a finite number >= 0");
  if (betas.empty() && plan.hottest > factory.beta())
    throw InputError("the hot end of the ladder, beta = " + format_real(plan.hottest) +
                         ", is colder than the target, beta = " + format_real(factory.beta()),
                     "give a smaller number, such as 0");
}

}  // namespace

TemperingResult run_tempering(const ChainFactory& factory, const TemperingPlan& plan,
                              const RunHooks& hooks) {
  check(factory, plan);
  return Tempering(factory, plan, hooks).run();
}

}  // namespace nhot
