#include "nhot/run/band/profile.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/run/clock.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {
namespace {

constexpr double fewest_trips = 2;    // per chain, to be trusted
constexpr double widest_closing = 4;  // of its own errors
constexpr double most_uneven = 20;    // mean visits / fewest visits

void check_profile_plan(const BandPlan& plan) {
  if (plan.chains < 3)
    throw InputError("a profile from " + std::to_string(plan.chains) + " chains has no error bar",
                     "give {chains 16}, three at least");
  if (plan.moves.has_value() == plan.seconds.has_value())
    throw InputError("{moves} and {seconds} are both given", "give one of them");
}

class ProfileRun {
 public:
  ProfileRun(const BandFactory& factory, const ProfilePlan& plan, const RunHooks& hooks)
      : factory_(factory),
        plan_(plan),
        hooks_(hooks),
        team_(factory, plan, hooks.stop),
        begin_(wall_seconds()) {}

  ProfileResult run() {
    ProfileResult result;
    if (!restore()) learn();
    if (!team_.stopped()) sample();
    collect(result);
    return result;
  }

 private:
  double elapsed() const { return before_ + wall_seconds() - begin_; }

  void report(bool warming, double share, std::uint64_t moves) const {
    if (hooks_.progress) hooks_.progress({warming, std::min(1.0, share), elapsed(), moves});
  }

  void learn() {
    weights_ = learn_weights(team_, factory_.band(), factory_.model().sites(),
                             learning_limit(plan_.warmup, plan_.moves, plan_.seconds),
                             [&](double share, std::uint64_t done) {
                               warmup_ = done;
                               report(true, share, done);
                             });
    team_.reset();
    if (!team_.stopped()) save();
  }

  void sample() {
    while (!is_over()) {
      const std::uint64_t now =
          plan_.moves ? std::min(team_.piece(), *plan_.moves - moves_) : team_.piece();
      // After a stop some chains have this piece and others do not, which the pooled sums allow.
      const bool all = team_.advance(now);
      moves_ += now;
      if (!all) return;
      if (hooks_.store && hooks_.store->due()) save();
      report(false,
             plan_.moves ? static_cast<double>(moves_) / static_cast<double>(*plan_.moves)
                         : elapsed() / *plan_.seconds,
             moves_);
    }
    save();
  }

  bool is_over() const {
    return plan_.moves ? moves_ >= *plan_.moves : elapsed() >= *plan_.seconds;
  }

  void save() const {
    if (!hooks_.store) return;
    Saving saving;
    saving(weights_, warmup_, moves_, elapsed());
    team_.save(saving);
    hooks_.store->save("chains", saving.take());
  }

  bool restore() {
    const auto bytes = hooks_.store ? hooks_.store->find("chains") : std::nullopt;
    if (!bytes) return false;
    Restoring restoring(*bytes);
    restoring(weights_, warmup_, moves_, before_);
    if (weights_.size() + 1 != factory_.band().shells()) ByteReader::damaged();
    team_.restore(restoring);
    if (!restoring.at_end()) ByteReader::damaged();
    team_.set_weights(weights_);
    return true;
  }

  void collect(ProfileResult& result) const {
    const std::vector<BandTally> tallies = team_.tallies();
    result.ends = known_ends(factory_);
    result.estimate = estimate_band(tallies, weights_, result.ends);
    result.relative = !result.ends.first && !result.ends.last;
    if (result.relative && plan_.absolute && !team_.stopped()) anchor(result);
    double all = 0;
    for (const ShellTally& shell : pool(tallies)) {
      result.visits.push_back(shell.visits);
      all += shell.visits;
    }
    for (double& share : result.visits) share /= std::max(1.0, all);
    result.moves = moves_;
    result.warmup = warmup_;
    result.acceptance = team_.acceptance();
    result.round_trips = team_.round_trips();
    result.seconds = elapsed();
    result.cpu_seconds = team_.cpu_seconds();
    result.interrupted = result.interrupted || team_.stopped();
    add_warnings(result);
  }

  /// Populations that cool on the first shell.
  void anchor(ProfileResult& result) const {
    PartitionPlan plan;
    plan.threads = plan_.threads;
    plan.seed = plan_.seed;
    std::optional<StorePart> part;
    RunHooks hooks;
    hooks.stop = hooks_.stop;
    hooks.progress = hooks_.progress;
    if (hooks_.store) hooks.store = &part.emplace(*hooks_.store, "anchor ");
    const ChainFactory chains(factory_.model(), factory_.shell(factory_.band().first), "im",
                              factory_.beta());
    const PartitionResult first = estimate_partition(chains, plan, hooks);
    if (first.interrupted) {
      result.interrupted = true;
      return;
    }
    result.relative = false;
    result.estimate.shift_by(first.log_z);
    result.notes.insert(result.notes.end(), first.notes.begin(), first.notes.end());
  }

  void add_warnings(ProfileResult& result) const {
    const ShellBand band = factory_.band();
    const auto missed =
        static_cast<std::size_t>(std::count(result.visits.begin(), result.visits.end(), 0.0));
    if (missed > 0) {
      result.notes.push_back(
          std::to_string(missed) + " of the " + std::to_string(band.shells()) +
          " shells were not visited: log Z_n is unknown beyond them; run longer");
      return;
    }
    const double fewest = *std::min_element(result.visits.begin(), result.visits.end());
    if (1 / static_cast<double>(band.shells()) > most_uneven * fewest)
      result.notes.emplace_back(
          "some shells were visited less than a twentieth as often as the mean: the weights were "
          "learned badly; give a longer {warmup}");
    if (result.round_trips < fewest_trips * static_cast<double>(plan_.chains))
      result.notes.push_back(
          "the chains crossed the band and came back " + short_real(result.round_trips) +
          " times in all, fewer than twice for each: what separates shells may not have been "
          "crossed, and the error bars may be too small; run longer");
    if (const auto& closing = result.estimate.closing;
        closing && std::abs(closing->value) > widest_closing * closing->stderr_value + 1e-9)
      result.notes.push_back("the ratios miss the known difference of the two ends by " +
                             short_real(std::abs(closing->value / closing->stderr_value)) +
                             " of their errors: do not trust the error bars; run longer");
  }

  const BandFactory& factory_;
  const ProfilePlan& plan_;
  const RunHooks& hooks_;
  BandTeam team_;
  double begin_;
  double before_ = 0;  // seconds of earlier starts
  BandWeights weights_;
  std::uint64_t warmup_ = 0;
  std::uint64_t moves_ = 0;
};

}  // namespace

KnownEnds known_ends(const BandFactory& factory) {
  const auto log_z = [&](Site n) -> std::optional<double> {
    const Shell shell = factory.shell(n);
    if (factory.beta() == 0) return shell.log_states();
    if (n != 0 && n != shell.sites()) return std::nullopt;
    Bits bits = shell.reference();
    if (n != 0)
      for (Bit& bit : bits) bit ^= 1;
    return -factory.beta() * factory.model().energy(bits);
  };
  return {log_z(factory.band().first), log_z(factory.band().last)};
}

ProfileResult estimate_profile(const BandFactory& factory, const ProfilePlan& plan,
                               const RunHooks& hooks) {
  check_profile_plan(plan);
  return ProfileRun(factory, plan, hooks).run();
}

}  // namespace nhot
