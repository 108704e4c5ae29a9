// The options of a run, declared once and in named groups. The table of a command, of a TOML file
// or of a Python function is a concatenation of groups.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nhot/base/options.hpp"
#include "nhot/chain/band/band_chain.hpp"
#include "nhot/model/model.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Options that belong together, under one heading in help texts and documents.
struct OptionGroup {
  std::string title;
  OptionTable options;
};

const OptionGroup& model_options();  // model, format
const OptionGroup& shell_options();  // distance, groups, reference, start
const OptionGroup& law_options();    // beta, move
/// The same where chains come from hotter states: what is fastest at beta need not be on the way.
const OptionGroup& cooling_law_options();
const OptionGroup& run_options();     // moves, seconds, warmup, thin, chains, threads, seed
const OptionGroup& output_options();  // out, force, states
const OptionGroup& verify_options();  // until, ess, verify
const OptionGroup& resume_options();  // resume

/// Of every command that ends with states.
OptionSpec states_out_option();

/// All options of some groups in one table.
OptionTable concatenate(const std::vector<OptionGroup>& groups);

/// Names of which at most one may be given: an earlier source (a file) yields all of them when a
/// later one (the command line) sets any.
const std::vector<std::vector<std::string>>& exclusive_options();

/// The plan that run_options() describe. InputError when --moves and --seconds are both given.
RunPlan plan_from(const OptionValues& values);
/// The shell of shell_options() around a reference, an empty one being all zero, with these groups
/// where there are any; of a band, the first shell. InputError when the distance is missing or too
/// large, or given beside groups, or the reference has another number of sites.
Shell shell_from(const OptionValues& values, const Model& model, Bits reference = {},
                 const std::optional<std::vector<SiteGroup>>& groups = {});
/// A group whose distance may be a band of shells, and says so in its help.
OptionGroup banded(OptionGroup group);
/// The band of shells that the distance says; nothing where it is one number.
std::optional<ShellBand> band_from(const OptionValues& values);
/// How many states of the chains are kept, and whether a file gets them.
void ask_for_states(RunPlan& plan, const OptionValues& values, bool to_file);
void ask_for_states(TemperingPlan& plan, const OptionValues& values, bool to_file);

}  // namespace nhot
