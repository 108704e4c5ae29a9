// The options of tempering, annealing and log Z, and the plans they make.
#pragma once

#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/band/band_plan.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/options.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/run/tune/tuning.hpp"

namespace nhot {

const OptionGroup& ladder_options();     // betas, beta-hot, rungs, sweep, trace
const OptionGroup& annealing_options();  // move, schedule, reads, seconds, target, ...
const OptionGroup& partition_options();  // method, population, populations, ...

const OptionGroup& band_options();     // distance (a band), reference, beta
const OptionGroup& profile_options();  // mu, anchor, moves, seconds, warmup, chains, threads, seed

const OptionGroup& selection_options();  // data, response, predictors, size-prior, prior

const OptionGroup& tuning_options();  // beta, seconds, chains, threads, seed, tune-objective

const OptionGroup& compared_options();    // beta, move (repeatable)
const OptionGroup& comparison_options();  // seconds, moves, chains, threads, seed

/// An option of a group, for a group of one's own.
OptionSpec borrowed_option(const OptionGroup& group, const std::string& name);

/// From run_options(), ladder_options() and output_options().
TemperingPlan tempering_plan_from(const OptionValues& values);
AnnealingPlan annealing_plan_from(const OptionValues& values);
/// From run_options().
BandPlan band_plan_from(const OptionValues& values);
/// The band of band_options(). InputError when the distance is one shell.
ShellBand profile_band(const OptionValues& values);
/// From profile_options().
ProfilePlan profile_plan_from(const OptionValues& values);
PartitionPlan partition_plan_from(const OptionValues& values);
TuningPlan tuning_plan_from(const OptionValues& values);
/// For a search before a run with options threads, seed and those of law_options().
TuningPlan tuning_plan_for(const OptionValues& values, double seconds);
/// From compared_options() and comparison_options().
ComparisonPlan comparison_plan_from(const OptionValues& values);
/// InputError when there is none.
std::vector<std::string> compared_moves(const OptionValues& values);

}  // namespace nhot
