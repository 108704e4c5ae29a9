#include "nhot/run/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/chain_recorder.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/draw_recorder.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double round_seconds = 0.2;                // between looks at Ctrl-C and progress
constexpr std::uint64_t state_bytes = 256ULL << 20;  // for the states of all chains
constexpr std::uint64_t draw_bytes = 256ULL << 20;   // for their draws
constexpr std::uint64_t bytes_of_draw = 32;
constexpr double pilot_seconds = 0.002;
constexpr double least_draw_seconds = 1e-5;  // closer draws would cost more than the moves between
constexpr double room = 0.7;  // share of the draws to aim for: speed may turn out higher

/// One chain of one contestant, and what is kept of it.
struct Member {
  std::unique_ptr<AnyChain> chain;
  std::unique_ptr<ChainRecorder> recorder;

  bool record_draw(std::uint64_t accepted_before) {
    return recorder->record_draw(*chain, accepted_before);
  }
};

/// Chains of one contestant that share a thread and are equally far. Their time is shared out
/// evenly.
struct Lane {
  std::vector<Member> members;
  std::uint64_t moves = 0;  // to make, of every chain; 0: ends by time
  double cpu_seconds = 0;   // of every chain
  double wall_seconds = 0;
  double seconds_per_draw = 0;

  std::uint64_t done() const { return members.front().chain->counters().moves; }
  bool finished() const { return moves > 0 && done() >= moves; }

  /// Moves until the CPU time is reached or the moves are done.
  void run_to(double cpu_target, const ChainRecorder::Observables& observables) {
    while (cpu_seconds < cpu_target && !finished()) {
      const ChainRecorder& recorder = *members.front().recorder;
      const std::uint64_t thin = recorder.thin();
      std::uint64_t draws = recorder.draws_to_state();
      if (moves > 0) draws = std::min(draws, (moves - done()) / thin);
      const double pace = (cpu_target - cpu_seconds) / std::max(seconds_per_draw, 1e-9);
      if (seconds_per_draw <= 0) draws = std::min<std::uint64_t>(draws, 1);
      if (pace < static_cast<double>(draws))
        draws = std::min(draws, static_cast<std::uint64_t>(std::max(1.0, std::ceil(pace))));
      if (!run_block(draws, thin)) continue;
      for (Member& m : members) m.recorder->record_state(*m.chain, cpu_seconds, observables);
    }
  }

 private:
  /// `draws` draws of every chain on the clock; no draw: the moves that are left over at the end.
  /// True when the last draw has a state.
  bool run_block(std::uint64_t draws, std::uint64_t thin) {
    bool with_state = false;
    const double wall_begin = nhot::wall_seconds();
    const double cpu_begin = thread_cpu_seconds();
    if (draws == 0) {
      const std::uint64_t rest = moves - done();
      for (Member& m : members) m.chain->advance(rest);
    } else if (members.size() > 1 && members.front().chain->takes_turns()) {
      with_state = draw_in_turns(draws, thin);
    } else {
      for (Member& m : members)
        for (std::uint64_t d = 0; d < draws; ++d) {
          const std::uint64_t accepted = m.chain->counters().accepted;
          m.chain->advance(thin);
          with_state = m.record_draw(accepted);
        }
    }
    const auto share = static_cast<double>(members.size());
    const double used = (thread_cpu_seconds() - cpu_begin) / share;
    cpu_seconds += used;
    wall_seconds += (nhot::wall_seconds() - wall_begin) / share;
    if (draws > 0) seconds_per_draw = used / static_cast<double>(draws);
    return with_state;
  }

  bool draw_in_turns(std::uint64_t draws, std::uint64_t thin) {
    std::vector<AnyChain*> team;
    for (const Member& m : members) team.push_back(m.chain.get());
    std::vector<std::uint64_t> accepted(members.size());
    bool with_state = false;
    for (std::uint64_t d = 0; d < draws; ++d) {
      for (std::size_t k = 0; k < team.size(); ++k) accepted[k] = team[k]->counters().accepted;
      team.front()->advance_together(team, thin);
      for (std::size_t k = 0; k < team.size(); ++k)
        with_state = members[k].record_draw(accepted[k]);
    }
    return with_state;
  }
};

class Driver {
 public:
  Driver(const std::vector<Contestant>& contestants, const ComparisonPlan& plan,
         const ComparisonHooks& hooks)
      : contestants_(contestants),
        plan_(plan),
        hooks_(hooks),
        observables_(observables_for(contestants.front().factory->model())),
        threads_(threads_for(plan.threads, plan.chains)),
        team_(threads_) {
    make_lanes();
    const double work =
        static_cast<double>(contestants.size() * plan.chains) / static_cast<double>(threads_);
    slice_ = std::clamp(round_seconds / work, 0.001, plan.slice_seconds);
    if (plan.seconds) slice_ = std::min(slice_, std::max(1e-4, *plan.seconds / 20));
    slices_per_round_ =
        static_cast<std::uint64_t>(std::max(1.0, std::floor(round_seconds / (work * slice_))));
  }

  std::vector<ContestantResult> run() {
    begin_ = wall_seconds();
    const double limit = plan_.seconds ? *plan_.seconds / (1 - plan_.warmup) *
                                             static_cast<double>(contestants_.size())
                                       : 0;
    while (!(plan_.seconds ? elapsed() >= limit : all_finished())) {
      if (hooks_.stop && hooks_.stop()) {
        stopped_ = true;
        break;
      }
      team_.run(lanes_.front().size(), [&](std::size_t g) { run_round(g); });
      round_ += slices_per_round_;
      report(plan_.seconds ? elapsed() / limit : share_of_moves());
    }
    std::vector<ContestantResult> results;
    for (std::size_t k = 0; k < contestants_.size(); ++k) results.push_back(collect(k));
    return results;
  }

 private:
  // --- preparation

  void make_lanes() {
    const std::size_t sites = contestants_.front().factory->model().sites();
    const std::size_t rows = contestants_.size() * plan_.chains;
    const std::size_t max_states = static_cast<std::size_t>(std::clamp<std::uint64_t>(
        state_bytes / std::max<std::uint64_t>(1, sites * rows), 4, plan_.max_states));
    const std::size_t max_draws = std::min(
        plan_.max_draws, std::max<std::size_t>(1 << 12, draw_bytes / (bytes_of_draw * rows)));
    std::vector<Bits> starts;
    for (std::uint64_t c = 0; c < plan_.chains; ++c) {
      RandomDraws draws(make_stream(plan_.seed, 0, c, Purpose::start));
      starts.push_back(plan_.start ? *plan_.start
                                   : contestants_.front().factory->shell().draw_uniform(draws));
    }
    for (std::size_t k = 0; k < contestants_.size(); ++k) {
      const Contestant& contestant = contestants_[k];
      // Known numbers of moves fit exactly and depend on no clock; others leave room.
      const bool known = contestant.moves > 0;
      const double moves = known ? static_cast<double>(contestant.moves)
                                 : expected_moves(contestant, starts.front());
      const double share = known ? 1.0 : room;
      const double least =
          known ? 1.0
                : std::ceil(least_draw_seconds / seconds_per_move(contestant, starts.front()));
      const double thin =
          std::max({1.0, least, std::ceil(moves / (share * static_cast<double>(max_draws)))});
      const double draws = moves / thin;
      const auto stride = std::bit_ceil(static_cast<std::uint64_t>(
          std::max(1.0, std::ceil(draws / (share * static_cast<double>(max_states - 1))))));
      // A recorder halves as soon as the next state might not fit; a known number just fits.
      const std::size_t capacity = max_draws + (contestant.moves ? stride : 0);
      lanes_.emplace_back();
      for (const auto& [first, last] : chains_in_groups(plan_.chains, threads_)) {
        Lane lane;
        lane.moves = contestant.moves;
        for (std::size_t c = first; c < last; ++c)
          lane.members.push_back(
              {contestant.factory->make(make_stream(plan_.seed, k, c, Purpose::moves), starts[c]),
               std::make_unique<ChainRecorder>(static_cast<std::uint64_t>(thin), stride, capacity,
                                               max_states, observables_.size())});
        lanes_.back().push_back(std::move(lane));
      }
    }
  }

  double expected_moves(const Contestant& contestant, const Bits& start) const {
    const double seconds = plan_.seconds ? *plan_.seconds / (1 - plan_.warmup) *
                                               static_cast<double>(threads_) /
                                               static_cast<double>(plan_.chains)
                                         : static_cast<double>(contestants_.front().moves) *
                                               seconds_per_move(contestants_.front(), start);
    return std::max(1.0, seconds / seconds_per_move(contestant, start));
  }

  /// By a short run of a chain of its own.
  double seconds_per_move(const Contestant& contestant, const Bits& start) const {
    const auto chain =
        contestant.factory->make(make_stream(plan_.seed, 0, 0, Purpose::tune), start);
    double seconds = 0;
    std::uint64_t moves = 1;
    for (;; moves *= 2) {
      const double begin = thread_cpu_seconds();
      chain->advance(moves);
      seconds = thread_cpu_seconds() - begin;
      if (seconds >= pilot_seconds || moves > (1ULL << 40)) break;
    }
    return std::max(seconds, 1e-9) / static_cast<double>(moves);
  }

  // --- the race

  void run_round(std::size_t g) {
    const std::size_t others = contestants_.size() - 1;
    for (std::uint64_t s = round_; s < round_ + slices_per_round_; ++s) {
      const double target = slice_ * static_cast<double>(s + 1);
      lanes_[0][g].run_to(target, observables_);
      // Take turns, so that none always comes after the same one.
      for (std::size_t k = 0; k < others; ++k) {
        Lane& lane = lanes_[1 + (k + s) % others][g];
        lane.run_to(lane.moves > 0 ? target : std::min(target, limit(g)), observables_);
      }
    }
  }

  /// The CPU time that every chain of a group without a number of moves may use.
  double limit(std::size_t g) const {
    const Lane& leader = lanes_[0][g];
    return !plan_.seconds && leader.finished() ? leader.cpu_seconds
                                               : std::numeric_limits<double>::infinity();
  }

  bool all_finished() const {
    for (const auto& lanes : lanes_)
      for (std::size_t g = 0; g < lanes.size(); ++g) {
        const Lane& lane = lanes[g];
        if (!(lane.moves > 0 ? lane.finished() : lane.cpu_seconds >= limit(g))) return false;
      }
    return true;
  }

  double share_of_moves() const {
    double done = 0;
    double wanted = 0;
    for (const Lane& lane : lanes_[0]) {
      done += static_cast<double>(lane.done());
      wanted += static_cast<double>(lane.moves);
    }
    return done / wanted;
  }

  double elapsed() const { return wall_seconds() - begin_; }

  void report(double fraction) const {
    if (!hooks_.progress) return;
    double moves = 0;
    for (const auto& lanes : lanes_)
      for (const Lane& lane : lanes)
        moves += static_cast<double>(lane.done() * lane.members.size());
    hooks_.progress({std::min(1.0, fraction), elapsed(), moves});
  }

  // --- results

  ContestantResult collect(std::size_t k) {
    std::vector<ChainRecorder*> recorders;
    for (const Lane& lane : lanes_[k])
      for (const Member& m : lane.members) recorders.push_back(m.recorder.get());
    std::uint64_t thin = 0;
    for (const ChainRecorder* r : recorders) thin = std::max(thin, r->thin());
    for (ChainRecorder* r : recorders)
      r->bring_to(thin, std::max<std::uint64_t>(1, r->stride() * r->thin() / thin));
    std::uint64_t stride = 0;
    std::size_t draws = ~std::size_t{0};
    for (const ChainRecorder* r : recorders) stride = std::max(stride, r->stride());
    for (ChainRecorder* r : recorders) {
      r->bring_to(thin, stride);
      draws = std::min(draws, r->draws());
    }

    ContestantResult result;
    result.name = contestants_[k].name;
    result.stride = stride;
    for (const Lane& lane : lanes_[k])
      result.chain_seconds.insert(result.chain_seconds.end(), lane.members.size(),
                                  lane.cpu_seconds);
    const std::size_t states = draws / stride;
    const auto warm =
        static_cast<std::size_t>(std::lround(plan_.warmup * static_cast<double>(states)));
    result.run.warmup = cut(k, 0, warm * stride, stride, thin);
    result.run.trace = cut(k, warm * stride, draws, stride, thin);
    count(result, k, warm);
    return result;
  }

  /// Draws [from, to) of all chains, with their states and observables.
  Trace cut(std::size_t k, std::size_t from, std::size_t to, std::uint64_t stride,
            std::uint64_t thin) const {
    const auto part = [](const auto& values, std::size_t a, std::size_t b) {
      using Iterator = std::ptrdiff_t;
      return std::decay_t<decltype(values)>(values.begin() + static_cast<Iterator>(a),
                                            values.begin() + static_cast<Iterator>(b));
    };
    const std::size_t first = from / stride;
    const std::size_t last = to / stride;
    Trace trace;
    trace.beta = contestants_[k].factory->beta();
    trace.thin = thin;
    for (const auto& observable : observables_)
      trace.observables.push_back({observable->name(), observable->help(), {}, false});
    const auto add = [&](const ChainRecorder& recorder) {
      const ChainColumns& all = recorder.columns();
      trace.chains.push_back({part(all.energy, from, to), part(all.accepted, from, to),
                              part(all.acceptance_rate, from, to), part(all.saw_length, from, to),
                              part(all.hamming_move, from, to)});
      trace.states.push_back(part(recorder.states(), first, last));
      for (std::size_t j = 0; j < observables_.size(); ++j)
        trace.observables[j].series.push_back(part(recorder.observables()[j], first, last));
    };
    for (const Lane& lane : lanes_[k])
      for (const Member& m : lane.members) add(*m.recorder);
    for (std::size_t s = first; s < last; ++s)
      trace.state_draws.push_back((s + 1) * stride - 1 - from);
    if (trace.chains.size() >= 2) trace.observables.push_back(overlap_column(trace.states));
    return trace;
  }

  void count(ContestantResult& result, std::size_t k, std::size_t warm_states) const {
    RunResult& run = result.run;
    const std::uint64_t thin = run.trace.thin;
    run.warmup_moves = warm_states * result.stride * thin;
    run.best_energy = std::numeric_limits<double>::infinity();
    run.interrupted = stopped_;
    std::uint64_t moves = 0;
    double wall = 0;
    const auto add = [&](const Lane& lane, const Member& m) {
      result.stamps.push_back(m.recorder->stamps());
      const Stamp before = warm_states > 0 ? m.recorder->stamps()[warm_states - 1] : Stamp{};
      const ChainCounters& counters = m.chain->counters();
      const std::uint64_t sampled = counters.moves - run.warmup_moves;
      const std::uint64_t accepted = counters.accepted - before.accepted;
      const double cpu = lane.cpu_seconds - before.cpu_seconds;
      moves += sampled;
      run.accepted += accepted;
      run.steps += counters.steps - before.steps;
      run.cpu_seconds += cpu;
      wall += lane.cpu_seconds > 0 ? lane.wall_seconds * cpu / lane.cpu_seconds : 0;
      run.best_energy = std::min(run.best_energy, counters.best_energy);
      run.chain_acceptance.push_back(
          sampled ? static_cast<double>(accepted) / static_cast<double>(sampled) : 0.0);
    };
    for (const Lane& lane : lanes_[k])
      for (const Member& m : lane.members) add(lane, m);
    run.moves = (moves + plan_.chains / 2) / plan_.chains;
    run.seconds = wall / static_cast<double>(threads_);
  }

  const std::vector<Contestant>& contestants_;
  const ComparisonPlan& plan_;
  const ComparisonHooks& hooks_;
  ChainRecorder::Observables observables_;
  std::size_t threads_;
  ThreadTeam team_;
  std::vector<std::vector<Lane>> lanes_;  // [contestant][group of chains]
  double slice_ = 0;
  std::uint64_t slices_per_round_ = 1;
  std::uint64_t round_ = 0;  // slices done
  double begin_ = 0;
  bool stopped_ = false;
};

}  // namespace

double ContestantResult::draw_seconds(std::size_t chain, std::size_t draw) const {
  const std::vector<Stamp>& list = stamps[chain];
  if (list.empty()) return 0;
  // Linear between stamps; the last interval goes on behind its end.
  const std::size_t after = std::min<std::size_t>(draw / stride, list.size() - 1);
  const double from = after > 0 ? list[after - 1].cpu_seconds : 0;
  const double position =
      static_cast<double>(draw + 1) / static_cast<double>(stride) - static_cast<double>(after);
  return from + position * (list[after].cpu_seconds - from);
}

double ContestantResult::warmup_cpu_seconds() const {
  const std::size_t states = warmup_draws() / stride;
  double sum = 0;
  for (const std::vector<Stamp>& list : stamps)
    if (states > 0) sum += list[states - 1].cpu_seconds;
  return sum;
}

std::vector<ContestantResult> run_comparison(const std::vector<Contestant>& contestants,
                                             const ComparisonPlan& plan,
                                             const ComparisonHooks& hooks) {
  if (contestants.empty()) throw InputError("there is nothing to compare", "name two moves");
  if (plan.chains == 0) throw InputError("a run needs at least one chain", "give --chains 4");
  if (!plan.seconds && contestants.front().moves == 0)
    throw InputError("a comparison needs a time, or a number of moves of its first move",
                     "give --seconds S or --moves N");
  for (const Contestant& contestant : contestants) {
    NHOT_EXPECTS(contestant.factory->model().sites() ==
                 contestants.front().factory->model().sites());
    if (plan.start) check_start(contestant.factory->shell(), *plan.start);
  }
  return Driver(contestants, plan, hooks).run();
}

}  // namespace nhot
