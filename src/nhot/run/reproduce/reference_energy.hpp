// The true mean energy of an experiment, by a run that is made to converge: parallel tempering, or
// independent chains of a move that is not trapped. The samplers of the experiment are compared
// with it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/run/temper/tempering.hpp"

namespace nhot {

/// How a reference is made. Numbers of moves, not seconds: same seed, same numbers.
struct ReferenceSetting {
  std::string move;                // as --move takes it
  std::optional<double> beta_hot;  // hot end of the ladder; none: chains at one temperature
  std::uint64_t chains = 4;        // ladders
  std::uint64_t sweep = 1;         // moves between exchanges and draws
  std::uint64_t moves = 0;         // per replica
};

struct ReferenceEnergy {
  double mean = nan;  // NaN unless the run has converged
  double mcse = nan;
  Verdict verdict;
  std::string how;   // for people
  std::string move;  // resolved; empty when the setting does not fit the model
  std::vector<double> betas;
  std::uint64_t chains = 0;
  std::uint64_t moves = 0;
  std::uint64_t warmup = 0;
  std::uint64_t sweep = 1;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> round_trips;  // by ladder; empty without a ladder
  double cpu_seconds = 0;
  bool interrupted = false;
};

/// Runs the reference of a law. A setting that does not fit the model, or a run that was
/// interrupted, is a verdict of no, with the reason.
ReferenceEnergy find_reference(const ReferenceSetting& setting, const Model& model,
                               const Shell& shell, double beta, std::uint64_t seed,
                               std::uint64_t threads, const RunHooks& hooks = {});

}  // namespace nhot
