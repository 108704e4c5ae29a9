#include "nhot/run/compare/comparison_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/run/draw_recorder.hpp"

namespace nhot {
namespace {

/// Visits the chains of all teams: visit(member, team).
template <class Visit>
void for_each_member(const std::vector<ThreadChains>& teams, Visit&& visit) {
  for (const ThreadChains& team : teams)
    for (const ChainWithRecorder& member : team.members()) visit(member, team);
}

/// Thin and stride, and the draws that every chain has.
struct Common {
  std::uint64_t thin = 1;
  std::uint64_t stride = 1;
  std::size_t draws = std::numeric_limits<std::size_t>::max();
};

Common bring_in_step(std::vector<ThreadChains>& teams) {
  std::vector<ChainRecorder*> recorders;
  for_each_member(teams, [&](const ChainWithRecorder& m, const ThreadChains&) {
    recorders.push_back(m.recorder.get());
  });
  Common common;
  for (const ChainRecorder* r : recorders) common.thin = std::max(common.thin, r->thin());
  for (ChainRecorder* r : recorders)
    r->bring_to(common.thin, std::max<std::uint64_t>(1, r->stride() * r->thin() / common.thin));
  for (const ChainRecorder* r : recorders) common.stride = std::max(common.stride, r->stride());
  for (ChainRecorder* r : recorders) {
    r->bring_to(common.thin, common.stride);
    common.draws = std::min(common.draws, r->draws());
  }
  return common;
}

template <class Values>
Values part(const Values& values, std::size_t from, std::size_t to) {
  using Iterator = std::ptrdiff_t;
  return Values(values.begin() + static_cast<Iterator>(from),
                values.begin() + static_cast<Iterator>(to));
}

/// Draws [from, to) of all chains, with their states and observables.
Trace cut(const std::vector<ThreadChains>& teams, const Observables& observables,
          const Common& common, std::size_t from, std::size_t to) {
  const std::size_t first = from / common.stride;
  const std::size_t last = to / common.stride;
  Trace trace;
  trace.thin = common.thin;
  for (const auto& observable : observables)
    trace.observables.push_back({observable->name(), observable->help(), {}, false});
  for_each_member(teams, [&](const ChainWithRecorder& m, const ThreadChains&) {
    const ChainColumns& all = m.recorder->columns();
    trace.chains.push_back({part(all.energy, from, to), part(all.accepted, from, to),
                            part(all.acceptance_rate, from, to), part(all.saw_length, from, to),
                            part(all.hamming_move, from, to)});
    trace.states.push_back(part(m.recorder->states(), first, last));
    for (std::size_t j = 0; j < observables.size(); ++j)
      trace.observables[j].series.push_back(part(m.recorder->observables()[j], first, last));
  });
  for (std::size_t s = first; s < last; ++s)
    trace.state_draws.push_back((s + 1) * common.stride - 1 - from);
  if (trace.chains.size() >= 2) trace.observables.push_back(overlap_column("chains", trace.states));
  return trace;
}

double part_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Moves, acceptance and time of the sampling phase.
void count(ContestantResult& result, const std::vector<ThreadChains>& teams,
           std::size_t warm_states, std::size_t threads) {
  RunResult& run = result.run;
  run.warmup_moves = warm_states * result.stride * run.trace.thin;
  run.best_energy = std::numeric_limits<double>::infinity();
  std::uint64_t moves = 0;
  double wall = 0;
  for_each_member(teams, [&](const ChainWithRecorder& m, const ThreadChains& team) {
    result.chain_seconds.push_back(team.cpu_seconds());
    result.stamps.push_back(m.recorder->stamps());
    const Stamp before = warm_states > 0 ? m.recorder->stamps()[warm_states - 1] : Stamp{};
    const ChainCounters& counters = m.chain->counters();
    const std::uint64_t sampled = counters.moves - run.warmup_moves;
    const std::uint64_t accepted = counters.accepted - before.accepted;
    const double cpu = team.cpu_seconds() - before.cpu_seconds;
    moves += sampled;
    run.accepted += accepted;
    const std::uint64_t changed = counters.changed - before.changed;
    run.changed += changed;
    run.steps += counters.steps - before.steps;
    run.cpu_seconds += cpu;
    run.recording_seconds += team.recording_seconds() * part_of(cpu, team.cpu_seconds());
    wall += team.wall_seconds() * part_of(cpu, team.cpu_seconds());
    run.best_energy = std::min(run.best_energy, counters.best_energy);
    const auto share = [&](std::uint64_t moves_like_that) {
      return sampled ? static_cast<double>(moves_like_that) / static_cast<double>(sampled) : 0.0;
    };
    run.chain_acceptance.push_back(share(accepted));
    run.chain_changed.push_back(share(changed));
  });
  const std::size_t chains = result.stamps.size();
  run.moves = (moves + chains / 2) / chains;
  run.seconds = wall / static_cast<double>(threads);
}

}  // namespace

ContestantResult collect_results(const Contestant& contestant, std::vector<ThreadChains>& teams,
                                 const Observables& observables, double warmup,
                                 std::size_t threads) {
  const Common common = bring_in_step(teams);
  ContestantResult result;
  result.name = contestant.name;
  result.stride = common.stride;
  const std::size_t states = common.draws / common.stride;
  const auto warm = static_cast<std::size_t>(std::lround(warmup * static_cast<double>(states)));
  const std::size_t middle = warm * common.stride;
  result.run.warmup = cut(teams, observables, common, 0, middle);
  result.run.trace = cut(teams, observables, common, middle, common.draws);
  for (Trace* trace : {&result.run.warmup, &result.run.trace})
    trace->beta = contestant.factory->beta();
  count(result, teams, warm, threads);
  return result;
}

double ContestantResult::draw_seconds(std::size_t chain, std::size_t draw) const {
  const std::vector<Stamp>& list = stamps[chain];
  if (list.empty()) return 0;
  // Linear interpolation between stamps, extrapolation behind the last.
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

}  // namespace nhot
