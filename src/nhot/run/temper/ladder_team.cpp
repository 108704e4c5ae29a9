#include "nhot/run/temper/ladder_team.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "nhot/base/bytes.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/types.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/temper/ladder.hpp"

namespace nhot {
namespace {

constexpr double short_round = 2e-4;  // seconds; below, waking threads costs more than it gains

std::uint64_t replicas_of(const TemperingPlan& plan) {
  const std::uint64_t rungs = plan.betas.empty() ? plan.most_rungs : plan.betas.size() + 1;
  return plan.chains * rungs * (plan.isocluster ? 2 : 1);
}

/// Whole ladders where that leaves no rank with less; clusters join replicas of one rank.
ReplicaShare share_of(const TemperingPlan& plan, const Communicator* ranks) {
  if (!ranks) return {};
  return {ranks->rank(), ranks->size(),
          plan.isocluster || plan.path == LadderPath::weights || plan.chains % ranks->size() == 0};
}

}  // namespace

LadderTeam::LadderTeam(const ChainFactory& factory, const TemperingPlan& plan, Communicator* ranks)
    : ranks_(ranks),
      share_(share_of(plan, ranks)),
      laws_(std::make_unique<RungLaws>(factory, plan.path)),
      team_(threads_for(plan.threads, replicas_of(plan))),
      threads_(threads_for(plan.threads, ~std::uint64_t{0})) {
  const Bits* start = plan.start ? &*plan.start : nullptr;
  for (std::uint64_t c = 0; c < plan.chains; ++c) {
    Pair pair{std::make_unique<TemperedLadder>(factory, *laws_, plan.seed, c, start, share_, c,
                                               plan.finds_hottest),
              nullptr,
              std::nullopt,
              RandomDraws(make_stream(plan.seed, c, 0, Purpose::cluster_exchange)),
              {},
              {}};
    if (plan.isocluster) {
      pair.partner = std::make_unique<TemperedLadder>(factory, *laws_, plan.seed, plan.chains + c,
                                                      start, share_, c);
      pair.clusters.emplace(factory.model(), std::make_shared<const Shell>(factory.shell()));
    }
    pairs_.push_back(std::move(pair));
    if (share_.exchanges(c)) mine_.push_back(c);
  }
}

void LadderTeam::place_laws(const std::vector<double>& betas) {
  laws_->place(betas, [&](std::size_t count, const auto& task) { team_.run(count, task); });
}

void LadderTeam::place(const std::vector<double>& betas) {
  place_laws(betas);
  team_.run(size(), [&](std::size_t c) {
    Pair& pair = pairs_[c];
    pair.ladder->place(betas);
    if (pair.partner) pair.partner->place(betas);
  });
  make_room(betas.size());
}

void LadderTeam::make_room(std::size_t rungs) {
  for (Pair& pair : pairs_) {
    pair.tried.assign(rungs, 0);
    pair.changed.assign(rungs, 0);
  }
}

void LadderTeam::exchange_clusters(Pair& pair, std::size_t rung) {
  const double begin = thread_cpu_seconds();
  Bits a = pair.ladder->at(rung).bits();
  Bits b = pair.partner->at(rung).bits();
  std::size_t differing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differing += a[i] != b[i];
  const std::vector<Site>& sites = pair.clusters->draw(a, b, pair.draws);
  ++pair.tried[rung];
  // Exchanging all differing sites only swaps the two replicas. The proposal is symmetric, so
  // rejecting it keeps detailed balance.
  if (!sites.empty() && sites.size() < differing) {
    exchange_sites(sites, a, b);
    pair.ladder->set_bits(rung, a);
    pair.partner->set_bits(rung, b);
    ++pair.changed[rung];
  }
  pair.ladder->add_cpu_seconds(rung, thread_cpu_seconds() - begin);
}

void LadderTeam::finish_round(Pair& pair) {
  if (pair.partner) {
    for (std::size_t rung = 0; rung < rungs(); ++rung) exchange_clusters(pair, rung);
    pair.partner->exchange();
  }
  pair.ladder->exchange();
}

void LadderTeam::run(std::uint64_t rounds, std::uint64_t sweep, const DrawSchedule& draws) {
  if (rounds == 0) return;
  const double begin = wall_seconds();
  const auto move = [&](std::size_t c, std::size_t rung, std::uint64_t round) {
    TemperedLadder& ladder = *pairs_[c].ladder;
    ladder.advance(rung, sweep, draws.measure_changes);
    if (pairs_[c].partner) pairs_[c].partner->advance(rung, sweep);
    if (!draws.block || round + 1 < draws.first || (round + 1 - draws.first) % draws.thin != 0)
      return;
    const std::uint64_t d = (round + 1 - draws.first) / draws.thin;
    draws.block->add_accepted(c, rung, d, ladder.take_accepted(rung));
    if (!ladder.holds(rung)) return;
    const double moved = thread_cpu_seconds();
    draws.block->record(c, rung, d, ladder.at(rung));
    ladder.add_recording_seconds(rung, thread_cpu_seconds() - moved);
  };
  // Ladders of other ranks: what was accepted there before this run.
  if (draws.block)
    for (std::size_t c = 0; c < size(); ++c)
      for (std::size_t rung = 0; rung < rungs() && !share_.exchanges(c); ++rung)
        draws.block->add_accepted(c, rung, 0, pairs_[c].ladder->take_accepted(rung));
  const auto move_all = [&](std::uint64_t round) {
    team_.run(mine_.size() * rungs(),
              [&](std::size_t k) { move(mine_[k / rungs()], k % rungs(), round); });
  };
  const auto exchange_all = [&] {
    team_.run(mine_.size(), [&](std::size_t k) { finish_round(pairs_[mine_[k]]); });
  };
  if (splits_ladders()) {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      std::exception_ptr failure;
      try {
        move_all(round);
      } catch (...) {
        failure = std::current_exception();
      }
      share_energies(failure);
      exchange_all();
    }
  } else if (mine_.size() % threads_ == 0 || seconds_per_round_ < short_round) {
    team_.run(mine_.size(), [&](std::size_t k) {
      for (std::uint64_t round = 0; round < rounds; ++round) {
        for (std::size_t rung = 0; rung < rungs(); ++rung) move(mine_[k], rung, round);
        finish_round(pairs_[mine_[k]]);
      }
    });
  } else {
    for (std::uint64_t round = 0; round < rounds; ++round) {
      move_all(round);
      exchange_all();
    }
  }
  seconds_per_round_ = (wall_seconds() - begin) / static_cast<double>(rounds);
}

std::vector<double> LadderTeam::rejection() const {
  std::vector<double> mean;
  for (std::size_t k = 0; k + 1 < rungs(); ++k) {
    double sum = 0;
    double tried = 0;
    const auto add = [&](const ReplicaLadder& exchanges) {
      sum += exchanges.rejection_sum(k);
      tried += static_cast<double>(exchanges.tried(k));
    };
    for (const Pair& pair : pairs_) {
      add(pair.ladder->exchanges());
      if (pair.partner) add(pair.partner->exchanges());
    }
    mean.push_back(tried > 0 ? sum / tried : 0.5);
  }
  return mean;
}

std::vector<double> LadderTeam::changed_sites() const {
  std::vector<double> mean;
  for (std::size_t k = 0; k < rungs(); ++k) {
    TemperedLadder::ChangedSites sum;
    for (const Pair& pair : pairs_) {
      sum.sites += pair.ladder->changes()[k].sites;
      sum.calls += pair.ladder->changes()[k].calls;
    }
    mean.push_back(sum.calls > 0 ? static_cast<double>(sum.sites) / static_cast<double>(sum.calls)
                                 : 0.0);
  }
  return mean;
}

void LadderTeam::reset_counters() {
  for (Pair& pair : pairs_) {
    pair.ladder->reset_counters();
    if (pair.partner) pair.partner->reset_counters();
  }
  make_room(rungs());
}

void LadderTeam::give_back_accepted(std::size_t rung, const Trace& trace) {
  for (std::size_t c = 0; c < size(); ++c)
    pairs_[c].ladder->give_back_accepted(
        rung, static_cast<std::uint64_t>(std::llround(trace.chains[c].acceptance_rate.back() *
                                                      static_cast<double>(trace.thin))));
}

std::vector<std::vector<std::byte>> LadderTeam::save(
    const std::vector<std::vector<std::vector<std::byte>>>& elsewhere) {
  const auto of_part = [&](std::size_t number) {
    return elsewhere.empty() ? std::vector<std::vector<std::byte>>{} : elsewhere[number];
  };
  std::vector<std::vector<std::byte>> archives(size());
  team_.run(size(), [&](std::size_t c) {
    const Pair& pair = pairs_[c];
    ByteWriter out;
    out.put(std::uint8_t{pair.partner != nullptr});
    if (laws_->of_weights()) out.put(betas());
    pair.ladder->save(out, of_part(c));
    if (pair.partner) pair.partner->save(out, of_part(size() + c));
    out.put(pair.draws.engine().state());
    out.put(pair.tried);
    out.put(pair.changed);
    archives[c] = out.take();
  });
  return archives;
}

void LadderTeam::restore(const std::vector<std::vector<std::byte>>& archives) {
  if (archives.size() != size())
    throw InputError("the saved run has " + std::to_string(archives.size()) + " ladders, not " +
                         std::to_string(size()),
                     "go on with as many ladders as it has");
  if (laws_->of_weights()) {
    ByteReader in(archives.front());
    std::vector<double> betas;
    in.get<std::uint8_t>();
    in.get(betas);
    if (betas.empty() || !std::is_sorted(betas.begin(), betas.end()) || !(betas.front() >= 0) ||
        !std::isfinite(betas.back()))
      ByteReader::damaged();
    place_laws(betas);
  }
  team_.run(size(), [&](std::size_t c) { restore(pairs_[c], archives[c]); });
  for (const Pair& pair : pairs_)
    if (pair.ladder->exchanges().betas() != betas() ||
        (pair.partner && pair.partner->exchanges().betas() != betas()))
      ByteReader::damaged();
}

void LadderTeam::restore(Pair& pair, const std::vector<std::byte>& archive) {
  ByteReader in(archive);
  if ((in.get<std::uint8_t>() != 0) != (pair.partner != nullptr))
    throw InputError(std::string("the saved run was made ") + (pair.partner ? "without" : "with") +
                         " cluster exchange",
                     "go on with the settings that it had");
  if (std::vector<double> betas; laws_->of_weights()) in.get(betas);
  pair.ladder->restore(in);
  if (pair.partner) pair.partner->restore(in);
  const auto engine = in.get<Xoshiro256::State>();
  if (engine == Xoshiro256::State{}) ByteReader::damaged();
  pair.draws.set_engine(Xoshiro256(engine));
  in.get_sized(pair.tried, pair.ladder->rungs());
  in.get_sized(pair.changed, pair.ladder->rungs());
  if (!in.at_end()) ByteReader::damaged();
}

RungResult LadderTeam::collect_rung(std::size_t rung, TemperingResult& result) const {
  RungResult row;
  row.beta = betas()[rung];
  double moves = 0;
  double accepted = 0;
  double changed = 0;
  double tried = 0;
  double swapped = 0;
  double clusters_tried = 0;
  double clusters_changed = 0;
  const auto add = [&](const TemperedLadder& ladder) {
    const TemperedLadder::RungCounters& counters = ladder.counters(rung);
    moves += static_cast<double>(counters.moves);
    accepted += static_cast<double>(counters.accepted);
    changed += static_cast<double>(counters.changed);
    result.steps += counters.steps;
    result.cpu_seconds += counters.cpu_seconds;
    result.recording_seconds += counters.recording_seconds;
    if (rung + 1 == rungs()) return;
    tried += static_cast<double>(ladder.exchanges().tried(rung));
    swapped += static_cast<double>(ladder.exchanges().swapped(rung));
  };
  for (const Pair& pair : pairs_) {
    add(*pair.ladder);
    if (rungs() > 1) row.round_trips += pair.ladder->exchanges().trips().trips(rung);
    if (!pair.partner) continue;
    add(*pair.partner);
    clusters_tried += static_cast<double>(pair.tried[rung]);
    clusters_changed += static_cast<double>(pair.changed[rung]);
  }
  row.acceptance = moves > 0 ? accepted / moves : 0;
  row.changed = moves > 0 ? changed / moves : 0;
  row.swap_rate = tried > 0 ? swapped / tried : nan;
  row.cluster_rate = clusters_tried > 0 ? clusters_changed / clusters_tried : nan;
  return row;
}

void LadderTeam::collect(TemperingResult& result) const {
  const std::vector<double> rejected = rejection();
  double barrier = 0;
  for (std::size_t k = 0; k < rungs(); ++k) {
    result.rungs.push_back(collect_rung(k, result));
    result.rungs.back().barrier = barrier;
    if (k + 1 < rungs()) barrier += barrier_of_rejection(rejected[k]);
  }
  result.best_energy = std::numeric_limits<double>::infinity();
  for (const Pair& pair : pairs_) {
    result.best_energy = std::min(result.best_energy, pair.ladder->best_energy());
    if (pair.partner)
      result.best_energy = std::min(result.best_energy, pair.partner->best_energy());
    result.ladder_trips.push_back(pair.ladder->exchanges().trips().trips(rungs() - 1));
  }
  if (!pairs_.front().partner) return;
  const auto useful = [](const RungResult& rung) { return rung.cluster_rate >= 0.01; };
  if (std::none_of(result.rungs.begin(), result.rungs.end(), useful))
    result.notes.emplace_back(
        "isocluster changed the replicas in fewer than one try in a hundred at every temperature: "
        "they differ in one large cluster; without it the same time buys twice the moves");
}

}  // namespace nhot
