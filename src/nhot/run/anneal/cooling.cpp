#include "nhot/run/anneal/cooling.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/base/contracts.hpp"
#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"
#include "nhot/chain/chain.hpp"
#include "nhot/chain/checks.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

constexpr double frozen_below = 0.001;  // steps up per try
constexpr int longest_search = 200;     // temperatures tried for the cold end
constexpr double search_factor = 1.1;   // between them
constexpr int sweeps_each = 4;          // at least
constexpr int tries_each = 8192;        // at least, so that a rare step up is seen
constexpr int knot_count = 257;

/// Standard deviation of the flip costs dE_i within a side, in uniform states: the mean of a side
/// cancels between a flip and the flip back to the shell.
double cost_spread(const Model& model, const Shell& shell, RandomDraws& draws) {
  double squares = 0;
  double count = 0;
  for (int k = 0; k < 8; ++k) {
    const Bits bits = shell.draw_uniform(draws);
    const std::vector<double> costs = model.data().flip_costs(bits);
    std::vector<std::vector<double>> sides(shell.sides());
    for (Site i = 0; i < shell.sites(); ++i)
      sides[2 * shell.group_of(i) + (bits[i] ^ shell.reference()[i])].push_back(costs[i]);
    for (const std::vector<double>& side : sides) {
      if (side.size() < 2) continue;
      squares += sample_variance(side) * static_cast<double>(side.size());
      count += static_cast<double>(side.size());
    }
  }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

/// Temperatures on the way down and the standard deviation of the energy at each.
struct PilotRun {
  std::vector<double> betas;
  std::vector<double> deviations;
};

/// Pilot run from hottest to coldest, or, where that is not given, until almost no step goes up.
PilotRun run_pilot(Walker& walker, const Bits& start, double hottest, std::optional<double> coldest,
                   const std::function<bool()>& stop) {
  PilotRun result;
  // A given end is reached, however far away.
  const double factor =
      coldest ? std::max(search_factor,
                         std::exp((std::log(*coldest) - std::log(hottest)) / (longest_search - 2)))
              : search_factor;
  walker.start(start);
  const int sweeps =
      std::max(sweeps_each,
               tries_each / static_cast<int>(std::clamp<std::size_t>(start.size(), 1, tries_each)));
  double beta = hottest;
  for (int k = 0; k < longest_search; ++k) {
    std::vector<double> energies;
    double uphill = 0;
    for (int s = 0; s < sweeps; ++s) {
      walker.sweep(beta, 1);
      energies.push_back(walker.energy());
      uphill += walker.uphill_share() / sweeps;
    }
    result.betas.push_back(beta);
    result.deviations.push_back(std::sqrt(sample_variance(energies)));
    if (coldest ? beta >= *coldest : uphill < frozen_below) break;
    if (stop()) break;
    beta *= factor;
    if (coldest) beta = std::min(beta, *coldest);
  }
  if (coldest && result.betas.back() < *coldest) {  // stopped on the way
    result.betas.push_back(*coldest);
    result.deviations.push_back(result.deviations.back());
  }
  return result;
}

std::vector<double> adaptive_knots(const PilotRun& pilot) {
  // Progress per unit of beta: the deviations, smoothed over neighbours, and a constant.
  const std::size_t count = pilot.betas.size();
  std::vector<double> progress = {0};
  double fluctuation = 0;
  std::vector<double> part = {0};
  for (std::size_t k = 1; k < count; ++k) {
    double deviation = 0;
    double terms = 0;
    for (std::size_t j = k >= 3 ? k - 3 : 0; j < std::min(count, k + 3); ++j, ++terms)
      deviation += pilot.deviations[j];
    fluctuation += deviation / terms * (pilot.betas[k] - pilot.betas[k - 1]);
    part.push_back(fluctuation);
  }
  const double span = pilot.betas.back() - pilot.betas.front();
  for (std::size_t k = 1; k < count; ++k) {
    const double linear = (pilot.betas[k] - pilot.betas.front()) / span;
    progress.push_back(fluctuation > 0 ? 0.5 * linear + 0.5 * part[k] / fluctuation : linear);
  }
  std::vector<double> knots;
  std::size_t k = 0;
  for (int point = 0; point < knot_count; ++point) {
    const double wanted = static_cast<double>(point) / (knot_count - 1);
    while (k + 2 < count && progress[k + 1] < wanted) ++k;
    const double share = (wanted - progress[k]) / (progress[k + 1] - progress[k]);
    knots.push_back(pilot.betas[k] +
                    std::clamp(share, 0.0, 1.0) * (pilot.betas[k + 1] - pilot.betas[k]));
  }
  knots.back() = pilot.betas.back();
  return knots;
}

}  // namespace

CoolingSchedule::CoolingSchedule(std::vector<double> knots) : knots_(std::move(knots)) {
  NHOT_EXPECTS(!knots_.empty());
}

double CoolingSchedule::at(double progress) const {
  const double place = std::clamp(progress, 0.0, 1.0) * static_cast<double>(knots_.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), knots_.size() - 1);
  if (k + 1 >= knots_.size()) return knots_.back();
  const double share = place - static_cast<double>(k);
  return knots_[k] + share * (knots_[k + 1] - knots_[k]);
}

CoolingSchedule plan_cooling(const Model& model, const Shell& shell, Walker& walker,
                             Cooling cooling, std::optional<double> hottest,
                             std::optional<double> coldest, std::uint64_t seed,
                             const std::function<bool()>& stop) {
  RandomDraws draws(make_stream(seed, 0, 0, Purpose::tune));
  const double spread = cost_spread(model, shell, draws);
  double hot = hottest ? *hottest : spread > 0 ? 1 / spread : 1.0;
  if (!hottest && coldest) hot = std::min(hot, *coldest / 10);
  if (coldest && !(*coldest > hot))
    throw InputError("annealing from beta = " + short_real(hot) +
                         " to beta = " + short_real(*coldest) + " does not cool",
                     "give {beta-cold} above {beta-hot}");
  if (!(hot > 0) || !std::isfinite(hot))
    throw InputError("annealing cannot begin at beta = " + short_real(hot),
                     "give a finite number > 0 with {beta-hot}");
  for (const double beta : {hot, coldest.value_or(hot)}) check_number_range(model, {}, beta);
  double cold = coldest.value_or(hot);
  if (cooling == Cooling::adaptive || !coldest) {
    const PilotRun pilot = run_pilot(walker, shell.draw_uniform(draws), hot, coldest, stop);
    if (pilot.betas.size() < 2) return CoolingSchedule({hot, hot * search_factor});
    if (cooling == Cooling::adaptive) return CoolingSchedule(adaptive_knots(pilot));
    cold = pilot.betas.back();
  }
  std::vector<double> knots;
  for (int point = 0; point < knot_count; ++point) {
    const double share = static_cast<double>(point) / (knot_count - 1);
    knots.push_back(cooling == Cooling::linear
                        ? hot + (cold - hot) * share
                        : std::exp((1 - share) * std::log(hot) + share * std::log(cold)));
  }
  knots.front() = hot;
  knots.back() = cold;
  return CoolingSchedule(std::move(knots));
}

}  // namespace nhot
