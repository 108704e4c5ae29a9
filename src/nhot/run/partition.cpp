#include "nhot/run/partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/model/flip_costs.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr double resample_below = 0.5;  // of the members in effect
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double log_sum(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(largest)) return largest;
  double sum = 0;
  for (const double value : logs) sum += std::exp(value - largest);
  return std::log(sum) + largest;
}

/// The log of the sum leaving out one after the other.
std::vector<double> log_sums_without(const std::vector<double>& logs) {
  std::vector<double> results;
  for (std::size_t k = 0; k < logs.size(); ++k) {
    std::vector<double> rest = logs;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    results.push_back(log_sum(rest));
  }
  return results;
}

double jackknife_error(const std::vector<double>& leaving_one_out) {
  const auto count = static_cast<double>(leaving_one_out.size());
  return std::sqrt(sample_variance(leaving_one_out) * (count - 1) * (count - 1) / count);
}

// --- populations
// -----------------------------------------------------------------------------------

/// What one population says.
struct PopulationResult {
  double log_ratio = nan;  // of Z(beta) to Z(0)
  double effective_share = 0;
  double families = 0;
  double log_up = nan;  // log of the mean over members of Z_{n+1} / Z_n, and down
  double log_down = nan;
};

class PopulationRun {
 public:
  PopulationRun(const ChainFactory& factory, const PartitionPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        resampling_(plan.method == PartitionMethod::smc),
        share_(plan.share > 0 ? plan.share
               : resampling_  ? 0.9
                              : 0.98),
        moves_(plan.moves ? plan.moves : moves_per_sweep(factory, plan.seed)) {}

  PartitionResult run() {
    const double begin = wall_seconds();
    PartitionResult result;
    result.log_states = factory_.shell().log_states();
    result.betas = pilot();
    std::vector<PopulationResult> parts(plan_.populations);
    std::vector<char> finished(plan_.populations, 0);
    ThreadTeam team(threads_for(plan_.threads, plan_.populations));
    const double steps =
        static_cast<double>(plan_.populations) * static_cast<double>(result.betas.size() - 1);
    std::mutex reporting;
    double done = 0;
    const std::size_t wanted = stopped_ ? 0 : plan_.populations;
    team.run(wanted, [&](std::size_t p) {
      finished[p] = one(p, result.betas, parts[p], [&] {
        const std::lock_guard lock(reporting);
        if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
        ++done;
        if (hooks_.progress)
          hooks_.progress({false, done / steps, wall_seconds() - begin,
                           static_cast<std::uint64_t>(done) * moves_ * plan_.population});
        return !stopped_;
      });
    });
    std::vector<PopulationResult> whole;
    for (std::size_t p = 0; p < parts.size(); ++p)
      if (finished[p]) whole.push_back(parts[p]);
    result.interrupted = stopped_;
    result.moves = static_cast<std::uint64_t>(done) * moves_ * plan_.population;
    combine(whole, result);
    result.seconds = wall_seconds() - begin;
    return result;
  }

 private:
  /// The schedule, from a population of its own.
  std::vector<double> pilot() {
    std::vector<double> betas = {0};
    if (factory_.beta() == 0) return betas;
    Population population(factory_, plan_.seed, 0, std::max<std::size_t>(64, plan_.population));
    while (population.beta() < factory_.beta()) {
      if (hooks_.stop && hooks_.stop()) {
        stopped_ = true;
        break;
      }
      const double beta = population.next_beta(factory_.beta(), share_);
      betas.push_back(beta);
      population.reweight(beta);
      population.resample();
      if (beta < factory_.beta()) population.advance(moves_);
    }
    return betas;
  }

  template <class Tick>
  char one(std::size_t p, const std::vector<double>& betas, PopulationResult& result,
           Tick&& tick) const {
    Population population(factory_, plan_.seed, 1 + p, plan_.population);
    for (std::size_t k = 1; k < betas.size(); ++k) {
      population.reweight(betas[k]);
      if (resampling_ && population.effective_share() < resample_below) population.resample();
      // The last moves change no weight, but the ratios are taken from where they lead.
      if (k + 1 < betas.size() || plan_.ratios) population.advance(moves_);
      if (!tick()) return 0;
    }
    result.log_ratio = population.log_ratio();
    result.effective_share = population.effective_share();
    result.families = static_cast<double>(population.families());
    if (plan_.ratios) neighbours(population, result);
    return 1;
  }

  /// Every state of the next shell is reached from n + 1 states of this one, so
  /// Z_{n+1} / Z_n is the mean of sum over agreeing sites of exp(-beta dE_i) / (n + 1); and
  /// Z_{n-1} / Z_n that of the sum over differing sites, over M - n + 1.
  void neighbours(const Population& population, PopulationResult& result) const {
    const Shell& shell = factory_.shell();
    std::vector<double> up;
    std::vector<double> down;
    for (std::size_t k = 0; k < population.size(); ++k) {
      if (population.weights()[k] == 0) continue;
      const double log_weight = std::log(population.weights()[k]);
      const Bits bits = population.member(k).bits();
      const std::vector<double> costs = flip_costs(factory_.model(), bits);
      for (Site i = 0; i < shell.sites(); ++i) {
        const double term = log_weight - factory_.beta() * costs[i];
        (bits[i] == shell.reference()[i] ? up : down).push_back(term);
      }
    }
    const double n = shell.distance();
    if (!up.empty()) result.log_up = log_sum(up) - std::log(n + 1);
    if (!down.empty()) result.log_down = log_sum(down) - std::log(shell.sites() - n + 1);
  }

  void combine(const std::vector<PopulationResult>& parts, PartitionResult& result) const {
    if (parts.size() < 2) {
      result.notes.push_back("fewer than two populations were finished, so there is no error bar");
      result.log_z = {nan, nan};
      if (parts.empty()) return;
    }
    std::vector<double> logs;
    std::vector<double> up;
    std::vector<double> down;
    result.effective_share = 0;
    for (const PopulationResult& part : parts) {
      logs.push_back(result.log_states + part.log_ratio);
      up.push_back(logs.back() + part.log_up);
      down.push_back(logs.back() + part.log_down);
      result.effective_share += part.effective_share / static_cast<double>(parts.size());
      result.families += part.families / static_cast<double>(parts.size());
    }
    result.log_z_of = logs;
    result.log_z = log_of_mean(logs);
    if (plan_.ratios) {
      result.has_up = factory_.shell().distance() < factory_.shell().sites();
      result.has_down = factory_.shell().distance() > 0;
      if (result.has_up) result.log_ratio_up = log_of_ratio(up, logs);
      if (result.has_down) result.log_ratio_down = log_of_ratio(down, logs);
    }
    if (result.log_z.stderr_value > 1)
      result.notes.push_back(
          "the populations disagree by more than a factor of e: the error bar itself is not to be "
          "trusted; use a larger population, more moves, or method smc");
    if (resampling_ && result.families < 2 && plan_.population > 2)
      result.notes.push_back(
          "all members of a population descend from one: use a larger population or more moves");
  }

  const ChainFactory& factory_;
  const PartitionPlan& plan_;
  const RunHooks& hooks_;
  bool resampling_;
  double share_;
  std::uint64_t moves_;
  bool stopped_ = false;  // guarded by the mutex of run() while populations run
};

double trapezoid(const std::vector<double>& betas, const std::vector<double>& means,
                 const std::vector<double>& variances, std::size_t stride) {
  double sum = 0;
  for (std::size_t k = 0; k + stride < betas.size(); k += stride) {
    const double width = betas[k + stride] - betas[k];
    sum += width * (means[k] + means[k + stride]) / 2 +
           width * width / 12 * (variances[k + stride] - variances[k]);
  }
  return sum;
}

}  // namespace

LogEstimate log_of_mean(const std::vector<double>& logs) {
  const auto count = static_cast<double>(logs.size());
  LogEstimate estimate{log_sum(logs) - std::log(count), nan};
  if (logs.size() < 2) return estimate;
  std::vector<double> without = log_sums_without(logs);
  estimate.stderr_value =
      std::max(jackknife_error(without), std::sqrt(sample_variance(logs) / count));
  return estimate;
}

LogEstimate log_of_ratio(const std::vector<double>& numerators,
                         const std::vector<double>& denominators) {
  NHOT_EXPECTS(numerators.size() == denominators.size());
  LogEstimate estimate{log_sum(numerators) - log_sum(denominators), nan};
  if (numerators.size() < 2) return estimate;
  const std::vector<double> above = log_sums_without(numerators);
  std::vector<double> without = log_sums_without(denominators);
  for (std::size_t k = 0; k < without.size(); ++k) without[k] = above[k] - without[k];
  estimate.stderr_value = jackknife_error(without);
  return estimate;
}

double integrate_energy(const std::vector<double>& betas, const std::vector<double>& means,
                        const std::vector<double>& variances, double& rule_error) {
  NHOT_EXPECTS(betas.size() == means.size() && betas.size() == variances.size());
  const double fine = trapezoid(betas, means, variances, 1);
  rule_error = 0;
  if (betas.size() < 3) {
    // Too few rungs to see the order: the correction itself is the only yardstick.
    std::vector<double> none(betas.size(), 0.0);
    rule_error = std::abs(fine - trapezoid(betas, means, none, 1));
    return fine;
  }
  // With every second rung the error is 16 times as large. An odd interval at the cold end stays.
  const std::size_t even = (betas.size() - 1) / 2 * 2 + 1;
  const std::vector<double> b(betas.begin(), betas.begin() + static_cast<std::ptrdiff_t>(even));
  const double both = trapezoid(b, means, variances, 1);
  const double coarse = trapezoid(b, means, variances, 2);
  rule_error = std::abs(both - coarse) / 15;
  return fine;
}

PartitionResult integrate_tempering(const TemperingResult& run, double log_states) {
  if (run.rungs.front().beta != 0)
    throw InputError("thermodynamic integration needs a ladder that begins at beta = 0",
                     "add 0 to --betas");
  PartitionResult result;
  result.log_states = log_states;
  result.seconds = run.seconds;
  result.interrupted = run.interrupted;
  result.notes = run.notes;
  double rule_error = 0;
  const std::size_t ladders = run.ladder_trips.size();
  for (std::size_t k = 0; k <= run.target; ++k) result.betas.push_back(run.rungs[k].beta);
  for (std::size_t c = 0; c < ladders; ++c) {
    std::vector<double> means;
    std::vector<double> variances;
    for (std::size_t k = 0; k <= run.target; ++k) {
      const std::vector<double>& energy = run.rungs[k].trace.chains.at(c).energy;
      means.push_back(mean(energy));
      variances.push_back(sample_variance(energy));
    }
    double error = 0;
    result.log_z_of.push_back(log_states - integrate_energy(result.betas, means, variances, error));
    rule_error += error / static_cast<double>(ladders);
  }
  result.log_z.value = mean(result.log_z_of);
  result.log_z.stderr_value =
      ladders < 2
          ? nan
          : std::hypot(std::sqrt(sample_variance(result.log_z_of) / static_cast<double>(ladders)),
                       rule_error);
  result.moves = run.moves * run.rungs.size() * ladders;
  return result;
}

PartitionResult estimate_partition(const ChainFactory& factory, const PartitionPlan& plan,
                                   const RunHooks& hooks) {
  if (plan.populations < 2)
    throw InputError("one population gives no error bar", "give --populations 16");
  if (plan.population < 2)
    throw InputError("a population needs at least two members", "give --population 64");
  if (plan.method != PartitionMethod::ti) return PopulationRun(factory, plan, hooks).run();
  if (plan.ratios)
    throw InputError("method ti does not give ratios", "use --method smc with --ratios");
  TemperingPlan tempering;
  tempering.chains = plan.populations;
  tempering.threads = plan.threads;
  tempering.seed = plan.seed;
  tempering.seconds = plan.seconds;
  tempering.states = 0;
  return integrate_tempering(run_tempering(factory, tempering, hooks),
                             factory.shell().log_states());
}

}  // namespace nhot
