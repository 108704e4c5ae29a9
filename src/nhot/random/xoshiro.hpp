// The random engine: xoshiro256++ (Blackman and Vigna), 256 bits of state, period 2^256 - 1.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace nhot {

class Xoshiro256 {
 public:
  using State = std::array<std::uint64_t, 4>;

  /// A state that is not all zero.
  explicit Xoshiro256(const State& state) : s_(state) {}

  std::uint64_t operator()() {
    const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t shifted = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= shifted;
    s_[3] = std::rotl(s_[3], 45);
    return result;
  }

  const State& state() const { return s_; }
  void set_state(const State& state) { s_ = state; }

 private:
  State s_;
};

}  // namespace nhot
