// How far the caches of a chain are from what they would be if they were made anew.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "nhot/chain/chain.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"
#include "nhot/state/no_engine.hpp"

namespace nhot::soak {

struct Drift {
  double energy = 0;  // of |E| or of the largest cost of a flip, whichever is more
  double field = 0;   // of the largest field
  double total = 0;   // of the total weight of a side

  void take(const Drift& other) {
    energy = std::max(energy, other.energy);
    field = std::max(field, other.field);
    total = std::max(total, other.total);
  }
};

/// |a - b| / scale, where two infinities of one sign are equal and a NaN is as bad as can be.
inline double difference(double a, double b, double scale) {
  if (a == b) return 0;
  const double relative = std::abs(a - b) / scale;
  return std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
}

template <class State>
Drift drift_between(const State& state, const State& fresh) {
  Drift drift;
  double largest = 0;
  for (Site i = 0; i < state.sites(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(fresh.field(i))));
  for (Site i = 0; i < state.sites(); ++i)
    drift.field = std::max(drift.field, difference(static_cast<double>(state.field(i)),
                                                   static_cast<double>(fresh.field(i)), largest));
  if constexpr (State::weighted)
    for (Side side = 0; side < state.shell().sides(); ++side)
      if (state.shell().side_size(side) > 0) {
        // Of the exponent, where it is large: a rounding of the energy is all of a weight there.
        const double wanted = fresh.total(side, 0).log();
        drift.total = std::max(drift.total, difference(state.total(side, 0).log(), wanted,
                                                       std::max(1.0, std::abs(wanted))));
      }
  return drift;
}

template <class Kernel, template <class> class... Engines>
bool find_drift(const AnyChain& chain, const AnyChain& fresh, Drift& drift) {
  const auto of = [&]<template <class> class Engine>() {
    const auto* one = dynamic_cast<const Chain<Kernel, Engine, RandomDraws>*>(&chain);
    const auto* other = dynamic_cast<const Chain<Kernel, Engine, RandomDraws>*>(&fresh);
    if (one && other) drift = drift_between(one->state(), other->state());
    return one && other;
  };
  return (of.template operator()<Engines>() || ...);
}

/// Fields and totals of a chain of any kernel and engine, against one made in the same state.
/// Nothing for a chain of unknown type.
inline std::optional<Drift> drift_of(const AnyChain& chain, const AnyChain& fresh) {
  Drift drift;
  const bool found =
      find_drift<IntegerKernel, LinearEngine, TreeEngine, ClassesEngine, ThinnedEngine,
                 CompactEngine, NoEngine>(chain, fresh, drift) ||
      find_drift<RealKernel, LinearEngine, TreeEngine, SumsEngine, NoEngine>(chain, fresh, drift) ||
      find_drift<DenseKernel, LinearEngine, DenseEngine, NoEngine>(chain, fresh, drift) ||
      find_drift<RbmKernel, LinearEngine, DenseEngine, NoEngine>(chain, fresh, drift) ||
      find_drift<CustomKernel, LinearEngine, TreeEngine, NoEngine>(chain, fresh, drift);
  if (!found) return std::nullopt;
  return drift;
}

}  // namespace nhot::soak
