// The driver of `sample` over a band of distances: draws at every n, what is known of them, and the
// verdict.
//
//     const BandFactory chains(model, Bits(64, 0), {10, 40}, 0.44);
//     RunPlan plan;
//     plan.moves = 1'000'000;
//     const SampleResult result = sample_band(chains, plan);
#pragma once

#include "nhot/chain/band/factory.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/run/band/band_sample.hpp"

namespace nhot {

/// As sample(), with run_band(). The distance is one of the observables, so the verdict judges it,
/// too: where the band is wide its wandering is the slowest mode, and a yes says that the chains
/// agree on how often they are at each end. The chains of a band have no walk to tune.
SampleResult sample_band(const BandFactory& factory, const RunPlan& plan,
                         const RunHooks& hooks = {});
/// What is known of a run that has ended.
RunReport report_on_band(const BandFactory& factory, const RunPlan& plan, const BandRun& band);

}  // namespace nhot
