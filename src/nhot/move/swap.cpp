#include "nhot/move/swap.hpp"

namespace nhot {

MoveDeclaration<SwapMove> SwapMove::declaration() {
  return {"swap",
          "constant-set Metropolis: one uniform site of each side changes side",
          {{"engine",
            OptionType::choice,
            "auto",
            "bits runs 64 or 512 chains at once in the bits of words (nhot sample; few dE values)",
            "NAME",
            0,
            0,
            {"auto", "bits"}}},
          [](const OptionValues& values, const Shell&, const ModelFacts&) {
            const bool bits = values.text("engine") == "bits";
            return FittedMove<SwapMove>{SwapMove{}, bits ? "swap:engine=bits" : "swap"};
          },
          {""}};
}

}  // namespace nhot
