// The options of tempering, annealing and log Z, and the plans they make.
#pragma once

#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/options.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

const OptionGroup& ladder_options();     // betas, beta-hot, rungs, sweep, trace
const OptionGroup& annealing_options();  // move, schedule, reads, seconds, target, ...
const OptionGroup& partition_options();  // method, population, populations, ...

/// From run_options(), ladder_options() and output_options().
TemperingPlan tempering_plan_from(const OptionValues& values);
AnnealingPlan annealing_plan_from(const OptionValues& values);
PartitionPlan partition_plan_from(const OptionValues& values);

}  // namespace nhot
