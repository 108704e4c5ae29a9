// Move `path`: k exchanges at once, chosen by the weights at the start alone.
//
// From x0, k differing sites d_1 .. d_k are drawn one after another without replacement in
// proportion to w_i(x0), and k agreeing sites a_1 .. a_k likewise; x1 is x0 with all of them
// flipped. From x1 the a are differing and the d agreeing, and the reverse draws them by w_i(x1) in
// reverse order. Detailed balance holds between every ordered choice and its reverse,
//
//     log alpha = -beta (E1 - E0) + sum over both sides and s of
//         log w'_s / (W' - w'_k - .. - w'_{s+1})  -  log w_s / (W - w_1 - .. - w_{s-1})
//
// with w, W at x0 and w', W' at x1 (the total of the side the site is drawn from). Orders are
// reversed because a site that is heavy at x0 is light at x1, where it is drawn late. Weights are
// evaluated twice per move, where the intracluster move does so at every step.
//
// Balance: for energies with pair terms E1 - E0 is half the sum of dE_i(x0) - dE_i(x1) over the
// flipped sites, so with kappa gamma = beta the weights cancel -beta (E1 - E0): exactly for bias
// exp, and to first order in the couplings among the flipped sites for the others. What is left of
// log alpha are ratios of totals.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "nhot/move/declaration.hpp"
#include "nhot/move/gamma.hpp"
#include "nhot/move/log_product.hpp"
#include "nhot/move/outcome.hpp"
#include "nhot/move/urn.hpp"
#include "nhot/move/walk_options.hpp"
#include "nhot/state/state.hpp"

namespace nhot {

struct PathOptions {
  LengthRange length;
  Bias bias = Bias::logistic;
  GammaValue gamma;
};

/// Declaration, reading and text of the options, for every move that takes paths.
OptionTable path_options();
PathOptions read_path_options(const OptionValues& values, std::string_view move,
                              const Shell& shell);
std::string to_text(const PathOptions& options);

/// Samples pi_n: detailed balance for every ordered choice of sites. A move costs two passes over
/// the sites for the weights, and 2k flips. All 2k sites are different, so an accepted move changes
/// exactly 2k of them.
class PathMove {
 public:
  static MoveDeclaration<PathMove> declaration();

  static constexpr bool needs_sides = false;
  static constexpr bool needs_weights = false;

  explicit PathMove(PathOptions options) : options_(options) {
    NHOT_EXPECTS(options_.length.min <= options_.length.max);
  }

  void prepare(double beta, WeightSet&) {
    beta_ = beta;
    function_ = {options_.bias, options_.gamma.at(beta)};
  }

  template <class State, DrawSource Draws>
  MoveOutcome operator()(State& state, Draws& draws) {
    const Group group = state.draw_group(draws);
    LengthRange lengths = options_.length;
    if constexpr (State::grouped)
      lengths = lengths.within(state.shell().longest_walk(group, Shell::Start::both));
    const std::uint64_t span = std::uint64_t{lengths.max} - lengths.min + 1;
    const Site length = lengths.min + static_cast<Site>(span > 1 ? draws.below(span) : 0);

    LogProduct ratio;
    sites_.clear();
    for (const Side side : {differing(group), agreeing(group)}) {
      urn_.fill(state, side, function_);
      for (Site s = 0; s < length; ++s) {
        const ScaledWeight total = urn_.total();
        const Site v = urn_.draw(state, draws);
        ratio.add_log(-urn_.log_weight(state, v));
        ratio.multiply(total, {1, 0});
        sites_.push_back(v);
        if (s + 1 < length) urn_.take(state, v);
      }
    }

    state.begin_walk();
    for (const Site v : sites_) state.flip(v);

    // The first half of the list, drawn from the differing side, now agrees.
    std::size_t end = length;
    for (const Side side : {agreeing(group), differing(group)}) {
      urn_.fill(state, side, function_);
      for (Site s = 0; s < length; ++s) {
        const Site v = sites_[end - 1 - s];
        ratio.add_log(urn_.log_weight(state, v));
        ratio.multiply({1, 0}, urn_.total());
        if (s + 1 < length) urn_.take(state, v);
      }
      end += length;
    }

    ratio.add_log(-beta_, state.walk_gain());
    const bool accepted = draws.accept(ratio.capped());
    if (!accepted) state.rollback();
    return {accepted, length, 2 * length, accepted && length > 0};
  }

 private:
  PathOptions options_;
  double beta_ = 0;
  WeightFunction function_;
  Urn urn_;                  // scratch
  std::vector<Site> sites_;  // scratch: the differing sites in the order drawn, then the agreeing
};

}  // namespace nhot
