// What the teams of several ranks tell one another.
#include <algorithm>

#include "nhot/base/bytes.hpp"
#include "nhot/run/temper/ladder_team.hpp"

namespace nhot {
namespace {

using Counters = TemperedLadder::RungCounters;
using ChangedSites = TemperedLadder::ChangedSites;

/// Those of the rungs that the replicas of this rank have visited: of many rungs few.
void save_counters(const std::vector<Counters>& all, double best,
                   const std::vector<ChangedSites>& all_changes, Saving& saving) {
  std::vector<ChangedSites> changes;
  std::vector<std::uint64_t> visited;
  std::vector<Counters> counters;
  for (std::size_t rung = 0; rung < all.size(); ++rung) {
    if (all[rung].moves == 0 && all[rung].cpu_seconds == 0) continue;
    visited.push_back(rung);
    counters.push_back(all[rung]);
    changes.push_back(all_changes[rung]);
  }
  saving(visited, counters, changes, best);
}

/// As a ByteWriter writes it.
template <class Save>
std::vector<std::byte> archive_of(Save&& save) {
  ByteWriter out;
  save(out);
  return out.take();
}

}  // namespace

std::vector<std::vector<Bits>> LadderTeam::states() const {
  std::vector<std::vector<Bits>> all(parts());
  for (std::size_t p = 0; p < parts(); ++p)
    for (std::size_t r = 0; r < part(p).rungs(); ++r)
      all[p].push_back(part(p).has(r) ? part(p).replica(r).bits() : Bits{});
  return all;
}

std::vector<std::vector<std::vector<std::byte>>> LadderTeam::replica_archives() const {
  std::vector<std::vector<std::vector<std::byte>>> all(parts());
  for (std::size_t p = 0; p < parts(); ++p)
    for (std::size_t r = 0; r < part(p).replicas(); ++r) {
      all[p].emplace_back();
      if (part(p).has(r))
        all[p].back() = archive_of([&](ByteWriter& out) { part(p).replica(r).save(out); });
    }
  return all;
}

void LadderTeam::place(const std::vector<double>& betas,
                       const std::vector<std::vector<Bits>>& states) {
  place_laws(betas);
  for (std::size_t p = 0; p < parts(); ++p) part(p).place(betas, states[p]);
  make_room(betas.size());
}

/// One number per own replica, after one that says whether this rank goes on.
void LadderTeam::share_energies(const std::exception_ptr& failure) {
  const std::size_t ranks = share_.ranks();
  std::vector<std::vector<double>> by_rank(ranks);
  for (std::size_t p = 0; p < parts(); ++p)
    for (std::size_t r = 0; r < rungs(); ++r)
      by_rank[rank_of(p, r)].push_back(part(p).has(r) && !failure ? part(p).energy(r) : 0);
  std::size_t width = 0;
  for (const std::vector<double>& list : by_rank) width = std::max(width, list.size() + 1);
  std::vector<double> mine = by_rank[share_.rank()];
  mine.insert(mine.begin(), failure ? 1.0 : 0.0);
  mine.resize(width);
  std::vector<double> all(width * ranks);
  ranks_->all_gather(mine, all);
  if (failure) std::rethrow_exception(failure);
  std::vector<std::size_t> next(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    if (all[rank * width] != 0) throw OtherRankFailed();
    next[rank] = rank * width + 1;
  }
  for (std::size_t p = 0; p < parts(); ++p)
    for (std::size_t r = 0; r < rungs(); ++r) part(p).set_energy(r, all[next[rank_of(p, r)]++]);
}

void LadderTeam::save_progress(Saving& saving) {
  for (std::size_t p = 0; p < parts(); ++p)
    save_counters(part(p).take_counters(), part(p).best_energy(), part(p).take_changes(), saving);
  if (splits_ladders()) return;
  for (const std::size_t c : mine_) {
    Pair& pair = pairs_[c];
    saving(std::uint64_t{c}, archive_of([&](ByteWriter& out) {
             pair.ladder->save_exchanges(out);
             if (pair.partner) pair.partner->save_exchanges(out);
           }),
           pair.draws.engine().state(), pair.tried, pair.changed);
  }
}

void LadderTeam::merge_progress(Restoring& restoring) {
  for (std::size_t p = 0; p < parts(); ++p) {
    std::vector<std::uint64_t> visited;
    std::vector<Counters> counters;
    std::vector<ChangedSites> changes;
    double best = 0;
    restoring(visited, counters, changes, best);
    std::vector<Counters> all(rungs());
    std::vector<ChangedSites> all_changes(rungs());
    for (std::size_t k = 0; k < visited.size(); ++k) {
      all.at(visited[k]) = counters.at(k);
      all_changes[visited[k]] = changes.at(k);
    }
    part(p).add_counters(all);
    part(p).add_changes(all_changes);
    part(p).note_best(best);
  }
  while (!restoring.at_end()) {
    std::uint64_t c = 0;
    std::vector<std::byte> exchanges;
    Xoshiro256::State engine{};
    restoring(c);
    Pair& pair = pairs_.at(c);
    restoring(exchanges, engine, pair.tried, pair.changed);
    ByteReader in(exchanges);
    pair.ladder->restore_exchanges(in);
    if (pair.partner) pair.partner->restore_exchanges(in);
    pair.draws.set_engine(Xoshiro256(engine));
  }
}

}  // namespace nhot
