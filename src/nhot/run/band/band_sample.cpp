#include "nhot/run/band/band_sample.hpp"

#include <algorithm>
#include <utility>

#include "nhot/base/error.hpp"
#include "nhot/run/band/learning.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/draw_recorder.hpp"
#include "nhot/run/state_keeper.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t draws_per_round = 256;  // at most

void refuse_for_band(bool wrong, const std::string& what, const std::string& instead) {
  if (wrong) throw InputError(what + " is for a single shell, not for a band", instead);
}

void check_band_run(const RunPlan& plan) {
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("a run needs either a number of moves or a number of seconds",
                     "give {moves N} or {seconds S}");
  if (plan.chains == 0) throw InputError("a run needs at least one chain", "give {chains 4}");
  refuse_for_band(plan.until.has_value(), "a stop rule", "give {moves N} or {seconds S} alone");
  refuse_for_band(plan.verify, "a second witness", "leave out {verify}");
  refuse_for_band(plan.start.has_value(), "a start",
                  "leave out {start}: chains start all over the band");
  refuse_for_band(plan.resume != nullptr, "going on with a run", "start a new run");
}

BandPlan team_plan(const RunPlan& plan) {
  BandPlan team;
  team.chains = plan.chains;
  team.threads = plan.threads;
  team.seed = plan.seed;
  return team;
}

/// The observables of the plan and the distance from the reference.
Observables with_distance(const BandFactory& factory, const Observables& own) {
  Observables all = {
      make_observable("distance", "Hamming distance from the reference",
                      [reference = PackedBits(factory.reference())](const PackedBits& state) {
                        return static_cast<double>(count_different(state, reference));
                      })};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

class BandSampler {
 public:
  BandSampler(const BandFactory& factory, const RunPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        team_(factory, team_plan(plan), hooks.stop),
        recorder_(factory.model(), with_distance(factory, plan.observables)),
        accepted_(plan.chains, 0),
        begin_(wall_seconds()) {}

  BandRun run() {
    BandRun result;
    learn(result);
    RunResult& run = result.run;
    if (!team_.stopped()) sample(run);
    run.warmup_moves = warmup_;
    run.moves = moves_;
    run.seconds = elapsed();
    run.cpu_seconds = team_.cpu_seconds();
    run.best_energy = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < team_.size(); ++c) {
      const ChainCounters& counters = team_[c].counters();
      run.steps += counters.steps;
      run.accepted += counters.accepted;
      run.changed += counters.changed;
      const double share = counters.moves ? static_cast<double>(counters.accepted) /
                                                static_cast<double>(counters.moves)
                                          : 0.0;
      run.chain_acceptance.push_back(share);
      run.chain_changed.push_back(share);
      run.best_energy = std::min(run.best_energy, counters.best_energy);
    }
    run.interrupted = team_.stopped();
    result.tallies = team_.tallies();
    result.round_trips = team_.round_trips();
    return result;
  }

 private:
  double elapsed() const { return wall_seconds() - begin_; }

  void report(bool warming, double share, std::uint64_t moves) const {
    if (hooks_.progress) hooks_.progress({warming, std::min(1.0, share), elapsed(), moves});
  }

  void learn(BandRun& result) {
    result.weights = learn_weights(team_, factory_.band(), factory_.model().sites(),
                                   learning_limit(plan_.warmup, plan_.moves, plan_.seconds),
                                   [&](double share, std::uint64_t done) {
                                     warmup_ = done;
                                     report(true, share, done);
                                   });
    seconds_left_ = plan_.seconds ? *plan_.seconds - elapsed() : 1e300;
    pace_ = elapsed() / static_cast<double>(std::max<std::uint64_t>(1, warmup_));
    team_.reset();
    begin_ = wall_seconds();
  }

  /// For at most max_draws, and with more flips between draws than a quarter of the sites: draws
  /// that cost more to record than to make, and tell little, are left out.
  std::uint64_t thin() const {
    if (plan_.thin > 0) return plan_.thin;
    const double moves = plan_.moves ? static_cast<double>(*plan_.moves) : seconds_left_ / pace_;
    const auto least = static_cast<std::uint64_t>(moves / static_cast<double>(plan_.max_draws)) + 1;
    return std::max<std::uint64_t>(least, factory_.model().sites() / 4);
  }

  void sample(RunResult& run) {
    const std::uint64_t step = thin();
    const std::uint64_t draws =
        plan_.moves ? *plan_.moves / step : std::numeric_limits<std::uint64_t>::max();
    StateKeeper keeper = StateKeeper::for_draws(
        0, states_within_memory(plan_.states, factory_.model().sites(), plan_.chains));
    const std::uint64_t round = std::clamp<std::uint64_t>(team_.piece() / step, 1, draws_per_round);
    for (std::uint64_t done = 0; done < draws && elapsed() < seconds_left_;) {
      const std::uint64_t now = std::min(round, draws - done);
      Trace block = draw(now, step, keeper, done);
      if (team_.stopped()) break;  // some chains have these draws and others do not
      done += now;
      moves_ += now * step;
      run.trace.append(std::move(block));
      keeper.bound(run.trace);
      report(false,
             plan_.moves ? static_cast<double>(done) / static_cast<double>(draws)
                         : elapsed() / seconds_left_,
             moves_);
    }
    if (step > 1 && plan_.thin == 0)
      run.notes.push_back("thinned: one draw kept every " + std::to_string(step) + " moves (" +
                          std::to_string(run.trace.draws()) + " draws per chain)");
  }

  Trace draw(std::uint64_t draws, std::uint64_t step, const StateKeeper& keeper,
             std::uint64_t first) {
    Trace block = recorder_.make_block(team_.size(), draws, factory_.beta(), step);
    for (std::uint64_t d = 0; d < draws; ++d)
      if (keeper.keeps(first + d)) block.state_draws.push_back(d);
    team_.for_each_chain([&](std::size_t c) {
      PackedBits state;
      for (std::uint64_t d = 0; d < draws; ++d) {
        team_[c].advance(step);
        const std::uint64_t accepted = team_[c].counters().accepted;
        const double rate =
            static_cast<double>(accepted - accepted_[c]) / static_cast<double>(step);
        accepted_[c] = accepted;
        recorder_.record(block, c, d, team_[c], rate, state);
        if (keeper.keeps(first + d)) block.states[c].push_back(state);
      }
    });
    return block;
  }

  const BandFactory& factory_;
  const RunPlan& plan_;
  const RunHooks& hooks_;
  BandTeam team_;
  DrawRecorder recorder_;
  std::vector<std::uint64_t> accepted_;  // by chain, before the next draw
  double begin_;                         // of the phase
  double seconds_left_ = 0;              // for the draws
  double pace_ = 0;                      // seconds per move, while the weights were learned
  std::uint64_t warmup_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace

BandRun run_band(const BandFactory& factory, const RunPlan& plan, const RunHooks& hooks) {
  check_band_run(plan);
  return BandSampler(factory, plan, hooks).run();
}

}  // namespace nhot
