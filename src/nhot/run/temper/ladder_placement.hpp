// How the ladder of a tempering run finds its rungs.
#pragma once

#include <cstddef>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/run/temper/tempering_checkpoint.hpp"

namespace nhot {

/// What a stage has measured.
struct MeasuredLadder {
  std::vector<double> betas;
  std::vector<double> rejection;      // mean probability, between neighbours
  std::vector<double> changed_sites;  // by a sweep
  std::uint64_t sweep = 1;            // moves
};

/// A ladder that is given stays as it is. One that is not begins with a guess, and is moved during
/// warm-up, in stages of doubling length, to equal barriers between neighbours.
///
/// Its hot end is where the plan says, or where replicas forget as fast as they need to and no
/// hotter: the coldest rung where about one step per site changes seven tenths of the sites that
/// tell two independent uniform states apart.
class LadderPlacement {
 public:
  LadderPlacement(const ChainFactory& factory, const TemperingPlan& plan)
      : factory_(factory), plan_(plan) {}

  /// True when rungs are to be found.
  bool wanted() const { return plan_.betas.empty() && factory_.beta() > plan_.hottest; }

  /// The rungs to begin with, from hot to cold.
  std::vector<double> first() const;

  bool finds_hottest() const { return plan_.finds_hottest; }

  /// Better rungs.
  std::vector<double> next(const MeasuredLadder& measured) const;

  /// InputError when a saved ladder is not one that this plan can have led to.
  void check(const std::vector<double>& betas) const;

  static PlacementStage first_stage();
  /// The stage after this one.
  static PlacementStage next_stage(const PlacementStage& stage);

 private:
  std::size_t most_rungs() const;
  double hot_deviation() const;
  double enough_changes(std::uint64_t sweep) const;

  const ChainFactory& factory_;
  const TemperingPlan& plan_;
};

}  // namespace nhot
