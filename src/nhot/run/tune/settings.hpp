// The moves that a search tries, and where the next ones are to be looked for.
#pragma once

#include <string>
#include <vector>

#include "nhot/model/model.hpp"
#include "nhot/move/walk_options.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// A walk move with the parameters that are searched.
struct WalkSetting {
  std::string kind = "im";
  LengthRange length;
  Bias bias = Bias::logistic;
  double gamma = 1;  // in units of beta
  WalkOrder order = WalkOrder::random;

  std::string text() const;
  /// As a point for regression: settings that lie a unit apart behave much alike.
  std::vector<double> place() const;
};

struct SearchSpace {
  std::vector<std::string> moves;    // without parameters to search; the first is swap
  std::vector<WalkSetting> walks;    // to begin with
  std::vector<std::string> partial;  // do not reach every state alone: for mixtures
  std::vector<std::string> engines;  // for walks, beside the one that is chosen unasked
  Site longest = 1;                  // walk
};

/// What can be tried on a model: moves that refuse it are left out. Few of everything when
/// `thorough` is false.
SearchSpace search_space(const Model& model, const Shell& shell, double beta, bool thorough);

/// Engines that the walks of a model can have instead.
std::vector<std::string> other_engines(const Model& model, const Shell& shell, double beta);

/// The same walk with every other bias, at its gamma against the balanced one, and every other
/// order of its halves.
std::vector<WalkSetting> variants(const WalkSetting& of);

/// Settings around which to look further: lengths and gammas on a grid, of the kind, bias and order
/// given.
std::vector<WalkSetting> walk_grid(const WalkSetting& like, Site longest);

/// Both moves, the first for a share of the time; the seconds are those of a move.
std::string mixture_text(const std::string& a, double a_seconds, const std::string& b,
                         double b_seconds, double share);

}  // namespace nhot
