// One population for log Z: a function of its number, so that any thread and any rank can cool it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "nhot/base/types.hpp"
#include "nhot/run/population.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {

/// What all populations of a shell do alike.
struct PopulationTask {
  std::vector<double> betas;  // the schedule, from 0
  std::uint64_t moves = 0;    // of every member at every temperature
  std::uint64_t members = 0;
  std::uint64_t seed = 0;
  std::uint64_t first_stream = 0;  // population p draws from stream first_stream + 1 + p
  bool resampling = true;
  std::string name;  // before the names of what is saved
  // Bennett's sum over the flips from this side (0 agreeing, 1 differing), with the shift.
  std::optional<unsigned> flip_side;
  double shift = 0;
};
template <class Archive>
void visit_fields(Archive& archive, PopulationTask& task) {
  archive(task.betas, task.moves, task.members, task.seed, task.first_stream, task.resampling,
          task.name, task.flip_side, task.shift);
}

/// What one population says.
struct PopulationResult {
  double log_ratio = nan;  // of Z(beta) to Z(0)
  double effective_share = 0;
  double families = 0;
  double log_bridge = nan;  // log of the mean of Bennett's sum
};

struct CooledPopulation {
  PopulationResult result;
  std::vector<double> path;  // log Z at every temperature; shorter where a checkpoint had none
};

/// `moves` moves of every member, in pieces after which a stop is obeyed; false when it was.
bool advance_unless_stopped(Population& population, std::uint64_t moves,
                            const std::function<bool()>& stop);

class PopulationCooler {
 public:
  /// `store` keeps populations that are finished, or under way when it is due; null: none.
  PopulationCooler(const ChainFactory& factory, const PopulationTask& task, StateStore* store)
      : factory_(factory), task_(task), store_(store) {}

  /// The result of population p; nothing when stop() or tick() ended it. tick(steps in temperature)
  /// is called after every step.
  std::optional<CooledPopulation> cool(std::size_t p, const std::function<bool()>& stop,
                                       const std::function<bool(double)>& tick) const;

 private:
  double log_bridge(const Population& population) const;

  const ChainFactory& factory_;
  const PopulationTask& task_;
  StateStore* store_;
};

inline std::string name_of_population(const PopulationTask& task, std::size_t p) {
  return task.name + "population " + std::to_string(p);
}
/// Saved before the stage, so never shorter than its steps; older checkpoints have none.
inline std::string name_of_path(const PopulationTask& task, std::size_t p) {
  return "path of " + name_of_population(task, p);
}

}  // namespace nhot
