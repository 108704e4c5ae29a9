// Eight xoshiro256++ generators side by side, laid out so that one step of all eight is one step of
// vector instructions. Each is seeded by a stream of its own.
#pragma once

#include <array>
#include <cstdint>

#include "nhot/random/xoshiro.hpp"

namespace nhot {

struct alignas(64) WideXoshiro {
  static constexpr std::size_t width = 8;

  /// part[p][k] is part p of the state of generator k.
  std::array<std::array<std::uint64_t, width>, 4> part{};

  void set_stream(std::size_t k, const Xoshiro256& stream) {
    for (std::size_t p = 0; p < 4; ++p) part[p][k] = stream.state()[p];
  }
  Xoshiro256 stream(std::size_t k) const {
    return Xoshiro256({part[0][k], part[1][k], part[2][k], part[3][k]});
  }
};

}  // namespace nhot
