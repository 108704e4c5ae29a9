// The exact transition matrix of a move on an enumerated shell, and what must hold of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "nhot/chain/any_chain.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/exact/enumerating_draws.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot::exact {

/// All states of a small shell, and the row number of each.
class StateIndex {
 public:
  explicit StateIndex(const Shell& shell)
      : states_(enumerate(shell, 100'000)), rows_(std::size_t{1} << shell.sites(), missing) {
    for (std::size_t k = 0; k < states_.size(); ++k) rows_[code(states_[k])] = k;
  }

  std::size_t size() const { return states_.size(); }
  const Bits& operator[](std::size_t row) const { return states_[row]; }
  const std::vector<Bits>& states() const { return states_; }

  /// Throws when the bits are not on the shell.
  std::size_t row(const Bits& bits) const {
    const std::size_t found = rows_.at(code(bits));
    if (found == missing) throw DrawError("a move left the shell");
    return found;
  }

 private:
  static constexpr std::size_t missing = std::numeric_limits<std::size_t>::max();

  static std::size_t code(const Bits& bits) {
    std::size_t result = 0;
    for (const Bit bit : bits) result = 2 * result + bit;
    return result;
  }

  std::vector<Bits> states_;
  std::vector<std::size_t> rows_;
};

/// P(x, y): the probability that a move takes state x to state y.
class TransitionMatrix {
 public:
  explicit TransitionMatrix(std::size_t size) : size_(size), entries_(size * size, 0.0) {}

  std::size_t size() const { return size_; }
  double& operator()(std::size_t from, std::size_t to) { return entries_[from * size_ + to]; }
  double operator()(std::size_t from, std::size_t to) const { return entries_[from * size_ + to]; }

 private:
  std::size_t size_;
  std::vector<double> entries_;
};

/// The matrix of `moves` moves of a walker that draws from `script`. A walker has set_bits(bits),
/// advance(moves) and bits(), as AnyChain has; set_bits must bring it to a state that depends on
/// the bits alone.
template <class Walker>
TransitionMatrix transition_matrix(Walker& walker, BranchScript& script, const StateIndex& states,
                                   std::uint64_t moves = 1) {
  TransitionMatrix matrix(states.size());
  for (std::size_t from = 0; from < states.size(); ++from)
    for_each_branch(script, [&] {
      walker.set_bits(states[from]);
      walker.advance(moves);
      matrix(from, states.row(walker.bits())) += script.probability();
    });
  return matrix;
}

inline TransitionMatrix transition_matrix(const ChainSetup& setup, const StateIndex& states,
                                          std::uint64_t moves = 1) {
  BranchScript script;
  const std::unique_ptr<AnyChain> chain = setup.make(EnumeratingDraws(script), states[0]);
  return transition_matrix(*chain, script, states, moves);
}

/// pi(x) ~ exp(-beta E(x)) over the states, from the model's energy alone.
inline std::vector<double> boltzmann_law(const Model& model, const StateIndex& states,
                                         double beta) {
  std::vector<double> energies;
  for (const Bits& bits : states.states()) energies.push_back(model.energy(bits));
  const double lowest = *std::min_element(energies.begin(), energies.end());
  std::vector<double> law;
  double total = 0;
  for (const double energy : energies) {
    law.push_back(std::exp(-beta * (energy - lowest)));
    total += law.back();
  }
  for (double& p : law) p /= total;
  return law;
}

/// Raises `worst` to `error`; NaN counts as infinitely wrong.
inline void raise(double& worst, double error) {
  worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::max(worst, error);
}

/// max over x of |sum_y P(x, y) - 1|, with any negative or NaN entry counted as infinitely wrong.
inline double row_sum_error(const TransitionMatrix& matrix) {
  double worst = 0;
  for (std::size_t from = 0; from < matrix.size(); ++from) {
    double sum = 0;
    for (std::size_t to = 0; to < matrix.size(); ++to) {
      if (!(matrix(from, to) >= 0)) return std::numeric_limits<double>::infinity();
      sum += matrix(from, to);
    }
    worst = std::max(worst, std::abs(sum - 1));
  }
  return worst;
}

/// max |pi P - pi|.
inline double stationarity_error(const TransitionMatrix& matrix, const std::vector<double>& law) {
  double worst = 0;
  for (std::size_t to = 0; to < matrix.size(); ++to) {
    double sum = 0;
    for (std::size_t from = 0; from < matrix.size(); ++from) sum += law[from] * matrix(from, to);
    raise(worst, std::abs(sum - law[to]));
  }
  return worst;
}

/// max |pi(x) P(x, y) - pi(y) P(y, x)|.
inline double detailed_balance_error(const TransitionMatrix& matrix,
                                     const std::vector<double>& law) {
  double worst = 0;
  for (std::size_t x = 0; x < matrix.size(); ++x)
    for (std::size_t y = 0; y < x; ++y)
      raise(worst, std::abs(law[x] * matrix(x, y) - law[y] * matrix(y, x)));
  return worst;
}

/// True when every state can be reached from every other.
inline bool is_irreducible(const TransitionMatrix& matrix) {
  const auto reaches_all = [&](bool forward) {
    std::vector<bool> seen(matrix.size(), false);
    std::vector<std::size_t> open = {0};
    seen[0] = true;
    std::size_t count = 1;
    while (!open.empty()) {
      const std::size_t x = open.back();
      open.pop_back();
      for (std::size_t y = 0; y < matrix.size(); ++y) {
        if (seen[y] || !((forward ? matrix(x, y) : matrix(y, x)) > 0)) continue;
        seen[y] = true;
        ++count;
        open.push_back(y);
      }
    }
    return count == matrix.size();
  };
  return reaches_all(true) && reaches_all(false);
}

inline TransitionMatrix product(const TransitionMatrix& a, const TransitionMatrix& b) {
  TransitionMatrix result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t j = 0; j < a.size(); ++j) result(i, j) += a(i, k) * b(k, j);
  return result;
}

inline double largest_difference(const TransitionMatrix& a, const TransitionMatrix& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) raise(worst, std::abs(a(i, j) - b(i, j)));
  return worst;
}

}  // namespace nhot::exact
