#include "nhot/run/anneal/annealing.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>

#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/anneal/quench.hpp"
#include "nhot/run/anneal/recombine.hpp"
#include "nhot/run/anneal/search.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/thread_team.hpp"
#include "nhot/run/visited_states.hpp"
#include "nhot/run/walker_source.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t batch_size = 16;
constexpr std::uint64_t generation_size = 16;  // its time, in reads of full length
constexpr std::uint64_t first_sweeps = 128;
constexpr std::uint64_t tries_per_block = 4096;  // between looks at the clock, about
constexpr double share_kept = 0.9;               // conditional ESS / size of a temperature step
constexpr std::size_t elite_size = 16;           // states that later generations build on

class Annealer {
 public:
  Annealer(const Model& model, const Shell& shell, const AnnealingPlan& plan, const RunHooks& hooks)
      : model_(model),
        shell_(shell),
        plan_(plan),
        store_(hooks.store),
        search_(model, plan, hooks),
        walkers_(model, shell, plan.population ? "auto" : plan.move, plan.seed),
        schedule_(plan_schedule()),
        team_(
            threads_for(plan.threads, plan.reads ? std::min(*plan.reads, batch_size) : batch_size)),
        threads_(threads_for(plan.threads, batch_size)),
        elite_(elite_size),
        flip_symmetric_(is_flip_symmetric()) {
    if (!plan.population) return;
    populations_.emplace(model, shell, plan.move == "auto" ? "im" : plan.move, schedule_.coldest());
    moves_per_sweep_ = moves_per_sweep(*populations_, plan.seed);
  }

  AnnealingResult run() {
    search_.offer(start_of(0));  // there is a state, however early the end
    at_.sweeps = plan_.sweeps ? plan_.sweeps : first_sweeps;
    restore();
    const auto ended = [&] { return search_.over() || (plan_.reads && at_.begun >= *plan_.reads); };
    while (!ended()) {
      if (at_.batch == 0) at_.sweeps = fitted(at_.sweeps);
      const std::vector<Batch> list = batches(at_.sweeps);
      while (at_.batch < list.size() && !ended()) run_batch(list[at_.batch]);
      if (at_.batch < list.size()) break;
      at_.batch = 0;
      if (!plan_.sweeps && !populations_) at_.sweeps *= 2;
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
    result.hottest = schedule_.hottest();
    result.coldest = schedule_.coldest();
    result.move = populations_ ? populations_->move() : walkers_.move();
    result.reached_target = search_.reached();
    result.interrupted = search_.interrupted();
    return result;
  }

 private:
  CoolingSchedule plan_schedule() {
    std::vector<double> knots;
    if (restore_values(store_, "schedule", knots, pace_)) return CoolingSchedule(knots);
    const auto walker = walkers_.make_band(make_stream(plan_.seed, 1, 0, Purpose::tune));
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

  Bits start_of(std::uint64_t number) const {
    return plan_.start ? *plan_.start : uniform_start(shell_, plan_.seed, 0, number);
  }

  /// Reads that run side by side and are recombined together.
  struct Batch {
    std::uint64_t reads;
    std::uint64_t sweeps;
    bool again;  // reheats good states instead of beginning anew
  };

  /// Between batches.
  struct Position {
    std::uint64_t begun = 0;     // reads
    std::uint64_t sweeps = 0;    // of the generation
    std::uint64_t batch = 0;     // of the generation
    bool short_of_time = false;  // hardly any time for even short reads
  };

  /// What a read leaves.
  struct ReadRecord {
    Bits end;
    std::vector<Bits> offers;  // to the search; only where they are saved
    double sweeps = 0;
  };

  static std::string name_of_read(std::uint64_t number) { return "read " + std::to_string(number); }

  void run_batch(const Batch& batch) {
    const std::uint64_t first = at_.begun;
    const std::uint64_t count =
        plan_.reads ? std::min(batch.reads, *plan_.reads - first) : batch.reads;
    std::vector<Bits> ends(count);
    team_.run(count, [&](std::size_t k) {
      try {
        read(first + k, batch, ends[k]);
      } catch (...) {
        search_.cancel();
        throw;
      }
    });
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
           longest_, elite_.list());
    search_.save(saving);
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
    for (const FoundState& state : elite) elite_.offer(state.energy, state.bits);
    search_.restore(restoring);
  }

  /// A generation: half of the time goes into reads that begin anew, half into shorter ones that
  /// reheat the best so far.
  std::vector<Batch> batches(std::uint64_t sweeps) const {
    if (populations_) return {{batch_size, sweeps, false}};
    std::vector<Batch> list = {{at_.short_of_time ? threads_ : generation_size / 2, sweeps, false}};
    if (plan_.sweeps || sweeps < 16 * first_sweeps) {
      list.push_back({list.front().reads, sweeps, true});
      return list;
    }
    list.push_back({batch_size, sweeps / 4, true});
    list.insert(list.end(), 4, {batch_size, sweeps / 16, true});
    return list;
  }

  /// Reads that would not end in time are made shorter, so that they cool to the end; and where
  /// even short reads take long, there are only as many as threads.
  std::uint64_t fitted(std::uint64_t sweeps) {
    if (!plan_.seconds || plan_.reads || plan_.sweeps || populations_) return sweeps;
    const auto threads = static_cast<double>(threads_);
    const double left = std::max(0.0, *plan_.seconds - search_.elapsed());
    const double pace = done_ > 0 ? search_.elapsed() * threads / done_ : pace_;  // s per sweep
    double room = left * threads / (pace * static_cast<double>(generation_size));
    at_.short_of_time = room < static_cast<double>(std::min(first_sweeps, sweeps));
    if (at_.short_of_time) room *= static_cast<double>(generation_size) / (2 * threads);
    // A generation that leaves no room for a longer one may as well take all of the time.
    if (room < 3 * static_cast<double>(sweeps))
      return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(room));
    return sweeps;
  }

  void read(std::uint64_t number, const Batch& batch, Bits& end) {
    if (search_.over()) return;
    ReadRecord record;
    if (restore_values(store_, name_of_read(number), record.end, record.offers, record.sweeps)) {
      for (const Bits& bits : record.offers) search_.offer(bits);
    } else {
      if (populations_)
        cool_population(number, record);
      else
        cool(number, opening(number, batch), batch.sweeps, record);
      if (!search_.over())
        save_values(store_, name_of_read(number), record.end, record.offers, record.sweeps);
    }
    end = record.end;
    const double done = record.sweeps;
    const std::lock_guard lock(mutex_);
    done_ = done_ + done;
    if (search_.over() && done < static_cast<double>(batch.sweeps)) return;
    ++finished_;
    const auto members = static_cast<double>(std::max<std::size_t>(1, plan_.population));
    longest_ = std::max(longest_,
                        populations_ ? static_cast<std::uint64_t>(done / members) : batch.sweeps);
  }

  /// Where a read begins.
  struct Opening {
    Bits bits;
    double progress = 0;  // of the schedule
  };

  /// Reheating takes better states more often, each to a temperature of its own. Multiples of
  /// irrational numbers, a low-discrepancy sequence, make both choices.
  Opening opening(std::uint64_t number, const Batch& batch) const {
    const std::vector<FoundState>& elite = elite_.list();
    if (!batch.again || elite.empty()) return {start_of(number), 0.0};
    const auto spread = [&](double irrational) {
      const double x = irrational * static_cast<double>(number);
      return x - std::floor(x);
    };
    const double u = spread(0.7548776662466927);
    const auto rank = static_cast<std::size_t>(u * u * static_cast<double>(elite.size()));
    return {elite[std::min(rank, elite.size() - 1)].bits, 0.25 + 0.5 * spread(0.6180339887498949)};
  }

  /// One read.
  void cool(std::uint64_t number, const Opening& opening, std::uint64_t sweeps,
            ReadRecord& record) {
    const auto walker = walkers_.make(make_stream(plan_.seed, 0, number, Purpose::moves));
    VisitedStates visited(plan_.keep, search_.bound());
    if (keeps_many()) walker->tell(visited);
    walker->start(opening.bits);
    const std::uint64_t block =
        std::clamp<std::uint64_t>(tries_per_block / std::max<Site>(1, shell_.sites()), 1, sweeps);
    // A reheated state's old energy does not count: recombination needs where the read ends.
    bool warming = opening.progress > 0;
    std::uint64_t done = 0;
    while (done < sweeps) {
      const std::uint64_t count = std::min(block, sweeps - done);
      const double share =
          sweeps > count ? static_cast<double>(done) / static_cast<double>(sweeps - count) : 1.0;
      walker->sweep(schedule_.at(opening.progress + (1 - opening.progress) * share), count);
      done += count;
      if (warming && 8 * done >= sweeps) {
        offer(walker->best_bits(), record);
        walker->forget_best();
        warming = false;
      }
      if (walker->best_energy() < search_.best_energy()) search_.sight(walker->best_bits());
      search_.report(reads_done(), done_ + static_cast<double>(done));
      if (search_.over()) break;
    }
    record.end = walker->best_bits();
    descend(record.end, visited, record);
    hand_in(visited, record);
    search_.report(reads_done(), done_);
    record.sweeps = static_cast<double>(done);
  }

  /// With more than one state to keep, every state on the way counts; the best one alone is kept by
  /// the walk itself.
  bool keeps_many() const { return plan_.keep > 1; }

  /// Quenches the state and hands it in.
  void descend(Bits& bits, VisitedStates& visited, ReadRecord& record) {
    quench(model_, shell_, bits, [&, late = overdue()] {
      if (keeps_many()) visited.visit(model_.energy(bits), bits);
      return late();
    });
    offer(bits, record);
  }

  void hand_in(VisitedStates& visited, ReadRecord& record) {
    visited.for_each([&](const Bits& bits) { offer(bits, record); });
  }

  void offer(const Bits& bits, ReadRecord& record) {
    if (store_) record.offers.push_back(bits);
    search_.offer(bits);
  }

  /// A descent may outlast the search a little: in a read that was ended early it is what makes its
  /// state worth having, and on small models it takes no time.
  std::function<bool()> overdue() {
    return [this, begin = std::optional<double>()]() mutable {
      if (!search_.over()) return false;
      if (!begin) begin = search_.elapsed();
      return search_.elapsed() - *begin > 0.02 + 0.01 * plan_.seconds.value_or(0);
    };
  }

  /// Recombines the ends of a batch with the best so far.
  void recombine_with_elite(std::vector<Bits>& ends) {
    for (Bits& end : ends) {
      if (end.empty()) continue;  // not begun
      for (const FoundState& other : elite_.list()) {
        if (recombine(model_, shell_, end, other.bits) < 0 && keeps_many()) search_.offer(end);
        if (!flip_symmetric_) continue;
        Bits opposite_bits = other.bits;
        for (Bit& bit : opposite_bits) bit ^= 1;
        if (recombine(model_, shell_, end, opposite_bits) < 0 && keeps_many()) search_.offer(end);
      }
      elite_.offer(model_.energy(end), end);
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

  /// One population as one read. The number of sweeps follows from the steps.
  void cool_population(std::uint64_t number, ReadRecord& record) {
    Population population(*populations_, plan_.seed, 1 + number, plan_.population);
    VisitedStates visited(plan_.keep, search_.bound());
    for (std::size_t k = 0; k < population.size(); ++k) {
      population.member(k).reset_counters();
      population.member(k).record_below(std::numeric_limits<double>::infinity());
      if (keeps_many()) visited.visit(population.member(k).energy(), population.member(k).bits());
    }
    double done = 0;
    while (population.beta() < schedule_.coldest() && !search_.over()) {
      population.reweight(population.next_beta(schedule_.coldest(), share_kept));
      population.resample();
      if (keeps_many())
        advance_and_record(population, visited);
      else
        population.advance(moves_per_sweep_);
      done += static_cast<double>(population.size());
      search_.report(reads_done(), done_ + done);
    }
    std::vector<std::size_t> order(population.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto best_of = [&](std::size_t k) { return population.member(k).counters().best_energy; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return best_of(a) < best_of(b); });
    order.resize(std::min(order.size(), std::max<std::size_t>(plan_.keep, 8)));
    for (const std::size_t k : order) {
      const AnyChain& member = population.member(k);
      Bits bits = member.recorded().empty() ? member.bits() : member.recorded();
      descend(bits, visited, record);
      if (k == order.front()) record.end = bits;
    }
    hand_in(visited, record);
    record.sweeps = done;
  }

  void advance_and_record(Population& population, VisitedStates& visited) const {
    for (std::size_t k = 0; k < population.size(); ++k)
      for (std::uint64_t m = 0; m < moves_per_sweep_; ++m)
        nhot::advance_and_record(population.member(k), visited);
  }

  double reads_done() const {
    return plan_.reads ? static_cast<double>(finished_) / static_cast<double>(*plan_.reads) : 0.0;
  }

  const Model& model_;
  const Shell& shell_;
  const AnnealingPlan& plan_;
  StateStore* store_;
  Search search_;
  WalkerSource walkers_;
  Position at_;
  double pace_ = 0;  // seconds per sweep of the band walk, roughly
  CoolingSchedule schedule_;
  std::optional<ChainFactory> populations_;
  std::uint64_t moves_per_sweep_ = 1;
  ThreadTeam team_;
  std::size_t threads_;
  BestStates elite_;
  bool flip_symmetric_;
  std::mutex mutex_;
  std::atomic<double> done_{0};  // sweeps
  std::atomic<std::uint64_t> finished_{0};
  std::uint64_t longest_ = 0;
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
