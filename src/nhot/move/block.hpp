// Move `block`: one layer of an RBM drawn afresh given the other, at its count.
//
// Given one layer, the units of the other are independent, with log odds -beta F_i of differing
// from the reference. A redraw samples them on condition that as many differ as before, which keeps
// the distance: a Gibbs step, never rejected. It keeps the count of each layer, so with probability
// `cross` the move is a `path` over both layers instead, which changes the counts.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "nhot/move/declaration.hpp"
#include "nhot/move/fixed_count.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/move/path.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

/// Two layers of sites without couplings inside a layer.
template <class Kernel>
concept Layered = requires(const Kernel& kernel) {
  { kernel.layer(0u) } -> std::same_as<SiteRange>;
};

struct BlockOptions {
  double cross = 0.5;  // probability of a path over both layers
  PathOptions path;
};

/// Samples pi_n: a mixture, drawn independently of the state, of an exact conditional draw and the
/// path move. A redraw costs at most the square of the layer's size, and a flip for every unit that
/// changes.
class BlockMove {
 public:
  static MoveDeclaration<BlockMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;

  explicit BlockMove(const BlockOptions& options) : cross_(options.cross), path_(options.path) {}

  void prepare(double beta, WeightSet& weight_set) {
    beta_ = beta;
    path_.prepare(beta, weight_set);
  }

  template <class State, DrawSource Draws>
  requires Layered<typename State::Kernel> MoveOutcome operator()(State& state, Draws& draws) {
    if (cross_ > 0 && draws.accept(cross_)) return path_(state, draws);
    const auto& c = state.configuration();
    const Group group = state.draw_group(draws);
    const SiteRange layer = c.kernel->layer(static_cast<unsigned>(draws.below(2)));
    units_.clear();
    log_odds_.clear();
    Site count = 0;
    for (Site i = layer.begin; i < layer.end; ++i) {
      if (c.group(i) != group) continue;
      units_.push_back(i);
      const double cost = c.kernel->quantum() * static_cast<double>(state.field(i));
      log_odds_.push_back(std::clamp(-beta_ * cost, -1e300, 1e300));
      count += c.u[i];
    }
    sampler_.draw(log_odds_, count, draws, drawn_);
    state.begin_walk();
    std::uint32_t changed = 0;
    for (std::size_t k = 0; k < units_.size(); ++k) {
      if (c.u[units_[k]] == drawn_[k]) continue;
      state.flip(units_[k]);  // does not change the fields of its own layer
      ++changed;
    }
    return {true, changed / 2, static_cast<std::uint32_t>(units_.size()), changed > 0};
  }

 private:
  double cross_;
  double beta_ = 0;
  PathMove path_;
  // Scratch.
  FixedCountBits sampler_;
  std::vector<Site> units_;
  std::vector<double> log_odds_;
  Bits drawn_;
};

}  // namespace nhot
