#include "nhot/move/block.hpp"

#include "nhot/base/error.hpp"

namespace nhot {
namespace {

FittedMove<BlockMove> prepare_block(const OptionValues& values, const Shell& shell,
                                    const ModelFacts& facts) {
  if (!facts.model->rbm())
    throw InputError(
        "move block: the model is not an RBM, and the move redraws one layer given the other",
        "use {move im}, or {move path} where most sites are coupled");
  BlockOptions options;
  options.cross = values.real("cross");
  options.path = read_path_options(values, "block", shell);
  FittedMove<BlockMove> prepared{BlockMove(options), "block:cross=" + format_real(options.cross) +
                                                         "," + to_text(options.path)};
  if (options.cross == 0)
    prepared.unreachable_reason =
        "block: with cross=0 the number of differing units of each layer never changes, so the "
        "chain is not irreducible; mix it, for example \"0.5*block:cross=0 + 0.5*im\", or give "
        "cross > 0";
  return prepared;
}

}  // namespace

MoveDeclaration<BlockMove> BlockMove::declaration() {
  OptionTable options = {{"cross", OptionType::real, "0.5",
                          "probability of a path over both layers, which changes how many units of "
                          "each layer differ; the parameters below are those of the path",
                          "P", 0, 1}};
  for (OptionSpec& option : path_options()) options.push_back(std::move(option));
  return {"block",
          "for RBMs: redraws one layer given the other at the layer's count, exactly; takes paths "
          "across the layers in between",
          options,
          prepare_block,
          {"", "cross=0", "cross=1,length=1..2", "cross=0.3,length=2,bias=exp",
           "cross=0.8,length=1..3,bias=min,gamma=0.7"}};
}

}  // namespace nhot
