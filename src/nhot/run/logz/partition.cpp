#include "nhot/run/logz/partition.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/types.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/logz/cooled_population.hpp"
#include "nhot/run/logz/remote_populations.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/temper/stored_tempering.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double trusted_spread = 0.5;  // standard deviation of log Z over populations

/// The populations of one shell.
class PopulationRun {
 public:
  PopulationRun(const ChainFactory& factory, const PartitionPlan& plan, const RunHooks& hooks,
                std::uint64_t shell_number)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        share_(plan.share > 0                        ? plan.share
               : plan.method == PartitionMethod::smc ? 0.9
                                                     : 0.98) {
    task_.name = shell_number == 0 ? "" : "next ";
    task_.first_stream = shell_number * (plan.populations + 1);
    task_.resampling = plan.method == PartitionMethod::smc;
    task_.moves = plan.moves ? plan.moves : moves_per_sweep(factory, plan.seed);
    task_.members = plan.population;
    task_.seed = plan.seed;
  }

  /// Makes the schedule, with a population of its own; a first guess of log Z comes with it.
  void pilot() {
    task_.betas = {0};
    guess_ = factory_.shell().log_states();
    if (factory_.beta() == 0) return;
    if (restore_values(hooks_.store, task_.name + "pilot", task_.betas, guess_)) return;
    Population population(factory_, plan_.seed, task_.first_stream,
                          std::max<std::size_t>(64, plan_.population));
    const double begin = wall_seconds();
    std::uint64_t done = 0;
    while (population.beta() < factory_.beta()) {
      if (hooks_.progress)
        hooks_.progress({true, population.beta() / factory_.beta(), wall_seconds() - begin, done});
      if (stop()) return;
      const double beta = population.next_beta(factory_.beta(), share_);
      task_.betas.push_back(beta);
      population.reweight(beta);
      population.resample();
      if (beta < factory_.beta() &&
          !advance_unless_stopped(population, task_.moves, [&] { return stop(); }))
        return;
      done += task_.moves * population.size();
    }
    guess_ += population.log_ratio();
    save_values(hooks_.store, task_.name + "pilot", task_.betas, guess_);
  }

  double guess() const { return guess_; }

  /// Runs all populations. With `flip_side`, also Bennett's sum over the flips from that side (0
  /// agreeing, 1 differing) with the shift.
  PartitionResult run(std::optional<unsigned> flip_side = {}, double shift = 0) {
    const double begin = wall_seconds();
    const double earlier = take_seconds();
    PartitionResult result;
    result.log_states = factory_.shell().log_states();
    result.betas = task_.betas;
    task_.flip_side = flip_side;
    task_.shift = shift;
    std::vector<std::optional<CooledPopulation>> parts(plan_.populations);
    const double steps =
        static_cast<double>(plan_.populations) * static_cast<double>(task_.betas.size() - 1);
    double done = 0;
    std::optional<RemotePopulations> others;
    if (hooks_.ranks && hooks_.ranks->size() > 1 && !stopped_)
      others.emplace(*hooks_.ranks, factory_, task_, plan_.populations, threads(), hooks_.store);
    const auto take = [&](std::size_t p, const CooledPopulation& part) { parts[p] = part; };
    bool more = false;                     // is to come from other ranks
    const auto tick = [&](double count) {  // after every step; false: stop
      if (stop()) return false;
      const std::lock_guard lock(hooks_mutex_);
      done += count;
      more = others && others->collect(take, done);
      if (hooks_.progress)
        hooks_.progress({false, done / steps, wall_seconds() - begin,
                         static_cast<std::uint64_t>(done) * task_.moves * plan_.population});
      return true;
    };
    const PopulationCooler cooler(factory_, task_, hooks_.store);
    std::vector<std::size_t> own;
    for (std::size_t p = 0; p < parts.size() && !stopped_; ++p)
      if (!others || !others->has(p)) own.push_back(p);
    ThreadTeam team(threads_for(threads(), own.size()));
    team.run(own.size(), [&](std::size_t k) {
      parts[own[k]] = cooler.cool(
          own[k], [&] { return stop(); }, tick);
    });
    while (others && tick(0) && more) wait_for_ranks();
    if (others && stopped_) {
      others->stop();
      while (others->collect(take, done)) wait_for_ranks();
    }
    for (std::optional<CooledPopulation>& part : parts) {
      if (!part) continue;
      parts_.push_back(part->result);
      if (part->path.size() == task_.betas.size())
        result.log_z_along.push_back(std::move(part->path));
    }
    if (result.log_z_along.size() < parts_.size()) result.log_z_along.clear();
    result.interrupted = stopped_;
    result.moves = static_cast<std::uint64_t>(done) * task_.moves * plan_.population;
    combine(result);
    result.seconds = earlier + wall_seconds() - begin;
    return result;
  }

  /// Bennett's mean over all populations, on the log scale.
  LogEstimate bridge() const {
    std::vector<double> weights;
    std::vector<double> sums;
    for (const PopulationResult& part : parts_) {
      weights.push_back(part.log_ratio);
      sums.push_back(part.log_ratio + part.log_bridge);
    }
    return log_of_ratio(sums, weights);
  }

 private:
  /// Seconds of earlier starts, counted once: by the shell itself.
  double take_seconds() const { return task_.name.empty() ? seconds_before(hooks_.store) : 0; }

  std::uint64_t threads() const { return threads_of_rank(plan_.threads, hooks_.ranks); }

  bool stop() {
    const std::lock_guard lock(hooks_mutex_);
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return stopped_;
  }

  void combine(PartitionResult& result) const {
    result.log_z = {nan, nan};
    if (parts_.size() < 2)
      result.notes.emplace_back(
          "fewer than two populations were finished, so there is no error bar");
    if (parts_.empty()) return;
    result.effective_share = 0;
    for (const PopulationResult& part : parts_) {
      result.log_z_of.push_back(result.log_states + part.log_ratio);
      result.effective_share += part.effective_share / static_cast<double>(parts_.size());
      result.families += part.families / static_cast<double>(parts_.size());
    }
    result.log_z = log_of_mean(result.log_z_of);
    if (parts_.size() > 1 && std::sqrt(sample_variance(result.log_z_of)) > trusted_spread)
      result.notes.emplace_back(
          "the populations disagree (the standard deviation of their log Z is above 0.5): the "
          "estimate may be too low by more than its error; use more moves or a larger population");
    if (task_.resampling && result.families < 2 && plan_.population > 2 && task_.betas.size() > 1)
      result.notes.emplace_back(
          "all members of a population descend from one: use a larger population or more moves");
  }

  const ChainFactory& factory_;
  const PartitionPlan& plan_;
  const RunHooks& hooks_;
  double share_;
  PopulationTask task_;
  double guess_ = 0;
  std::vector<PopulationResult> parts_;
  std::mutex hooks_mutex_;
  std::atomic<bool> stopped_{false};
};

/// Chains of the shell at distance n + 1. The move is fitted to it anew, as what is resolved for
/// one shell, such as a length, may not fit the next. A shell of one state needs no particular
/// move.
ChainFactory factory_beyond(const ChainFactory& factory, const PartitionPlan& plan) {
  const Shell shell(factory.shell().reference(), factory.shell().distance() + 1);
  const bool single = shell.distance() == shell.sites();
  const std::string& move = plan.move.empty() ? factory.move() : plan.move;
  try {
    return {factory.model(), shell, single ? "swap" : move, factory.beta()};
  } catch (const InputError& error) {
    throw InputError("the ratio also needs the shell at distance " +
                         std::to_string(shell.distance()) + ", and there: " + error.what(),
                     error.hint());
  }
}

PartitionResult estimate_by_populations(const ChainFactory& factory, const PartitionPlan& plan,
                                        const RunHooks& hooks) {
  const Shell& shell = factory.shell();
  const bool last = shell.distance() == shell.sites();
  std::optional<ChainFactory> beyond;
  if (plan.ratio && !last) beyond.emplace(factory_beyond(factory, plan));
  PopulationRun here(factory, plan, hooks, 0);
  here.pilot();
  if (!beyond) {
    PartitionResult result = here.run();
    if (plan.ratio)
      result.notes.push_back("there is no ratio to the next shell: at distance " +
                             std::to_string(shell.distance()) + " of " +
                             std::to_string(shell.sites()) + " sites this is the last one");
    return result;
  }
  PopulationRun next(*beyond, plan, hooks, 1);
  next.pilot();
  // Bennett's best c: log of (M - n) Z_n / ((n + 1) Z_{n+1}), from the pilots.
  const double n = shell.distance();
  const double shift = here.guess() - next.guess() + std::log(shell.sites() - n) - std::log(n + 1);
  PartitionResult result = here.run(0U, -shift);
  const PartitionResult other = next.run(1U, shift);
  result.interrupted = result.interrupted || other.interrupted;
  result.seconds += other.seconds;
  result.moves += other.moves;
  if (result.interrupted) return result;
  const LogEstimate up = here.bridge();
  const LogEstimate down = next.bridge();
  result.has_ratio = true;
  result.log_ratio = {up.value - down.value - shift,
                      std::hypot(up.stderr_value, down.stderr_value)};
  return result;
}

}  // namespace

PartitionResult estimate_partition(const ChainFactory& factory, const PartitionPlan& plan,
                                   const RunHooks& hooks) {
  if (plan.populations < 2)
    throw InputError("one population gives no error bar", "give {populations 16}");
  if (plan.population < 2)
    throw InputError("a population needs at least two members", "give {population 64}");
  if (plan.ratio && factory.shell().grouped())
    throw InputError("the ratio is that of two distances of one group, and this shell has " +
                         std::to_string(factory.shell().groups()) + " groups",
                     "leave out {ratio}, and take the difference of two runs");
  if (plan.method != PartitionMethod::ti) return estimate_by_populations(factory, plan, hooks);
  if (plan.ratio)
    throw InputError("method ti does not give the ratio", "use {method smc} with {ratio}");
  TemperingPlan tempering;
  tempering.chains = plan.populations;
  tempering.threads = plan.threads;
  tempering.seed = plan.seed;
  tempering.seconds = plan.seconds;
  tempering.states = 0;
  return integrate_tempering(
      run_stored_tempering(factory, tempering, TemperingHooks(hooks), hooks.store),
      factory.shell().log_states());
}

}  // namespace nhot
