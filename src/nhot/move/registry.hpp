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
#include "nhot/move/declaration.hpp"
#include "nhot/move/flip.hpp"
#include "nhot/move/intracluster.hpp"
#include "nhot/move/joint.hpp"
#include "nhot/move/kawasaki.hpp"
#include "nhot/move/own_move.hpp"
#include "nhot/move/path.hpp"
#include "nhot/move/swap.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// A new move is its header and its name here: from then on it is on the command line, in the
/// documentation and, through the cases of its declaration, in the exactness suite.
using AnyMove = std::variant<SwapMove, KawasakiMove, IntraclusterMove, JointMove, PathMove,
                             BlockMove, ClusterMove, FlipMove, OwnMoveAdapter>;

using PreparedMove = FittedMove<AnyMove>;

/// The declaration of one kind of move, which fits an AnyMove.
using MoveKind = MoveDeclaration<AnyMove>;

/// Those of the library, then those of register_move(). Not to be changed while texts of moves are
/// read.
const std::deque<MoveKind>& move_kinds();

/// A move with its weight in the mixture and its parameters, checked against the declaration but
/// not yet against a shell.
struct MoveText {
  double weight = 1;
  const MoveKind* kind = nullptr;
  OptionValues values;
  /// The engine asked for, "auto" when the kind has none to choose.
  std::string engine() const;
};

/// A set of moves is a move: "0.5*(0.7*im + 0.3*swap) + 0.5*kawasaki" is the mixture of three with
/// weights 0.35, 0.15 and 0.5. InputError names the part that is wrong and the nearest known name.
std::vector<MoveText> parse_moves(std::string_view text);

}  // namespace nhot
