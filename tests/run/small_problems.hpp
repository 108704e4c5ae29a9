// Small models for the run drivers, and exact answers by enumeration.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/random/draws.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot::test {

/// Every pair coupled with probability `density`, all couplings and fields normal, or +-1 when
/// `integer`.
inline Model random_model(Site sites, double density, std::uint64_t seed, bool integer = false,
                          bool fields = true) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  NormalSource normal(engine);
  const auto value = [&] {
    const double x = normal();
    return integer ? (x > 0 ? 1.0 : -1.0) : x;
  };
  QuadraticTerms terms;
  terms.sites = sites;
  for (Site i = 0; i < sites; ++i) {
    if (fields) terms.linear.push_back(value());
    for (Site j = i + 1; j < sites; ++j)
      if (uniform(engine) < density) terms.couplings.push_back({i, j, value()});
  }
  return Model("random", QuadraticModel(terms));
}

/// An RBM with normal weights and biases; the weights times `scale`.
inline Model random_rbm(Site visible, Site hidden, std::uint64_t seed, double scale = 1) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  NormalSource normal(engine);
  RbmWeights weights{visible, hidden, {}, {}, {}};
  for (Site h = 0; h < hidden; ++h) weights.hidden_bias.push_back(normal());
  for (Site v = 0; v < visible; ++v) weights.visible_bias.push_back(normal());
  for (std::uint64_t k = 0; k < std::uint64_t{visible} * hidden; ++k)
    weights.weights.push_back(scale * normal());
  return Model("rbm", Rbm(std::move(weights)));
}

inline Shell zero_shell(const Model& model, Site distance) {
  return Shell(Bits(model.sites(), 0), distance);
}

/// The law of a shell by enumeration.
struct ExactLaw {
  std::vector<Bits> states;
  std::vector<double> energies;
  std::vector<double> probabilities;
  double log_z = 0;
  double lowest = std::numeric_limits<double>::infinity();

  ExactLaw(const Model& model, const Shell& shell, double beta) : states(enumerate(shell)) {
    for (const Bits& bits : states) {
      energies.push_back(model.energy(bits));
      lowest = std::min(lowest, energies.back());
    }
    double sum = 0;
    for (const double energy : energies) sum += std::exp(-beta * (energy - lowest));
    log_z = std::log(sum) - beta * lowest;
    for (const double energy : energies)
      probabilities.push_back(std::exp(-beta * (energy - lowest)) / sum);
  }

  double mean_energy() const {
    double mean = 0;
    for (std::size_t k = 0; k < states.size(); ++k) mean += probabilities[k] * energies[k];
    return mean;
  }
};

}  // namespace nhot::test
