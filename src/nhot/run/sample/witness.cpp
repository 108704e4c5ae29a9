#include "nhot/run/sample/witness.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>

#include "nhot/run/clock.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/thread_team.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t first_witness_stream = 1U << 20;
constexpr double resample_witness_below = 0.5;  // ESS / size
constexpr std::size_t pilot_members = 64;

class WitnessRun {
 public:
  WitnessRun(const ChainFactory& factory, const WitnessPlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        moves_(moves_per_sweep(factory, plan.seed)),
        begin_(wall_seconds()) {}

  std::vector<WitnessPopulation> run() {
    if (!find_schedule()) return {};
    const double sweeps = static_cast<double>(betas_.size() + plan_.rest);
    const double wanted = plan_.steps / (sweeps * static_cast<double>(plan_.populations) *
                                         static_cast<double>(factory_.model().sites()));
    members_ = static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(plan_.least_members),
                                                   static_cast<double>(plan_.most_members)));
    std::vector<WitnessPopulation> populations(plan_.populations);
    ThreadTeam team(threads_for(plan_.threads, plan_.populations));
    team.run(plan_.populations, [&](std::size_t p) { cool(p, populations[p]); });
    if (stopped_) populations.clear();
    return populations;
  }

 private:
  /// Temperatures by a population of its own. False when the run is to stop.
  bool find_schedule() {
    Population pilot(factory_, plan_.seed, first_witness_stream, pilot_members);
    while (pilot.beta() < factory_.beta()) {
      if (hooks_.stop && hooks_.stop()) return false;
      betas_.push_back(pilot.next_beta(factory_.beta(), plan_.share));
      pilot.reweight(betas_.back());
      pilot.resample();
      pilot.advance(moves_);
    }
    return true;
  }

  void cool(std::size_t p, WitnessPopulation& result) {
    Population population(factory_, plan_.seed, first_witness_stream + 1 + p, members_);
    for (const double beta : betas_) {
      population.reweight(beta);
      if (population.effective_share() < resample_witness_below) population.resample();
      population.advance(moves_);
      if (!tick(1)) return;
    }
    population.resample();
    population.advance(plan_.rest * moves_);
    if (!tick(plan_.rest)) return;
    result.log_weight = population.log_ratio();
    for (std::size_t k = 0; k < population.size(); ++k) {
      result.energy += population.member(k).energy() / static_cast<double>(population.size());
      population.member(k).read(result.states.emplace_back());
    }
  }

  /// After some sweeps of a population; false when the run is to stop.
  bool tick(std::uint64_t sweeps) {
    const std::lock_guard lock(reporting_);
    if (!stopped_ && hooks_.stop && hooks_.stop()) stopped_ = true;
    done_ += sweeps;
    if (hooks_.progress) {
      const double all =
          static_cast<double>(plan_.populations) * static_cast<double>(betas_.size() + plan_.rest);
      hooks_.progress({false, static_cast<double>(done_) / all, wall_seconds() - begin_,
                       done_ * moves_ * members_});
    }
    return !stopped_;
  }

  const ChainFactory& factory_;
  const WitnessPlan& plan_;
  const RunHooks& hooks_;
  std::uint64_t moves_;  // of a sweep
  double begin_;
  std::vector<double> betas_;
  std::size_t members_ = 0;
  std::uint64_t done_ = 0;
  std::mutex reporting_;
  std::atomic<bool> stopped_{false};
};

}  // namespace

std::vector<WitnessPopulation> run_witness(const ChainFactory& factory, const WitnessPlan& plan,
                                           const RunHooks& hooks) {
  // Blocks of replicas move together; members of a population must not.
  std::optional<ChainFactory> own;
  if (factory.engine() == "bits")
    own.emplace(factory.model(), factory.shell(), "swap", factory.beta());
  return WitnessRun(own ? *own : factory, plan, hooks).run();
}

}  // namespace nhot
