// Where chains start: a given state, or a uniform draw on the shell for each, from a stream of its
// own, so that chain k starts alike in every kind of run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "nhot/random/draws.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/shell/shell.hpp"

namespace nhot {

/// `run` numbers runs of one seed (ladders, populations) that have chains of their own.
inline Bits uniform_start(const Shell& shell, std::uint64_t seed, std::uint64_t run,
                          std::uint64_t chain) {
  RandomDraws draws(make_stream(seed, run, chain, Purpose::start));
  return shell.draw_uniform(draws);
}

/// The starts of `chains` chains of run 0.
inline std::vector<Bits> starts_of(const Shell& shell, std::uint64_t seed, std::size_t chains,
                                   const std::optional<Bits>& given) {
  std::vector<Bits> starts;
  for (std::size_t c = 0; c < chains; ++c)
    starts.push_back(given ? *given : uniform_start(shell, seed, 0, c));
  return starts;
}

}  // namespace nhot
