// What a kind of move says of itself: its name, its parameters, how it fits itself to a model and a
// shell, and the cases that the exact suite is to try. Each move has `static MoveDeclaration<Move>
// declaration()`; registry.hpp lists the moves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nhot/base/options.hpp"
#include "nhot/model/model.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// What a move may ask about the model before it agrees to work on it.
struct ModelFacts {
  std::size_t couplings = 0;
  std::function<std::size_t()> components;  // connected ones, of the coupling graph
  const Model* model = nullptr;
};

/// A move ready for one shell.
template <class Move>
struct FittedMove {
  Move move;
  std::string text;                     // name and every parameter, as texts of moves have it
  std::string unreachable_reason = {};  // why it does not reach every state alone; empty: it does
};

template <class Move>
struct MoveDeclaration {
  std::string name;
  std::string help;
  OptionTable options;
  /// InputError, with a reason, when the parameters do not fit the shell or the model.
  std::function<FittedMove<Move>(const OptionValues&, const Shell&, const ModelFacts&)> fit;
  /// Parameter texts that together cover the choices; the suite adds engines.
  std::vector<std::string> exact_cases;
};

}  // namespace nhot
