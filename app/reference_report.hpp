// What `reproduce` tells about the reference of an experiment.
#pragma once

#include <string>
#include <vector>

#include "contest.hpp"
#include "nhot/run/reference_energy.hpp"

namespace nhot::app {

/// Fills in how far the contestants' mean energies are from the reference.
void hold_against(const ReferenceEnergy& reference, std::vector<Finisher>& finishers);

/// The object `reference` of results.json; mean and mcse are null unless it has converged. The
/// factory knows the law.
Json to_json(const ReferenceEnergy& reference, const ChainFactory& factory);

/// What the reference says, then the conclusions on the contestants.
std::vector<std::string> conclusions_with(const ReferenceEnergy& reference,
                                          const std::vector<Finisher>& finishers);

}  // namespace nhot::app
