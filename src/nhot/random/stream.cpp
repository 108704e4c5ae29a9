#include "nhot/random/stream.hpp"

namespace nhot {
namespace {

// A bijective 64-bit finaliser with full avalanche (David Stafford's mix 13).
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Xoshiro256 make_stream(std::uint64_t seed, std::uint64_t run, std::uint64_t chain,
                       Purpose purpose) {
  const std::uint64_t parts[] = {seed, run, chain, static_cast<std::uint64_t>(purpose)};
  Xoshiro256::State state{};
  for (std::uint64_t lane = 0; lane < 4; ++lane) {
    // Each lane absorbs every part under its own constant; absorbing is sequential, so order
    // counts.
    std::uint64_t h = mix(0x9e3779b97f4a7c15ULL * (lane + 1));
    for (const std::uint64_t part : parts) h = mix((h ^ part) + 0x9e3779b97f4a7c15ULL * (lane + 5));
    state[lane] = h;
  }
  if ((state[0] | state[1] | state[2] | state[3]) == 0) state[0] = 1;
  return Xoshiro256(state);
}

}  // namespace nhot
