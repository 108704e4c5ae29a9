// One function per kind of move: its parameters, and how it checks that it fits model and shell.
#pragma once

#include "nhot/move/registry.hpp"

namespace nhot {

MoveKind swap_kind();
MoveKind kawasaki_kind();
MoveKind intracluster_kind();
MoveKind path_kind();
MoveKind block_kind();
MoveKind cluster_kind();

}  // namespace nhot
