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
#include "nhot/run/population.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/temper/stored_tempering.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double resample_below = 0.5;  // ESS / size
constexpr std::uint64_t moves_per_piece = 1024;
constexpr double trusted_spread = 0.5;  // standard deviation of log Z over populations

/// What one population says.
struct PopulationResult {
  double log_ratio = nan;  // of Z(beta) to Z(0)
  double effective_share = 0;
  double families = 0;
  double log_bridge = nan;  // log of the mean of Bennett's sum, see neighbours()
};

/// How far a population has come, beside its members.
struct Stage {
  std::uint64_t steps = 0;     // in temperature, done
  std::uint64_t finished = 0;  // 1: only the result is kept
  PopulationResult result;
};
static_assert(std::is_trivially_copyable_v<Stage>);

/// The populations of one shell.
class PopulationRun {
 public:
  PopulationRun(const ChainFactory& factory, const PartitionPlan& plan, const RunHooks& hooks,
                std::uint64_t shell_number)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        name_(shell_number == 0 ? "" : "next "),
        first_stream_(shell_number * (plan.populations + 1)),
        resampling_(plan.method == PartitionMethod::smc),
        share_(plan.share > 0 ? plan.share
               : resampling_  ? 0.9
                              : 0.98),
        moves_(plan.moves ? plan.moves : moves_per_sweep(factory, plan.seed)) {}

  /// Makes the schedule, with a population of its own; a first guess of log Z comes with it.
  void pilot() {
    betas_ = {0};
    guess_ = factory_.shell().log_states();
    if (factory_.beta() == 0) return;
    if (restore_values(hooks_.store, name_ + "pilot", betas_, guess_)) return;
    Population population(factory_, plan_.seed, first_stream_,
                          std::max<std::size_t>(64, plan_.population));
    const double begin = wall_seconds();
    std::uint64_t done = 0;
    while (population.beta() < factory_.beta()) {
      if (hooks_.progress)
        hooks_.progress({true, population.beta() / factory_.beta(), wall_seconds() - begin, done});
      if (stop()) return;
      const double beta = population.next_beta(factory_.beta(), share_);
      betas_.push_back(beta);
      population.reweight(beta);
      population.resample();
      if (beta < factory_.beta() && !advance(population)) return;
      done += moves_ * population.size();
    }
    guess_ += population.log_ratio();
    save_values(hooks_.store, name_ + "pilot", betas_, guess_);
  }

  double guess() const { return guess_; }

  /// Runs all populations. With `flip_side`, also Bennett's sum over the flips from that side (0
  /// agreeing, 1 differing) with the shift.
  PartitionResult run(std::optional<unsigned> flip_side = {}, double shift = 0) {
    const double begin = wall_seconds();
    const double earlier = take_seconds();
    PartitionResult result;
    result.log_states = factory_.shell().log_states();
    result.betas = betas_;
    std::vector<PopulationResult> parts(plan_.populations);
    std::vector<std::vector<double>> paths(plan_.populations);
    std::vector<char> finished(plan_.populations, 0);
    ThreadTeam team(threads_for(plan_.threads, plan_.populations));
    const double steps =
        static_cast<double>(plan_.populations) * static_cast<double>(betas_.size() - 1);
    double done = 0;
    const auto tick = [&](double count) {  // after every step; false: stop
      if (stop()) return false;
      const std::lock_guard lock(hooks_mutex_);
      done += count;
      if (hooks_.progress)
        hooks_.progress({false, done / steps, wall_seconds() - begin,
                         static_cast<std::uint64_t>(done) * moves_ * plan_.population});
      return true;
    };
    team.run(stopped_ ? 0 : plan_.populations, [&](std::size_t p) {
      finished[p] = one(p, flip_side, shift, parts[p], paths[p], tick);
    });
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (finished[p]) {
        parts_.push_back(parts[p]);
        if (paths[p].size() == betas_.size()) result.log_z_along.push_back(std::move(paths[p]));
      }
    if (result.log_z_along.size() < parts_.size()) result.log_z_along.clear();
    result.interrupted = stopped_;
    result.moves = static_cast<std::uint64_t>(done) * moves_ * plan_.population;
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
  double take_seconds() const { return name_.empty() ? seconds_before(hooks_.store) : 0; }

  bool stop() {
    const std::lock_guard lock(hooks_mutex_);
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    return stopped_;
  }

  /// The moves at one temperature, in pieces after which a stop is obeyed; false when it was.
  bool advance(Population& population) {
    for (std::uint64_t left = moves_; left > 0;) {
      const std::uint64_t now = std::min(left, moves_per_piece);
      population.advance(now);
      left -= now;
      if (left > 0 && stop()) return false;
    }
    return true;
  }

  template <class Tick>
  char one(std::size_t p, std::optional<unsigned> flip_side, double shift, PopulationResult& result,
           std::vector<double>& path, Tick&& tick) {
    if (stopped_) return 0;
    const std::string name = name_ + "population " + std::to_string(p);
    // Saved before the stage, so never shorter than its steps; checkpoints of before have none.
    const std::string name_of_path = "path of " + name;
    Stage stage;
    const auto bytes = hooks_.store ? hooks_.store->find(name) : std::nullopt;
    std::optional<Restoring> restoring;
    if (bytes) {
      restoring.emplace(*bytes);
      (*restoring)(stage);
      if (stage.steps >= betas_.size()) ByteReader::damaged();
      if (stage.steps > 0 && !tick(static_cast<double>(stage.steps))) return 0;
    }
    path.assign(1, factory_.shell().log_states());
    if (stage.steps > 0 || stage.finished != 0) restore_values(hooks_.store, name_of_path, path);
    if (stage.finished != 0) {
      result = stage.result;
      return 1;
    }
    Population population(factory_, plan_.seed, first_stream_ + 1 + p, plan_.population);
    if (restoring) population.restore(*restoring);
    path.resize(std::min<std::size_t>(path.size(), stage.steps + 1));
    for (std::size_t k = stage.steps + 1; k < betas_.size(); ++k) {
      population.reweight(betas_[k]);
      path.push_back(factory_.shell().log_states() + population.log_ratio());
      if (resampling_ && population.effective_share() < resample_below) population.resample();
      // Moves at the last beta change no weight: only Bennett's sum needs them.
      if ((k + 1 < betas_.size() || flip_side) && !advance(population)) return 0;
      stage.steps = k;
      if (hooks_.store && hooks_.store->due()) {
        save_values(hooks_.store, name_of_path, path);
        Saving saving;
        saving(stage);
        population.save(saving);
        hooks_.store->save(name, saving.take());
      }
      if (!tick(1)) return 0;
    }
    result.log_ratio = population.log_ratio();
    result.effective_share = population.effective_share();
    result.families = static_cast<double>(population.families());
    if (flip_side) neighbours(population, *flip_side, shift, result);
    stage.finished = 1;
    stage.result = result;
    save_values(hooks_.store, name_of_path, path);
    save_values(hooks_.store, name, stage);
    return 1;
  }

  void neighbours(const Population& population, unsigned side, double shift,
                  PopulationResult& result) const {
    const Shell& shell = factory_.shell();
    double sum = 0;
    for (std::size_t k = 0; k < population.size(); ++k) {
      const Bits bits = population.member(k).bits();
      const std::vector<double> costs = factory_.model().data().flip_costs(bits);
      for (Site i = 0; i < shell.sites(); ++i)
        if ((bits[i] ^ shell.reference()[i]) == side)
          sum += population.weights()[k] / (1 + std::exp(factory_.beta() * costs[i] + shift));
    }
    result.log_bridge = std::log(sum);
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
    if (resampling_ && result.families < 2 && plan_.population > 2 && betas_.size() > 1)
      result.notes.emplace_back(
          "all members of a population descend from one: use a larger population or more moves");
  }

  const ChainFactory& factory_;
  const PartitionPlan& plan_;
  const RunHooks& hooks_;
  std::string name_;  // before those of what is saved
  std::uint64_t first_stream_;
  bool resampling_;
  double share_;
  std::uint64_t moves_;
  std::vector<double> betas_;
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
