// A comparison as data: what results.json holds and what its page draws.
#pragma once

#include <string>
#include <vector>

#include "nhot/report/json.hpp"
#include "nhot/result/compare.hpp"

namespace nhot {

/// {"time_seconds": grid, "lag_seconds": grid, "picture": ..., "samplers": {key: facts and
/// series}}. All samplers share the two grids; series are null where a sampler has no value.
Json comparison_series(const Model& model, const std::vector<SamplerReport>& samplers);

}  // namespace nhot
