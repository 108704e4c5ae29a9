// The program as one of several ranks that mpirun or srun has started.
//
// Rank 0 runs the command. The others read no file but that of the model and print nothing.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "nhot/run/ranks/rank_team.hpp"
#include "problem.hpp"

namespace nhot::app {

/// Joins the other ranks, if there are any. On a rank other than 0, works until rank 0 is done, and
/// returns the exit code. EnvironmentError where they cannot be joined.
std::optional<int> join_ranks();
/// At the end of rank 0, with its exit code.
void leave_ranks(int exit_code);
/// Whether this rank prints messages about the start of the program.
bool is_first_rank();

/// The ranks to share a run about the problem; null where there is one.
std::unique_ptr<RankTeam> ranks_for(const OptionValues& values, const Problem& problem);
/// A note where a command leaves the other ranks alone.
void note_idle_ranks(const std::string& command, const OptionValues& values);

}  // namespace nhot::app
