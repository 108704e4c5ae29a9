#include "nhot/chain/factory.hpp"

#include "nhot/chain/setup.hpp"

namespace nhot {

ChainFactory::ChainFactory(Model model, Shell shell, std::string_view move, double beta)
    : model_(std::move(model)),
      shell_(std::make_shared<const Shell>(std::move(shell))),
      beta_(beta) {
  if (shell_->sites() != model_.sites())
    throw InputError("the reference has " + std::to_string(shell_->sites()) +
                         " bits but the model has " + std::to_string(model_.sites()) + " sites",
                     "give one bit per site");
  const auto setup = std::make_shared<const ChainSetup>(model_, shell_, move, beta);
  move_ = setup->move();
  engine_ = setup->engine();
  notes_ = setup->notes();
  setup_ = setup;
}

std::unique_ptr<AnyChain> ChainFactory::make(const Xoshiro256& stream, const Bits& start) const {
  check_start(*shell_, start);
  return setup_->make(RandomDraws(stream), start);
}

}  // namespace nhot
