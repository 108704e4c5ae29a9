// Several moves on one shell at equal CPU time.
//
// Every contestant has the same number of chains and the same start states. The same group of
// chains of all contestants is one task: they take short slices in turn, so whatever slows the
// machine down slows all of them alike, and at the end of every slice all have used the same CPU
// time (to the length of a few draws), that of recording states and observables included.
//
// Energies are recorded at every draw, a draw being `thin` moves. States are kept, and observables
// measured, at every `stride`-th draw only; there the CPU clock is read, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

/// One sampler of a comparison.
struct Contestant {
  std::string name;
  const ChainFactory* factory = nullptr;
  std::uint64_t moves = 0;  // per chain, warm-up included; 0: ends by time
};

struct ComparisonPlan {
  std::uint64_t chains = 4;
  std::uint64_t threads = 0;  // 0: one per core, at most one per chain
  std::uint64_t seed = 1;
  /// Wall-clock time of every contestant after warm-up. Nothing: contestants without a number of
  /// moves run as long, in CPU time and group by group, as the first contestant, which has one.
  std::optional<double> seconds;
  std::optional<std::uint64_t> first_moves;  // of the first one after warm-up, instead of seconds
  double warmup = 0.1;                       // share of every run that is warm-up
  std::size_t max_draws = 1 << 17;           // per chain, fewer of very many; thinned by halving
  std::size_t max_states = 1 << 14;          // per chain, fewer of large models
  double slice_seconds = 0.01;
  std::optional<Bits> start;  // default: uniform on the shell, the same for every contestant
  Observables observables;    // of the caller's own, beside those of the model
};

/// Totals of one chain when a state was kept.
struct Stamp {
  double cpu_seconds = 0;
  std::uint64_t accepted = 0;
  std::uint64_t changed = 0;
  std::uint64_t steps = 0;
};

struct ContestantResult {
  std::string name;
  /// The sampling phase, as run_independent gives it, except that the series of trace.observables
  /// hold every stride-th draw. Moves are the mean over the chains.
  RunResult run;
  /// CPU seconds that each chain was given; draws cut off to make chains equally long included.
  std::vector<double> chain_seconds;
  std::uint64_t stride = 1;  // draws between states, in warm-up and sampling
  /// By chain, for every kept state of warm-up and sampling together.
  std::vector<std::vector<Stamp>> stamps;

  /// CPU time, from the chain's first move, at which draw d of the whole run was made.
  double draw_seconds(std::size_t chain, std::size_t draw) const;
  double warmup_cpu_seconds() const;
  std::size_t warmup_draws() const { return run.warmup.draws(); }
};

struct ComparisonProgress {
  double fraction = 0;
  double seconds = 0;
  double moves = 0;  // over all contestants and chains
};

struct ComparisonHooks {
  std::function<void(const ComparisonProgress&)> progress;
  std::function<bool()> stop;   // true: end after the current round
  StateStore* store = nullptr;  // the chains as they are, about once a second and at the end
};

/// The results in the order of the contestants. Chain c of contestant k draws from the streams
/// (seed, k, c, moves); where a number of moves ends the run, its results depend on nothing else.
std::vector<ContestantResult> run_comparison(const std::vector<Contestant>& contestants,
                                             const ComparisonPlan& plan,
                                             const ComparisonHooks& hooks = {});

}  // namespace nhot
