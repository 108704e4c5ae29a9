// How many moves make about one step per site: the unit in which tempering, annealing and
// populations work, whatever the move.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "nhot/chain/factory.hpp"
#include "nhot/random/stream.hpp"

namespace nhot {

/// Counts the steps of a few moves of a chain of its own; the same answer for the same seed.
inline std::uint64_t moves_per_sweep(const ChainFactory& factory, std::uint64_t seed) {
  constexpr std::uint64_t tried = 64;
  const Xoshiro256 stream = make_stream(seed, 0, 0, Purpose::tune);
  RandomDraws draws(stream);
  const auto chain = factory.make(stream, factory.shell().draw_uniform(draws));
  chain->advance(tried);
  const double steps = static_cast<double>(chain->counters().steps) / static_cast<double>(tried);
  const double sites = factory.model().sites();
  return static_cast<std::uint64_t>(std::max(1.0, std::round(sites / std::max(1.0, steps))));
}

}  // namespace nhot
