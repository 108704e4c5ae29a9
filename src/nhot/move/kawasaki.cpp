#include "nhot/move/kawasaki.hpp"

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

FittedMove<KawasakiMove> prepare_kawasaki(const OptionValues&, const Shell&,
                                          const ModelFacts& facts) {
  if (facts.couplings == 0)
    throw InputError(
        "move kawasaki: the model has no couplings, so there is no edge to exchange across",
        "use {move swap} or {move im}");
  FittedMove<KawasakiMove> prepared{KawasakiMove{}, "kawasaki"};
  const std::size_t components = facts.components();
  if (components > 1)
    prepared.unreachable_reason =
        "kawasaki: the coupling graph has " + std::to_string(components) +
        " connected components and no exchange crosses between them, so the chain "
        "is not irreducible: it keeps the number of differing sites of each "
        "component; mix it with swap or im to reach every state";
  return prepared;
}

}  // namespace

MoveDeclaration<KawasakiMove> KawasakiMove::declaration() {
  return {"kawasaki", "exchange across an edge of the coupling graph", {}, prepare_kawasaki, {""}};
}

}  // namespace nhot
