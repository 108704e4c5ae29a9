// What `nhot info` says about a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nhot/base/facts.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// Kind, sites, couplings, degrees, convention, values, connected components, bounds of the energy,
/// lattice and hash. Linear in the size of the model. Lattice facts only for lattices, visible and
/// hidden only for an RBM.
Facts describe(const Model& model);

/// A single value as text: numbers in the shortest form that reads back, booleans as yes and no.
std::string to_text(const Fact& fact);

/// The number of connected components of the coupling graph; a site without coupling is one.
std::size_t connected_components(const ModelData& model);

/// The same of the sites of each group and the couplings among them.
std::vector<std::size_t> connected_components(const ModelData& model, const Shell& shell);

/// Bounds on the energy of every state: the sums of all terms at their lowest and at their highest.
struct EnergyBounds {
  double low;
  double high;
};
EnergyBounds energy_bounds(const QuadraticModel& model);

}  // namespace nhot
