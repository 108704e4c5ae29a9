// The three experiments of Hamze and de Freitas, "Intracluster Moves for Constrained
// Discrete-Space MCMC" (2010), with the paper's settings and two baselines each. The third runs on
// two machines: Gabor filters, and weights trained on handwritten digits, as the paper's were.
//
// The weights of the walk are logistic, as in the authors' own program. The printed weight,
// exp(-gamma E), runs beside for a hundredth of the moves, to show what it does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nhot/chain/factory.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/reproduce/reference_energy.hpp"

namespace nhot {

/// One sampler of an experiment.
struct SamplerSetting {
  std::string key;      // "swap_equal_time"
  std::string label;    // "swap, equal CPU time"
  std::string move;     // as --move takes it, without the walk length
  Site min_length = 0;  // of walks; 0: the move does not walk
  Site max_length = 0;
  std::uint64_t moves = 0;  // per trial; 0: as much CPU time as the first sampler
  bool in_figures = true;
};

struct Experiment {
  std::string key;  // "ferromagnet"
  std::string title;
  int figure;         // of the paper
  std::string model;  // spec
  double beta;
  Site share;                            // the distance is the number of sites divided by this
  std::vector<SamplerSetting> samplers;  // the intracluster move as in the paper comes first
  ReferenceSetting reference;            // finds the true mean energy
};

/// The title of an experiment that runs on this model, its own or one that takes its place.
std::string title_of(const Experiment& experiment, const Model& model);

/// In the order of the paper.
const std::vector<Experiment>& paper_experiments();

struct ReproductionPlan {
  std::uint64_t trials = 10;
  double scale = 1;  // times the paper's numbers of moves and those of the reference
  std::uint64_t threads = 0;
  std::uint64_t seed = 1;
};

/// An experiment that has run. The factories belong to the results, in the same order.
struct ExperimentRun {
  std::vector<std::unique_ptr<ChainFactory>> factories;
  std::vector<ContestantResult> results;
  std::vector<std::string> notes;
};

/// Runs an experiment on its own model or on one that takes its place: then the distance follows
/// from the number of sites, and walks that do not fit are made shorter, with a note.
ExperimentRun run_experiment(const Experiment& experiment, const Model& model,
                             const ReproductionPlan& plan, const ComparisonHooks& hooks = {});

/// The true mean energy, by a run of its own; its time is not that of the samplers.
ReferenceEnergy find_reference(const Experiment& experiment, const Model& model,
                               const ReproductionPlan& plan, const RunHooks& hooks = {});

}  // namespace nhot
