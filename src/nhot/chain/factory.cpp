#include "nhot/chain/factory.hpp"

#include <algorithm>
#include <numeric>

#include "nhot/chain/replicas/block.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/random/stream.hpp"

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
  unreachable_reason_ = setup->unreachable_reason();
  setup_ = setup;
  if (engine_ == "bits")
    replicas_ = std::make_shared<const ReplicaModel>(
        *std::get<std::shared_ptr<const IntegerKernel>>(setup->kernel()), *shell_);
}

std::unique_ptr<AnyChain> ChainFactory::make(const Xoshiro256& stream, const Bits& start) const {
  if (replicas_)
    throw InputError("engine bits moves many chains together, which only nhot sample asks for",
                     "use {move swap} here");
  check_start(*shell_, start);
  return setup_->make(RandomDraws(stream), start);
}

std::vector<std::unique_ptr<ChainGroup>> ChainFactory::make_groups(std::uint64_t seed,
                                                                   const std::vector<Bits>& starts,
                                                                   std::size_t threads) const {
  return make_groups(seed, starts, threads, {0, starts.size()});
}

std::vector<std::unique_ptr<ChainGroup>> ChainFactory::make_groups(std::uint64_t seed,
                                                                   const std::vector<Bits>& starts,
                                                                   std::size_t threads,
                                                                   ChainRange own) const {
  for (const Bits& start : starts) check_start(*shell_, start);
  std::vector<std::unique_ptr<ChainGroup>> groups;
  if (!replicas_) {
    for (const auto& [first, last] : chains_in_groups(own.size(), threads)) {
      std::vector<std::unique_ptr<AnyChain>> chains;
      for (std::size_t k = own.first + first; k < own.first + last; ++k)
        chains.push_back(make(make_stream(seed, 0, k, Purpose::moves), starts[k]));
      groups.push_back(std::make_unique<ChainBundle>(std::move(chains)));
    }
    return groups;
  }
  const ReplicaLoops loops = replica_loops(simd_path());
  std::size_t first = 0;
  for (const std::size_t size : block_sizes(starts.size())) {
    const auto begin = starts.begin() + static_cast<std::ptrdiff_t>(first);
    if (first >= own.first && first < own.last)
      groups.push_back(std::make_unique<ReplicaBlock>(
          replicas_, shell_, beta_,
          std::vector<Bits>(begin, begin + static_cast<std::ptrdiff_t>(size)), seed, first, loops));
    first += size;
  }
  return groups;
}

ChainRange ChainFactory::deal(std::size_t chains, std::size_t part, std::size_t parts) const {
  const auto cut = [&](std::size_t number, std::size_t k) {
    return (number * k + parts - 1) / parts;
  };
  if (!replicas_) return {cut(chains, part), cut(chains, part + 1)};
  const std::vector<std::size_t> sizes = block_sizes(chains);
  const auto chains_before = [&](std::size_t block) {
    return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(block),
                           std::size_t{0});
  };
  return {chains_before(cut(sizes.size(), part)), chains_before(cut(sizes.size(), part + 1))};
}

std::vector<std::size_t> ChainFactory::block_sizes(std::size_t chains) const {
  return replica_block_sizes(chains, replicas_->terms().degree == 0);
}

}  // namespace nhot
