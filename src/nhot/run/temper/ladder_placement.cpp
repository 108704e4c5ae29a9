#include "nhot/run/temper/ladder_placement.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "nhot/base/error.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/sweep.hpp"
#include "nhot/run/temper/ladder.hpp"

namespace nhot {
namespace {

constexpr double memory = 0.3;  // what may be left of a state after a sweep at the hot end
constexpr std::uint64_t first_length = 16;  // exchanges before a ladder is moved for the first time

}  // namespace

std::vector<double> LadderPlacement::first() const {
  std::vector<double> betas = plan_.betas;
  if (wanted()) {
    const double deviation = hot_deviation();
    // Where the deviation does not grow with beta, the barrier is at most this.
    const double guess =
        deviation * (factory_.beta() - plan_.hottest) / std::sqrt(std::numbers::pi);
    const std::size_t count =
        plan_.rungs ? plan_.rungs : rungs_for(guess, 4, std::min<std::size_t>(32, most_rungs()));
    betas = count < 2 ? std::vector{factory_.beta()}
                      : first_rungs(plan_.hottest, factory_.beta(), deviation, count);
  } else if (betas.empty()) {
    betas = {factory_.beta()};
  } else if (std::find(betas.begin(), betas.end(), factory_.beta()) == betas.end()) {
    betas.push_back(factory_.beta());
  }
  std::sort(betas.begin(), betas.end());
  return betas;
}

std::vector<double> LadderPlacement::next(const MeasuredLadder& measured) const {
  std::vector<double> betas = measured.betas;
  std::vector<double> rejection = measured.rejection;
  double hottest = plan_.hottest;
  if (finds_hottest()) {
    hottest = std::max(
        hottest, forgetful_end(betas, measured.changed_sites, enough_changes(measured.sweep)));
    if (hottest < betas.front()) {  // beyond the curve, which goes on as it begins
      const double ratio = (betas.front() - hottest) / (betas[1] - betas[0]);
      rejection.insert(rejection.begin(), std::min(0.9, ratio * rejection.front()));
      betas.insert(betas.begin(), hottest);
    }
  }
  const BarrierCurve curve(betas, rejection);
  const double barrier = curve.total() - curve.at(hottest);
  const std::size_t count = plan_.rungs ? plan_.rungs : rungs_for(barrier, 2, most_rungs());
  return place_rungs(curve, hottest, factory_.beta(), count);
}

void LadderPlacement::check(const std::vector<double>& betas) const {
  const bool fits =
      wanted() ? betas.back() == factory_.beta() &&
                     (betas.size() < 2 || finds_hottest() || betas.front() == plan_.hottest) &&
                     (plan_.rungs == 0 || betas.size() == std::max<std::size_t>(1, plan_.rungs))
               : betas == first();
  if (!fits)
    throw InputError("the saved run has other temperatures than are asked for",
                     "go on with the temperatures that it had");
}

PlacementStage LadderPlacement::first_stage() { return {true, first_length, first_length}; }

PlacementStage LadderPlacement::next_stage(const PlacementStage& stage) {
  return {stage.moving, 2 * stage.length, stage.end + 2 * stage.length};
}

std::size_t LadderPlacement::most_rungs() const {
  return std::max<std::size_t>(2, plan_.most_rungs);
}

/// Standard deviation of the energy over the shell, from a few uniform states.
double LadderPlacement::hot_deviation() const {
  RandomDraws draws(make_stream(plan_.seed, plan_.chains, 0, Purpose::tune));
  std::vector<double> energies;
  for (int k = 0; k < 32; ++k)
    energies.push_back(factory_.model().energy(factory_.shell().draw_uniform(draws)));
  return std::sqrt(sample_variance(energies));
}

/// Of the mean distance of two uniform states, 1 - memory; less where a sweep is shorter than a
/// step per site, as if what is remembered fell exponentially.
double LadderPlacement::enough_changes(std::uint64_t sweep) const {
  constexpr int pairs = 64;
  RandomDraws draws(make_stream(plan_.seed, plan_.chains, 1, Purpose::tune));
  std::uint64_t differing = 0;
  for (int k = 0; k < pairs; ++k) {
    const PackedBits one(factory_.shell().draw_uniform(draws));
    differing += count_different(one, PackedBits(factory_.shell().draw_uniform(draws)));
  }
  const double sweeps =
      static_cast<double>(sweep) / static_cast<double>(moves_per_sweep(factory_, plan_.seed));
  return static_cast<double>(differing) / pairs * (1 - std::pow(memory, std::min(1.0, sweeps)));
}

}  // namespace nhot
