// Scalars measured on a state at every kept draw.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "nhot/base/packed_bits.hpp"
#include "nhot/model/model.hpp"

namespace nhot {

/// A function of one state. Stateless and safe to call from several threads.
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  virtual std::string help() const = 0;
  virtual double measure(const PackedBits& state) const = 0;
};

using Observables = std::vector<std::shared_ptr<const Observable>>;

/// An observable from a function, for the plan of a run:
///   plan.observables = {make_observable("edges", "edge sites", [](const PackedBits& x) { ... })};
std::shared_ptr<const Observable> make_observable(std::string name, std::string help,
                                                  std::function<double(const PackedBits&)> measure);

/// The observables that make sense for a model (the slowest Fourier mode of a lattice, the number
/// of active hidden units of an RBM), then those that the caller adds. InputError for names that
/// are taken or that are no words.
Observables observables_for(const Model& model, const Observables& own = {});

/// Overlap of two states, the mean over sites of s_i s'_i with s = +-1: 1 when equal, -1 when
/// opposite.
double overlap(const PackedBits& a, const PackedBits& b);

}  // namespace nhot
