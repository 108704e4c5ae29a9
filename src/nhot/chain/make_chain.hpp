// The one place where kernels, engines and moves become code. Including this header and
// instantiating ChainSetup::make_with compiles every engine and every move for that kernel.
#pragma once

#include "nhot/chain/adaptive_chain.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"

namespace nhot {

template <class Kernel, DrawSource Draws>
std::unique_ptr<AnyChain> ChainSetup::make_with(std::shared_ptr<const Kernel> kernel, Draws draws,
                                                const Bits& start) const {
  if constexpr (!is_grouped<Kernel>)
    if (shell_->grouped())
      return make_with(std::static_pointer_cast<const Grouped<Kernel>>(std::move(kernel)),
                       std::move(draws), start);
  const auto build = [&]<template <class> class Engine>() -> std::unique_ptr<AnyChain> {
    return std::make_unique<Chain<Kernel, Engine, Draws>>(std::move(kernel), shell_, moves_, beta_,
                                                          std::move(draws), start);
  };
  constexpr bool bulk = State<Kernel, NoEngine>::bulk;
  if (engine_ == "none") return build.template operator()<NoEngine>();
  if (engine_ == "linear") return build.template operator()<LinearEngine>();
  if constexpr (!bulk && is_grouped<Kernel>)
    if (engine_ == "tree") return build.template operator()<GroupTreesEngine>();
  if constexpr (!bulk && !is_grouped<Kernel>)
    if (engine_ == "tree") return build.template operator()<TreeEngine>();
  if constexpr (!bulk && !Kernel::exact && is_pairwise<Kernel> && !is_grouped<Kernel>)
    if (engine_ == "sums") return build.template operator()<SumsEngine>();
  if constexpr (Kernel::exact && !is_grouped<Kernel>) {
    if (adaptive_)
      return std::make_unique<AdaptiveChain<Kernel, Draws>>(std::move(kernel), shell_, moves_,
                                                            beta_, std::move(draws), start);
    if (engine_ == "classes") return build.template operator()<ClassesEngine>();
    if (engine_ == "thinned") return build.template operator()<ThinnedEngine>();
    if (engine_ == "compact") return build.template operator()<CompactEngine>();
  }
  if constexpr (bulk)
    if (engine_ == "dense") return build.template operator()<DenseEngine>();
  throw InternalError("no chain for engine '" + engine_ + "' with kernel '" +
                      std::string(kernel_name()) + "'");
}

/// Instantiates the chains of one kernel with one source of draws.
#define NHOT_INSTANTIATE_CHAINS(Kernel, Draws)                                                   \
  template std::unique_ptr<AnyChain> ChainSetup::make_with(std::shared_ptr<const Kernel>, Draws, \
                                                           const Bits&) const

}  // namespace nhot
