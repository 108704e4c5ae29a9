// What `nhot info` says about a model.
#pragma once

#include <cstdint>
#include <string>

#include "nhot/base/facts.hpp"
#include "nhot/model/model.hpp"

namespace nhot {

/// Kind, sites, couplings, degrees, convention, values, connected components, bounds of the energy,
/// lattice and hash. Linear in the size of the model. Lattice facts only for lattices, visible and
/// hidden only for an RBM.
Facts describe(const Model& model);

/// A single value as a person reads it: numbers in the shortest form that reads back, yes and no.
std::string to_text(const Fact& fact);

/// The number of connected components of the coupling graph; a site without coupling is one.
std::size_t connected_components(const ModelData& model);

/// Bounds that no state's energy passes: every term at its lowest and at its highest.
struct EnergyBounds {
  double low;
  double high;
};
EnergyBounds energy_bounds(const QuadraticModel& model);

}  // namespace nhot
