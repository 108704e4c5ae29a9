#include "nhot/run/anneal/annealing.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>

#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/anneal/reads.hpp"
#include "nhot/run/anneal/recombine.hpp"
#include "nhot/run/anneal/remote_reads.hpp"
#include "nhot/run/anneal/search.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t batch_size = 16;
constexpr std::uint64_t generation_size = 16;  // time of a short one, in reads of full length
constexpr std::uint64_t first_sweeps = 128;
constexpr std::size_t elite_size = 16;   // states that later generations build on
constexpr std::size_t recent_size = 16;  // and ends of reads that began anew

class Annealer {
 public:
  Annealer(const Model& model, const Shell& shell, const AnnealingPlan& plan, const RunHooks& hooks)
      : model_(model),
        shell_(shell),
        plan_(plan),
        store_(hooks.store),
        search_(model, plan, hooks),
        good_{BestStates(elite_size), {}},
        reads_(model, shell, plan, search_, good_, hooks.store != nullptr),
        team_(threads_for(threads_of_rank(plan.threads, hooks.ranks),
                          plan.reads ? std::min(*plan.reads, batch_size) : batch_size)),
        threads_(threads_for(threads_of_rank(plan.threads, hooks.ranks), batch_size) *
                 (hooks.ranks ? hooks.ranks->size() : 1)),
        flip_symmetric_(is_flip_symmetric()) {
    reads_.cool_along(plan_schedule());
    if (hooks.ranks && hooks.ranks->size() > 1)
      job_ = begin_reads(*hooks.ranks, model, plan, reads_.schedule());
  }

  AnnealingResult run() {
    search_.offer(reads_.start_of(0));  // there is a state, however early the end
    at_.sweeps = plan_.sweeps ? plan_.sweeps : first_sweeps;
    restore();
    const auto ended = [&] { return search_.over() || (plan_.reads && at_.begun >= *plan_.reads); };
    while (!ended()) {
      if (at_.batch == 0) at_.sweeps = fitted(at_.sweeps);
      const std::vector<ReadBatch> list = batches(at_.sweeps);
      while (at_.batch < list.size() && !ended()) run_batch(list[at_.batch]);
      if (at_.batch < list.size()) break;
      at_.batch = 0;
      if (!plan_.sweeps && !reads_.has_populations()) at_.sweeps *= 2;
    }
    // Where the clock decides, what reads that were cut short have found stays, too; otherwise they
    // are repeated, so that a run that was interrupted ends as one that was not.
    if (plan_.seconds || !search_.interrupted()) save();
    AnnealingResult result;
    result.states = search_.best().list();
    result.seconds = search_.elapsed();
    result.seconds_to_best = search_.seconds_to_best();
    result.trajectory = search_.trajectory();
    result.reads = finished_;
    result.longest_read = longest_;
    result.sweeps = done_;
    result.hottest = reads_.schedule().hottest();
    result.coldest = reads_.schedule().coldest();
    result.move = reads_.move();
    result.reached_target = search_.reached();
    result.interrupted = search_.interrupted();
    return result;
  }

 private:
  CoolingSchedule plan_schedule() {
    std::vector<double> knots;
    if (restore_values(store_, "schedule", knots, pace_)) return CoolingSchedule(knots);
    const auto walker = reads_.walkers().make_band(make_stream(plan_.seed, 1, 0, Purpose::tune));
    CoolingSchedule schedule = plan_cooling(
        model_, shell_, *walker, plan_.cooling, plan_.hottest, plan_.coldest, plan_.seed, [&] {
          search_.report(0, 0);
          return search_.over() || (plan_.seconds && search_.elapsed() > 0.1 * *plan_.seconds);
        });
    const double begin = wall_seconds();
    walker->sweep(schedule.at(0.5), 1);
    pace_ = std::max(1e-9, wall_seconds() - begin);
    if (!search_.over()) save_values(store_, "schedule", schedule.knots(), pace_);
    return schedule;
  }

  /// Between batches.
  struct Position {
    std::uint64_t begun = 0;     // reads
    std::uint64_t sweeps = 0;    // of the generation
    std::uint64_t batch = 0;     // of the generation
    bool short_of_time = false;  // hardly any time for even short reads
  };

  static std::string name_of_read(std::uint64_t number) { return "read " + std::to_string(number); }

  void run_batch(const ReadBatch& batch) {
    const std::uint64_t first = at_.begun;
    const std::uint64_t count =
        plan_.reads ? std::min(batch.reads, *plan_.reads - first) : batch.reads;
    std::vector<Bits> ends(count);
    std::vector<std::vector<std::uint64_t>> dealt(job_ ? job_->ranks() : 1);
    for (std::uint64_t number = first; number < first + count; ++number) {
      const bool stored = store_ && store_->find(name_of_read(number));
      dealt[stored ? 0 : number % dealt.size()].push_back(number);
    }
    for (std::size_t rank = 1; rank < dealt.size(); ++rank)
      job_->tell(rank,
                 pack(batch, dealt[rank], good_.elite.list(), good_.recent, search_.best_energy()));
    team_.run(dealt.front().size(), [&](std::size_t k) {
      const std::uint64_t number = dealt.front()[k];
      try {
        read(number, batch, ends[number - first]);
      } catch (...) {
        search_.cancel();
        throw;
      }
    });
    if (job_) take_reads(batch, first, ends);
    if (batch.kind == ReadKind::anew && reads_.can_merge()) keep_recent(ends);
    recombine_with_elite(ends);
    if (search_.over()) return;
    at_.begun += count;
    ++at_.batch;
    if (!store_) return;
    save();
    for (std::uint64_t k = first; k < at_.begun; ++k) store_->erase(name_of_read(k));
  }

  /// The state between batches. Reads of a batch that is not finished are kept one by one.
  void save() {
    if (!store_) return;
    Saving saving;
    saving(at_.begun, at_.sweeps, at_.batch, at_.short_of_time, done_.load(), finished_.load(),
           longest_, good_.elite.list());
    search_.save(saving);
    saving(good_.recent);
    store_->save("batches", saving.take());
  }
  void restore() {
    const auto bytes = store_ ? store_->find("batches") : std::nullopt;
    if (!bytes) return;
    Restoring restoring(*bytes);
    double done = 0;
    std::uint64_t finished = 0;
    std::vector<FoundState> elite;
    restoring(at_.begun, at_.sweeps, at_.batch, at_.short_of_time, done, finished, longest_, elite);
    done_ = done;
    finished_ = finished;
    for (const FoundState& state : elite) good_.elite.offer(state.energy, state.bits);
    search_.restore(restoring);
    if (!restoring.at_end()) restoring(good_.recent);  // older checkpoints have none
  }

  static bool is_long(std::uint64_t sweeps) { return sweeps >= 16 * first_sweeps; }
  /// Long reads find more than many, so a long generation has few; where the clock decides anyway,
  /// one for each thread.
  std::uint64_t long_reads() const {
    return plan_.reads ? 2 : std::clamp<std::uint64_t>(threads_, 2, generation_size / 2);
  }
  /// In reads of full length.
  std::uint64_t time_of_generation(std::uint64_t sweeps) const {
    return reads_.has_populations() || plan_.sweeps || !is_long(sweeps) ? generation_size
                                                                        : 2 * long_reads() + 3;
  }

  /// A generation: as many reads that begin anew as ones that reheat the best so far; then, when it
  /// is long, shorter ones that cool the blocks on which good states agree, or reheat.
  std::vector<ReadBatch> batches(std::uint64_t sweeps) const {
    if (reads_.has_populations()) return {{batch_size, sweeps, ReadKind::anew}};
    if (plan_.sweeps || !is_long(sweeps)) {
      const std::uint64_t reads = at_.short_of_time ? threads_ : generation_size / 2;
      return {{reads, sweeps, ReadKind::anew}, {reads, sweeps, ReadKind::again}};
    }
    return {{long_reads(), sweeps, ReadKind::anew},
            {long_reads(), sweeps, ReadKind::again},
            {batch_size, sweeps / 8, reads_.can_merge() ? ReadKind::blocks : ReadKind::again},
            {batch_size, sweeps / 16, ReadKind::again}};
  }

  /// Reads that would not end in time are made shorter, so that they cool to the end; and where
  /// even short reads take long, there are only as many as threads.
  std::uint64_t fitted(std::uint64_t sweeps) {
    if (!plan_.seconds || plan_.reads || plan_.sweeps || reads_.has_populations()) return sweeps;
    const auto threads = static_cast<double>(threads_);
    const double left = std::max(0.0, *plan_.seconds - search_.elapsed());
    const double pace = done_ > 0 ? search_.elapsed() * threads / done_ : pace_;  // s per sweep
    const auto time = static_cast<double>(time_of_generation(sweeps));
    double room = left * threads / (pace * time);
    if (is_long(sweeps) && !is_long(static_cast<std::uint64_t>(room)))
      room *= time / static_cast<double>(generation_size);  // a short one instead
    at_.short_of_time = room < static_cast<double>(std::min(first_sweeps, sweeps));
    if (at_.short_of_time) room *= static_cast<double>(generation_size) / (2 * threads);
    // A generation that leaves no room for a longer one may as well take all of the time.
    if (room < 3 * static_cast<double>(sweeps))
      return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(room));
    return sweeps;
  }

  void read(std::uint64_t number, const ReadBatch& batch, Bits& end) {
    if (search_.over()) return;
    ReadRecord record;
    if (restore_values(store_, name_of_read(number), record)) {
      for (const Bits& bits : record.offers) search_.offer(bits);
    } else {
      record = reads_.make(number, batch,
                           [&](double sweeps) { search_.report(reads_done(), done_ + sweeps); });
      if (!search_.over()) save_values(store_, name_of_read(number), record);
    }
    count(record, batch);
    end = std::move(record.end);
  }

  void count(const ReadRecord& record, const ReadBatch& batch) {
    const std::lock_guard lock(mutex_);
    done_ = done_ + record.sweeps;
    search_.report(reads_done(), done_);
    if (search_.over() && record.sweeps < static_cast<double>(batch.sweeps)) return;
    ++finished_;
    const auto members = static_cast<double>(std::max<std::size_t>(1, plan_.population));
    longest_ = std::max(longest_, reads_.has_populations()
                                      ? static_cast<std::uint64_t>(record.sweeps / members)
                                      : batch.sweeps);
  }

  /// The reads of the other ranks.
  void take_reads(const ReadBatch& batch, std::uint64_t first, std::vector<Bits>& ends) {
    const auto take = [&](std::size_t, const Message& message, bool) {
      std::vector<RemoteRead> reads;
      unpack(message, reads);
      for (RemoteRead& read : reads) {
        for (const Bits& bits : read.record.offers) search_.offer(bits);
        if (read.whole) save_values(store_, name_of_read(read.number), read.record);
        count(read.record, batch);
        ends[read.number - first] = std::move(read.record.end);
      }
    };
    while (job_->collect(take)) {
      if (search_.over()) job_->stop();
      wait_for_ranks();
    }
  }

  void keep_recent(const std::vector<Bits>& ends) {
    std::vector<Bits>& recent = good_.recent;
    for (const Bits& end : ends)
      if (!end.empty()) recent.push_back(end);
    if (recent.size() > recent_size)
      recent.erase(recent.begin(), recent.end() - static_cast<std::ptrdiff_t>(recent_size));
  }

  /// Recombines the ends of a batch with the best so far.
  void recombine_with_elite(std::vector<Bits>& ends) {
    for (Bits& end : ends) {
      if (end.empty()) continue;  // not begun
      for (const FoundState& other : good_.elite.list()) {
        if (recombine(model_, shell_, end, other.bits) < 0 && reads_.keeps_many())
          search_.offer(end);
        if (!flip_symmetric_) continue;
        Bits opposite_bits = other.bits;
        for (Bit& bit : opposite_bits) bit ^= 1;
        if (recombine(model_, shell_, end, opposite_bits) < 0 && reads_.keeps_many())
          search_.offer(end);
      }
      good_.elite.offer(model_.energy(end), end);
      search_.offer(end);
    }
  }

  /// Whether E is invariant under flipping all sites, as far as four random states tell.
  bool is_flip_symmetric() const {
    RandomDraws draws(make_stream(plan_.seed, 2, 0, Purpose::tune));
    for (int k = 0; k < 4; ++k) {
      Bits bits = shell_.draw_uniform(draws);
      const double energy = model_.energy(bits);
      for (Bit& bit : bits) bit ^= 1;
      if (std::abs(model_.energy(bits) - energy) > 1e-9 * (1 + std::abs(energy))) return false;
    }
    return true;
  }

  double reads_done() const {
    return plan_.reads ? static_cast<double>(finished_) / static_cast<double>(*plan_.reads) : 0.0;
  }

  const Model& model_;
  const Shell& shell_;
  const AnnealingPlan& plan_;
  StateStore* store_;
  Search search_;
  Position at_;
  double pace_ = 0;  // seconds per sweep of the band walk, roughly
  GoodStates good_;
  ReadMaker reads_;
  ThreadTeam team_;
  std::size_t threads_;  // of all ranks
  bool flip_symmetric_;
  std::mutex mutex_;
  std::atomic<double> done_{0};  // sweeps
  std::atomic<std::uint64_t> finished_{0};
  std::uint64_t longest_ = 0;
  std::unique_ptr<RankJob> job_;  // none without other ranks
};

}  // namespace

AnnealingResult anneal(const Model& model, const Shell& shell, const AnnealingPlan& plan,
                       const RunHooks& hooks) {
  if (!plan.reads && !plan.seconds)
    throw InputError("annealing needs a number of reads or of seconds",
                     "give {reads N} or {seconds S}");
  if (plan.keep == 0) throw InputError("there is no state to keep", "give {keep 1} or more");
  if (shell.sites() != model.sites())
    throw InputError("the reference has " + std::to_string(shell.sites()) +
                         " bits but the model has " + std::to_string(model.sites()) + " sites",
                     "give one bit per site");
  if (plan.start) check_start(shell, *plan.start);
  return Annealer(model, shell, plan, hooks).run();
}

}  // namespace nhot
