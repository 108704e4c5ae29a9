// The lowest energy on a shell, by annealing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/run/anneal/cooling.hpp"
#include "nhot/run/best_states.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

struct AnnealingPlan {
  std::string move = "auto";  // auto: single flips within one site of the shell
  std::uint64_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;
  // Ends at the first of these that is given and reached; one of reads and seconds is needed.
  std::optional<std::uint64_t> reads;
  std::optional<double> seconds;  // wall clock
  std::optional<double> target;   // energy

  Cooling cooling = Cooling::adaptive;
  std::optional<double> hottest;  // beta at the start of a read; default: from the model
  std::optional<double> coldest;
  std::uint64_t sweeps = 0;    // of a read; 0: short reads first, each generation twice as long
  std::size_t keep = 1;        // best distinct states to return
  std::size_t population = 0;  // members of a population; 0: reads on their own
  std::optional<Bits> start;   // of every read; default: uniform on the shell
};

/// An energy lower than all before, and when it was found.
struct BestStep {
  double seconds = 0;
  double energy = 0;
};

template <class Archive>
void visit_fields(Archive& archive, BestStep& step) {
  archive(step.seconds, step.energy);
}

struct AnnealingResult {
  std::vector<FoundState> states;  // the best distinct ones, in order; at least one
  double seconds = 0;
  double seconds_to_best = 0;
  std::vector<BestStep> trajectory;  // of the best energy, from the first state on
  std::uint64_t reads = 0;           // finished
  std::uint64_t longest_read = 0;    // in sweeps
  double sweeps = 0;                 // over all reads
  double hottest = 0;
  double coldest = 0;
  std::string move;
  bool reached_target = false;
  bool interrupted = false;

  double best_energy() const { return states.front().energy; }
};

/// Reads come in generations of doubling length: reads that start anew, cool from hottest to
/// coldest and end with a quench, as many that reheat the best states so far, and in long
/// generations short ones that cool blocks of sites on which good states agree. Reads run in
/// batches; after each, new states are recombined with the best ones part by part. Read r draws
/// from the streams (seed, 0, r,
/// ...), so with a number of reads (and no clock) the result is the same for any number of threads.
///
/// Population annealing: a read is a population of chains that cool together, in steps that keep
/// the conditional ESS at 0.9 of the size, and is resampled at every step (Hukushima and Iba, AIP
/// Conf. Proc. 690, 2003).
AnnealingResult anneal(const Model& model, const Shell& shell, const AnnealingPlan& plan,
                       const RunHooks& hooks = {});

}  // namespace nhot
