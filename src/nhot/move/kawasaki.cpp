#include "nhot/move/kawasaki.hpp"

#include "nhot/base/error.hpp"
#include "nhot/move/kinds.hpp"

namespace nhot {
namespace {

PreparedMove prepare_kawasaki(const OptionValues&, const Shell&, const ModelFacts& facts) {
  if (facts.couplings == 0)
    throw InputError(
        "move kawasaki: the model has no couplings, so there is no edge to exchange across",
        "use {move swap} or {move im}");
  PreparedMove prepared{KawasakiMove{}, "kawasaki"};
  if (facts.components > 1)
    prepared.confined = "kawasaki: the coupling graph has " + std::to_string(facts.components) +
                        " connected components and no exchange crosses between them, so the chain "
                        "is not irreducible: it keeps the number of differing sites of each "
                        "component; mix it with swap or im to reach every state";
  return prepared;
}

}  // namespace

MoveKind kawasaki_kind() {
  return {"kawasaki", "exchange across an edge of the coupling graph", {}, prepare_kawasaki, {""}};
}

}  // namespace nhot
