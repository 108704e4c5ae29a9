#include "nhot/move/flip.hpp"

#include "nhot/base/error.hpp"

namespace nhot {

MoveDeclaration<FlipMove> FlipMove::declaration() {
  return {"flip",
          "one free site changes its bit; Metropolis",
          {},
          [](const OptionValues&, const Shell& shell, const ModelFacts&) {
            if (shell.free_sites() == 0)
              throw InputError("move flip: the shell has no free sites",
                               "use {move swap} or {move im}; sites are free where {groups} says "
                               "so");
            FittedMove<FlipMove> fitted{FlipMove{}, "flip"};
            if (shell.movable_sites() > 0)
              fitted.unreachable_reason =
                  "flip: it changes the free sites only; mix it with swap or im, which change the "
                  "groups";
            return fitted;
          },
          {""}};
}

}  // namespace nhot
