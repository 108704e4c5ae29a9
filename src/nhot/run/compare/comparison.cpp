#include "nhot/run/compare/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/compare/comparison_results.hpp"
#include "nhot/run/compare/thread_chains.hpp"
#include "nhot/run/start.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double report_seconds = 0.2;               // between looks at Ctrl-C and progress
constexpr std::uint64_t state_bytes = 256ULL << 20;  // for the states of all chains
// Observables are measured on every state, which takes time in proportion to the sites.
constexpr std::uint64_t measured_sites = 1ULL << 26;
constexpr std::uint64_t fewest_states = 256;
constexpr std::uint64_t draw_bytes = 256ULL << 20;  // for their draws
constexpr std::uint64_t bytes_of_draw = 32;
constexpr double pilot_seconds = 0.002;
constexpr double least_draw_seconds = 1e-5;  // closer draws would cost more than the moves between
constexpr double aimed_share = 0.7;  // share of the draws to aim for: speed may turn out higher

/// Gives every contestant its slices.
class ComparisonDriver {
 public:
  ComparisonDriver(const std::vector<Contestant>& contestants, const ComparisonPlan& plan,
                   const ComparisonHooks& hooks)
      : contestants_(contestants),
        plan_(plan),
        hooks_(hooks),
        observables_(observables_for(contestants.front().factory->model(), plan.observables)),
        threads_(threads_for(plan.threads, plan.chains)),
        team_(threads_) {
    if (restore()) return;
    make_groups();
    const double work =
        static_cast<double>(contestants.size() * plan.chains) / static_cast<double>(threads_);
    slice_ = std::min(std::max(report_seconds / work, 0.001), plan.slice_seconds);
    if (plan.seconds) slice_ = std::min(slice_, std::max(1e-4, *plan.seconds / 20));
    slices_per_round_ =
        static_cast<std::uint64_t>(std::max(1.0, std::floor(report_seconds / (work * slice_))));
  }

  std::vector<ContestantResult> run() {
    begin_ = wall_seconds() - before_;
    const double limit = plan_.seconds ? *plan_.seconds / (1 - plan_.warmup) *
                                             static_cast<double>(contestants_.size())
                                       : 0;
    while (!(plan_.seconds ? elapsed() >= limit : all_finished())) {
      if (hooks_.stop && hooks_.stop()) {
        stopped_ = true;
        break;
      }
      team_.run(groups_.front().size(), [&](std::size_t g) { run_round(g); });
      round_ += slices_per_round_;
      report(plan_.seconds ? elapsed() / limit : share_of_moves());
      if (hooks_.store && hooks_.store->due()) save();
    }
    save();
    std::vector<ContestantResult> results;
    for (std::size_t k = 0; k < contestants_.size(); ++k) {
      results.push_back(
          collect_results(contestants_[k], groups_[k], observables_, plan_.warmup, threads_));
      results.back().run.interrupted = stopped_;
    }
    return results;
  }

 private:
  // --- preparation

  void make_groups() {
    const std::size_t sites = contestants_.front().factory->model().sites();
    const std::size_t packed_bytes = sizeof(PackedBits) + (sites + 7) / 8;
    const std::size_t rows = contestants_.size() * plan_.chains;
    const std::size_t max_states = static_cast<std::size_t>(std::clamp<std::uint64_t>(
        std::min(state_bytes / std::max<std::uint64_t>(1, packed_bytes * rows),
                 std::max(fewest_states, measured_sites / sites)),
        4, plan_.max_states));
    const std::size_t max_draws = std::min(
        plan_.max_draws, std::max<std::size_t>(1 << 12, draw_bytes / (bytes_of_draw * rows)));
    const std::vector<Bits> starts =
        starts_of(contestants_.front().factory->shell(), plan_.seed, plan_.chains, plan_.start);
    std::vector<double> paces(contestants_.size());  // seconds per move, where someone needs them
    if (std::any_of(contestants_.begin(), contestants_.end(),
                    [](const Contestant& contestant) { return contestant.moves == 0; }))
      for (std::size_t k = 0; k < contestants_.size(); ++k)
        paces[k] = seconds_per_move(contestants_[k], starts.front());
    const double seconds = expected_seconds(paces.front());
    for (std::size_t k = 0; k < contestants_.size(); ++k) {
      const Contestant& contestant = contestants_[k];
      // Known numbers of moves fit exactly and depend on no clock; others leave room.
      const bool known = contestant.moves > 0;
      const double moves =
          known ? static_cast<double>(contestant.moves) : std::max(1.0, seconds / paces[k]);
      const double share = known ? 1.0 : aimed_share;
      const double least = known ? 1.0 : std::ceil(least_draw_seconds / paces[k]);
      const double thin =
          std::max({1.0, least, std::ceil(moves / (share * static_cast<double>(max_draws)))});
      const double draws = moves / thin;
      const auto stride = std::bit_ceil(static_cast<std::uint64_t>(
          std::max(1.0, std::ceil(draws / (share * static_cast<double>(max_states - 1))))));
      // A recorder halves as soon as the next state might not fit; a known number just fits.
      const std::size_t capacity = max_draws + (known ? stride : 0);
      add_contestant(starts, [&] {
        return std::make_unique<ChainRecorder>(static_cast<std::uint64_t>(thin), stride, capacity,
                                               max_states, observables_.size());
      });
    }
  }

  /// The next contestant's chains, in groups.
  template <class MakeRecorder>
  void add_contestant(const std::vector<Bits>& starts, MakeRecorder&& make_recorder) {
    const std::size_t k = groups_.size();
    const Contestant& contestant = contestants_[k];
    groups_.emplace_back();
    for (const auto& [first, last] : chains_in_groups(plan_.chains, threads_)) {
      std::vector<ChainWithRecorder> members;
      for (std::size_t c = first; c < last; ++c)
        members.push_back(
            {contestant.factory->make(make_stream(plan_.seed, k, c, Purpose::moves), starts[c]),
             make_recorder()});
      groups_.back().emplace_back(std::move(members), contestant.moves);
    }
  }

  // --- checkpoints

  void save() {
    if (!hooks_.store) return;
    Saving saving;
    saving(static_cast<std::uint64_t>(threads_), slice_, slices_per_round_, round_, elapsed());
    for (const auto& teams : groups_)
      for (const ThreadChains& team : teams) team.save(saving);
    hooks_.store->save("chains", saving.take());
  }

  /// Groups are as they were, whatever the number of threads is now: chains of a group are equally
  /// long.
  bool restore() {
    const auto bytes = hooks_.store ? hooks_.store->find("chains") : std::nullopt;
    if (!bytes) return false;
    Restoring restoring(*bytes);
    std::uint64_t groups = 0;
    restoring(groups, slice_, slices_per_round_, round_, before_);
    if (groups == 0 || groups > plan_.chains) ByteReader::damaged();
    threads_ = groups;
    const std::vector<Bits> starts =
        starts_of(contestants_.front().factory->shell(), plan_.seed, plan_.chains, plan_.start);
    while (groups_.size() < contestants_.size())
      add_contestant(
          starts, [&] { return std::make_unique<ChainRecorder>(1, 1, 2, 2, observables_.size()); });
    for (auto& teams : groups_)
      for (ThreadChains& team : teams) team.restore(restoring);
    return true;
  }

  /// CPU time of a chain, warm-up included; `first_pace`: of the first contestant.
  double expected_seconds(double first_pace) const {
    if (!plan_.seconds) return static_cast<double>(contestants_.front().moves) * first_pace;
    return *plan_.seconds / (1 - plan_.warmup) * static_cast<double>(threads_) /
           static_cast<double>(plan_.chains);
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
      groups_[0][g].run_to(target, observables_);
      // Take turns, so that none always comes after the same one.
      for (std::size_t k = 0; k < others; ++k) {
        ThreadChains& team = groups_[1 + (k + s) % others][g];
        team.run_to(team.moves() > 0 ? target : std::min(target, limit(g)), observables_);
      }
    }
  }

  /// The CPU time that every chain of a group without a number of moves may use.
  double limit(std::size_t g) const {
    const ThreadChains& leader = groups_[0][g];
    return !plan_.seconds && leader.finished() ? leader.cpu_seconds()
                                               : std::numeric_limits<double>::infinity();
  }

  bool all_finished() const {
    for (const auto& teams : groups_)
      for (std::size_t g = 0; g < teams.size(); ++g) {
        const ThreadChains& team = teams[g];
        if (!(team.moves() > 0 ? team.finished() : team.cpu_seconds() >= limit(g))) return false;
      }
    return true;
  }

  double share_of_moves() const {
    double done = 0;
    double wanted = 0;
    for (const ThreadChains& team : groups_[0]) {
      done += static_cast<double>(team.done());
      wanted += static_cast<double>(team.moves());
    }
    return done / wanted;
  }

  double elapsed() const { return wall_seconds() - begin_; }

  void report(double fraction) const {
    if (!hooks_.progress) return;
    double moves = 0;
    for (const auto& teams : groups_)
      for (const ThreadChains& team : teams)
        moves += static_cast<double>(team.done() * team.members().size());
    hooks_.progress({std::min(1.0, fraction), elapsed(), moves});
  }

  const std::vector<Contestant>& contestants_;
  const ComparisonPlan& plan_;
  const ComparisonHooks& hooks_;
  Observables observables_;
  std::size_t threads_;
  ThreadTeam team_;
  std::vector<std::vector<ThreadChains>> groups_;  // [contestant][group of chains]
  double slice_ = 0;
  std::uint64_t slices_per_round_ = 1;
  std::uint64_t round_ = 0;  // slices done
  double begin_ = 0;
  double before_ = 0;  // seconds of earlier starts
  bool stopped_ = false;
};

}  // namespace

std::vector<ContestantResult> run_comparison(const std::vector<Contestant>& contestants,
                                             const ComparisonPlan& plan,
                                             const ComparisonHooks& hooks) {
  if (contestants.empty()) throw InputError("there is nothing to compare", "name two moves");
  if (plan.chains == 0) throw InputError("a run needs at least one chain", "give {chains 4}");
  if (!plan.seconds && contestants.front().moves == 0)
    throw InputError("a comparison needs a time, or a number of moves of its first move",
                     "give {seconds S} or {moves N}");
  for (const Contestant& contestant : contestants) {
    NHOT_EXPECTS(contestant.factory->model().sites() ==
                 contestants.front().factory->model().sites());
    if (plan.start) check_start(contestant.factory->shell(), *plan.start);
  }
  return ComparisonDriver(contestants, plan, hooks).run();
}

}  // namespace nhot
