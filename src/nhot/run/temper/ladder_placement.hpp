// How the ladder of a tempering run finds its rungs.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/run/temper/tempering_checkpoint.hpp"

namespace nhot {

/// A ladder that is given stays as it is. One that is not begins with a guess, and is moved during
/// warm-up, in stages of doubling length, to equal barriers between neighbours.
class LadderPlacement {
 public:
  LadderPlacement(const ChainFactory& factory, const TemperingPlan& plan)
      : factory_(factory), plan_(plan) {}

  /// True when rungs are to be found.
  bool wanted() const { return plan_.betas.empty() && factory_.beta() > plan_.hottest; }

  /// The rungs to begin with, from hot to cold.
  std::vector<double> first() const;

  /// Better rungs, by the mean probability of rejection between those there are.
  std::vector<double> next(const std::vector<double>& betas,
                           const std::vector<double>& rejection) const;

  /// InputError when a saved ladder is not one that this plan can have led to.
  void check(const std::vector<double>& betas) const;

  static PlacementStage first_stage();
  /// The stage after this one.
  static PlacementStage next_stage(const PlacementStage& stage);

 private:
  std::size_t most_rungs() const;
  double hot_deviation() const;

  const ChainFactory& factory_;
  const TemperingPlan& plan_;
};

}  // namespace nhot
