// Populations for log Z on other ranks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nhot/run/logz/cooled_population.hpp"
#include "nhot/run/ranks/serve_ranks.hpp"

namespace nhot {

/// The populations p with p % ranks above 0, while it lives.
class RemotePopulations {
 public:
  /// Begins them, where a store has something of them from there; what they save comes to the
  /// store.
  RemotePopulations(RankTeam& ranks, const ChainFactory& factory, const PopulationTask& task,
                    std::size_t populations, std::uint64_t threads, StateStore* store);

  bool has(std::size_t p) const { return p % job_.ranks() != 0; }

  /// Takes what has arrived; true while more is to come. `take` gets a population that was finished
  /// and `steps` the steps in temperature of those that were taken.
  using Take = std::function<void(std::size_t, const CooledPopulation&)>;
  bool collect(const Take& take, double& steps);
  void stop() { job_.stop(); }

 private:
  RankJob job_;
  StateStore* store_;
};

std::unique_ptr<RankWork> serve_populations(const RankWorkSetup& setup);

}  // namespace nhot
