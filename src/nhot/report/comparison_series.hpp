// A comparison as data: what results.json holds and what its page draws.
#pragma once

#include <string>
#include <vector>

#include "nhot/report/json.hpp"
#include "nhot/run/comparison.hpp"

namespace nhot {

/// One sampler with what is known of it.
struct SamplerPanel {
  std::string key;    // name in the JSON: "swap_equal_time"
  std::string label;  // for people: "swap, equal CPU time"
  const ContestantResult* result = nullptr;
  Json facts;  // the numbers of its row, with observables.energy as `nhot sample --json`
  bool in_figures = true;  // false: only in the tables
};

/// {"time_seconds": grid, "lag_seconds": grid, "picture": ..., "samplers": {key: facts and
/// series}}. All samplers share the two grids; series are null where a sampler has no value.
Json comparison_series(const Model& model, const std::vector<SamplerPanel>& samplers);

}  // namespace nhot
