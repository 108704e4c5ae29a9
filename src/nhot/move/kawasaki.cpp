#include "nhot/move/kawasaki.hpp"

#include "nhot/base/error.hpp"
#include "nhot/model/describe.hpp"

namespace nhot {
namespace {

std::string parts_of_groups(const Model& model, const Shell& shell) {
  const std::vector<std::size_t> components = connected_components(model.data(), shell);
  for (Group g = 0; g < shell.groups(); ++g)
    if (shell.movable(g) && components[g] > 1)
      return "kawasaki: the couplings among the sites of group " + std::to_string(g + 1) +
             " leave them in " + std::to_string(components[g]) +
             " parts, and no exchange crosses between them, so the chain is not irreducible; mix "
             "it with swap or im to reach every state";
  return {};
}

FittedMove<KawasakiMove> prepare_kawasaki(const OptionValues&, const Shell& shell,
                                          const ModelFacts& facts) {
  if (facts.couplings == 0)
    throw InputError(
        "move kawasaki: the model has no couplings, so there is no edge to exchange across",
        "use {move swap} or {move im}");
  FittedMove<KawasakiMove> prepared{KawasakiMove{}, "kawasaki"};
  if (shell.grouped()) {
    prepared.unreachable_reason = parts_of_groups(*facts.model, shell);
    return prepared;
  }
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
