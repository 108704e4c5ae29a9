// Small tempering runs that are stopped and go on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "nhot/model/generators.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "run/small_problems.hpp"

namespace nhot::tempering_resume {

inline ChainFactory make_factory(const std::string& move = "im:length=1..3") {
  const Model model = ferromagnet({{6, 6}, true});
  return {model, test::zero_shell(model, 17), move, 0.5};
}

/// Seven moves a round and five rounds a draw: no number of moves below is a multiple of both.
inline TemperingPlan make_plan(std::uint64_t moves, bool placed, bool isocluster) {
  TemperingPlan plan;
  plan.chains = 3;
  plan.moves = moves;
  plan.warmup = 7 * 120;
  plan.sweep = 7;
  plan.thin = 35;
  plan.states = 1000;
  plan.isocluster = isocluster;
  if (!placed) plan.betas = {0, 0.2, 0.35, 0.5};
  plan.finds_hottest = placed;
  return plan;
}

/// The run as a file would give it back.
inline std::shared_ptr<StoppedTempering> stopped(const TemperingResult& result) {
  auto run = std::make_shared<StoppedTempering>();
  run->checkpoint =
      tempering_checkpoint_from(to_metadata(result.checkpoint), result.checkpoint.ladders);
  if (run->checkpoint.draws > 0)
    for (const RungResult& rung : result.rungs) run->rungs.push_back(rung.trace);
  return run;
}

inline TemperingResult go_on(const ChainFactory& factory, TemperingPlan plan,
                             const TemperingResult& result, std::uint64_t moves) {
  plan.moves = moves;
  plan.resume = stopped(result);
  return run_tempering(factory, plan);
}

}  // namespace nhot::tempering_resume
