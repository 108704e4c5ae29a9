#include "nhot/run/temper/rung_laws.hpp"

#include <utility>

#include "nhot/base/contracts.hpp"

namespace nhot {
namespace {

/// B of a state.
double bias_energy(const RbmWeights& weights, const Bits& bits) {
  double sum = 0;
  for (Site v = 0; v < weights.visible; ++v)
    if (bits[v]) sum -= weights.visible_bias[v];
  for (Site h = 0; h < weights.hidden; ++h)
    if (bits[weights.visible + h]) sum -= weights.hidden_bias[h];
  return sum;
}

}  // namespace

RungLaws::RungLaws(const ChainFactory& target, LadderPath path) : target_(target), path_(path) {
  NHOT_EXPECTS(path == LadderPath::temperatures || target.model().rbm());
  if (target.model().rbm()) free_units_ = std::make_unique<const ChainFactory>(factory_at(0));
}

void RungLaws::place(const std::vector<double>& betas, const ShareOut& share_out) {
  if (!of_weights() || betas == betas_) return;
  betas_ = betas;
  factories_.clear();
  factories_.resize(betas.size());
  share_out(betas.size(), [&](std::size_t rung) {
    if (betas[rung] != target_.beta())
      factories_[rung] =
          std::make_unique<const ChainFactory>(factory_at(betas[rung] / target_.beta()));
  });
}

ChainFactory RungLaws::factory_at(double scale) const {
  RbmWeights weights = target_.model().rbm()->weights();
  for (double& weight : weights.weights) weight *= scale;
  return {Model(target_.model().name(), Rbm(std::move(weights))), target_.shell(), target_.move(),
          target_.beta()};
}

const ChainFactory& RungLaws::factory(std::size_t rung) const {
  return of_weights() && factories_[rung] ? *factories_[rung] : target_;
}

double RungLaws::exchanged_energy(const AnyChain& chain, std::size_t rung) const {
  if (!of_weights()) return chain.energy();
  const Bits bits = chain.bits();
  const double biases = bias_energy(target_.model().rbm()->weights(), bits);
  // Without weights the chain does not know what they would give.
  if (betas_[rung] == 0) return target_.model().energy(bits) - biases;
  return (chain.energy() - biases) * (target_.beta() / betas_[rung]);
}

}  // namespace nhot
