// Small models and the exact error of a move on them.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nhot/chain/setup.hpp"
#include "nhot/model/model.hpp"
#include "nhot/random/normal.hpp"
#include "nhot/random/stream.hpp"
#include "support/exact.hpp"

namespace nhot::test {

/// Every pair coupled, normal couplings and fields.
inline Model dense_spins(Site sites, std::uint64_t seed) {
  Xoshiro256 engine = make_stream(seed, 0, 0, Purpose::test);
  NormalSource normal(engine);
  QuadraticTerms terms;
  terms.sites = sites;
  for (Site i = 0; i < sites; ++i) {
    terms.linear.push_back(normal());
    for (Site j = 0; j < i; ++j) terms.couplings.push_back({i, j, 0.7 * normal()});
  }
  return Model("dense", QuadraticModel(std::move(terms)));
}

inline Model small_rbm(Site visible, Site hidden, std::uint64_t seed, double scale = 1) {
  Xoshiro256 engine = make_stream(seed, 1, 0, Purpose::test);
  NormalSource normal(engine);
  RbmWeights w{visible, hidden, {}, {}, {}};
  for (Site k = 0; k < visible * hidden; ++k) w.weights.push_back(scale * normal());
  for (Site k = 0; k < hidden; ++k) w.hidden_bias.push_back(scale * normal());
  for (Site k = 0; k < visible; ++k) w.visible_bias.push_back(scale * normal());
  return Model("rbm", Rbm(std::move(w)));
}

inline std::shared_ptr<const Shell> make_shell(Bits reference, Site distance) {
  return std::make_shared<const Shell>(std::move(reference), distance);
}

struct ExactErrors {
  double rows = 0;        // of the row sums
  double stationary = 0;  // max |pi P - pi|
  double balance = 0;     // max |pi(x) P(x, y) - pi(y) P(y, x)|
  bool irreducible = false;

  double worst() const { return std::max({rows, stationary, balance}); }
};

/// From the enumerated transition matrix of a move on a small shell.
inline ExactErrors exact_errors(const Model& model, std::shared_ptr<const Shell> shell,
                                const std::string& move, double beta,
                                std::string_view kernel = "auto") {
  const StateIndex states(*shell);
  const TransitionMatrix p =
      transition_matrix(ChainSetup(model, shell, move, beta, kernel), states);
  const std::vector<double> law = boltzmann_law(model, states, beta);
  return {row_sum_error(p), stationarity_error(p, law), detailed_balance_error(p, law),
          is_irreducible(p)};
}

}  // namespace nhot::test
