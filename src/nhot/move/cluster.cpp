#include "nhot/move/cluster.hpp"

#include <algorithm>

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

// Largest mean number of tries at which sites of a side are drawn by rejection, without lists.
constexpr Site most_tries = 8;

FittedMove<ClusterMove> prepare_cluster(const OptionValues&, const Shell& shell,
                                        const ModelFacts& facts) {
  if (shell.grouped())
    throw InputError("move cluster: a mirrored pair of sites may be in two groups",
                     "use {move swap} or {move im}, which work within groups");
  auto lattice = std::make_shared<const LatticeReflections>(*facts.model, shell);
  const bool anywhere = lattice->anywhere();
  Site smallest = shell.sites();
  for (Side side = 0; side < shell.sides(); ++side)
    smallest = std::min(smallest, shell.side_size(side));
  const bool keep_lists = smallest < shell.sites() / most_tries;
  FittedMove<ClusterMove> prepared{ClusterMove(std::move(lattice), keep_lists), "cluster"};
  if (!anywhere)
    prepared.unreachable_reason =
        "cluster: an open lattice is mirrored about its middle only, so the chain is not "
        "irreducible: it keeps the number of differing sites among those that are images of one "
        "another; mix it, for example \"0.5*cluster + 0.5*swap\", to reach every state";
  return prepared;
}

}  // namespace

MoveDeclaration<ClusterMove> ClusterMove::declaration() {
  return {"cluster",
          "geometric cluster move for lattices: exchanges a cluster of mirrored pairs of sites, "
          "never rejected",
          {},
          prepare_cluster,
          {""}};
}

}  // namespace nhot
