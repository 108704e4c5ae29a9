// The moves there are: names, parameters, and how a text such as
// "0.7*im:length=1..25,gamma=0.8beta + 0.3*swap" becomes moves.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "nhot/base/options.hpp"
#include "nhot/model/model.hpp"
#include "nhot/move/block.hpp"
#include "nhot/move/cluster.hpp"
#include "nhot/move/intracluster.hpp"
#include "nhot/move/kawasaki.hpp"
#include "nhot/move/own_move.hpp"
#include "nhot/move/path.hpp"
#include "nhot/move/swap.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

using AnyMove = std::variant<SwapMove, KawasakiMove, IntraclusterMove, PathMove, BlockMove,
                             ClusterMove, OwnMoveAdapter>;

/// What a move may ask about the model before it agrees to work on it.
struct ModelFacts {
  std::size_t couplings = 0;
  std::size_t components = 1;  // connected components of the coupling graph
  const Model* model = nullptr;
};

/// A move ready for one shell.
struct PreparedMove {
  AnyMove move;
  std::string text;           // name and every parameter, as --move accepts it
  std::string confined = {};  // why it does not reach every state alone; empty when it does
};

/// One kind of move. A kind listed here is on the command line, in the documentation and, through
/// `exact_cases`, in the exactness suite.
struct MoveKind {
  std::string name;
  std::string help;
  OptionTable options;
  std::function<PreparedMove(const OptionValues&, const Shell&, const ModelFacts&)> prepare;
  /// Parameter texts that together cover the kind's choices; the suite adds engines.
  std::vector<std::string> exact_cases;
};

/// Those of the library, then those of register_move(). Not to be changed while texts of moves are
/// read.
const std::deque<MoveKind>& move_kinds();

/// Weighted moves with their parameters, checked against the declarations but not yet against a
/// shell.
struct MoveText {
  double weight = 1;
  const MoveKind* kind = nullptr;
  OptionValues values;
  /// The engine asked for, "auto" when the kind has none to choose.
  std::string engine() const;
};

/// InputError names the part that is wrong and the nearest known name.
std::vector<MoveText> parse_moves(std::string_view text);

}  // namespace nhot
