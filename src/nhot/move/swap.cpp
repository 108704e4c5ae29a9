#include "nhot/move/swap.hpp"

#include "nhot/move/kinds.hpp"

namespace nhot {

MoveKind swap_kind() {
  return {"swap",
          "constant-set Metropolis: one uniform site of each side changes side",
          {},
          [](const OptionValues&, const Shell&, const ModelFacts&) {
            return PreparedMove{SwapMove{}, "swap"};
          },
          {""}};
}

}  // namespace nhot
