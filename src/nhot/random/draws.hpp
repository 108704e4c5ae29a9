// The interface through which a move draws all its random numbers.
//
// A DrawSource offers four kinds of draw. RandomDraws takes them from a generator; the tests have
// sources that script, count, or enumerate them: an enumerating source walks every branch of a move
// and adds up exact probabilities, which is why a move may not touch a generator directly.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "nhot/base/contracts.hpp"
#include "nhot/base/inline.hpp"
#include "nhot/random/exp_chance.hpp"
#include "nhot/random/xoshiro.hpp"

namespace nhot {

/// A probability p with limit() = ceil(2^53 p): for a 53-bit integer k, k < limit() exactly when
/// k 2^-53 < p.
class Chance {
 public:
  explicit Chance(double p) : p_(p), limit_(static_cast<std::uint64_t>(std::ceil(p * 0x1p53))) {
    NHOT_EXPECTS(p >= 0 && p <= 1);
  }
  operator double() const { return p_; }  // NOLINT: a probability is a number
  std::uint64_t limit() const { return limit_; }

 private:
  double p_;
  std::uint64_t limit_;
};

template <class D>
concept DrawSource = requires(D draws, std::uint64_t n, double p) {
  { draws.below(n) } -> std::convertible_to<std::uint64_t>;  // uniform on 0 .. n-1, n > 0
  { draws.accept(p) } -> std::same_as<bool>;                 // true with probability min(1, p)
  // locate(total, find): find(t) for t uniform on [0, total). find must be a step function, one
  // interval of t per outcome, and defined for every t in the closed interval.
  {
    draws.locate(p, [](double) { return std::uint64_t{0}; })
    } -> std::same_as<std::uint64_t>;
  // thin(n, keep): i of 0 .. n-1 with probability proportional to keep(i), by rejection: uniform i
  // until one is accepted with probability keep(i), a double or, faster, a Chance.
  {
    draws.thin(n, [](std::uint64_t) { return 1.0; })
    } -> std::same_as<std::uint64_t>;
};

/// Draws from a generator.
class RandomDraws {
 public:
  explicit RandomDraws(Xoshiro256 engine) : engine_(engine) {}

  /// Unbiased (Lemire): multiply and shift, redrawing when the low half is below 2^64 mod n.
  NHOT_ALWAYS_INLINE std::uint64_t below(std::uint64_t n) {
    NHOT_EXPECTS(n > 0);
    Wide product = static_cast<Wide>(engine_()) * n;
    auto low = static_cast<std::uint64_t>(product);
    if (low < n) [[unlikely]] {
      const std::uint64_t threshold = (0 - n) % n;
      while (low < threshold) {
        product = static_cast<Wide>(engine_()) * n;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  /// One uniform number below n and one below m, from a single draw; n, m > 0.
  NHOT_ALWAYS_INLINE std::pair<std::uint32_t, std::uint32_t> below_pair(std::uint32_t n,
                                                                        std::uint32_t m) {
    NHOT_EXPECTS(n > 0 && m > 0);
    for (;;) {
      const std::uint64_t word = engine_();
      const std::uint64_t first = (word >> 32) * n;
      const std::uint64_t second = (word & 0xffffffffU) * m;
      const auto low_first = static_cast<std::uint32_t>(first);
      const auto low_second = static_cast<std::uint32_t>(second);
      if ((low_first < n) | (low_second < m)) [[unlikely]] {
        if (low_first < (0U - n) % n || low_second < (0U - m) % m) continue;
      }
      return {static_cast<std::uint32_t>(first >> 32), static_cast<std::uint32_t>(second >> 32)};
    }
  }

  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  bool accept(double p) { return uniform() < p; }
  NHOT_ALWAYS_INLINE bool accept(const ExpChance& p) { return uniform() < p; }

  template <class Find>
  NHOT_ALWAYS_INLINE auto locate(double total, Find&& find) {
    return find(uniform() * total);
  }

  /// One draw a try: the upper half of the product is the index; the lower half, given the index,
  /// is uniform in steps of n, and decides whether it is accepted.
  template <class Keep>
  NHOT_ALWAYS_INLINE std::uint64_t thin(std::uint64_t n, Keep&& keep) {
    NHOT_EXPECTS(n > 0);
    for (;;) {
      const Wide product = static_cast<Wide>(engine_()) * n;
      const auto i = static_cast<std::uint64_t>(product >> 64);
      const auto rest = static_cast<std::uint64_t>(product);
      if (rest < n) [[unlikely]]  // as in below()
        if (rest < (0 - n) % n) continue;
      if constexpr (std::is_same_v<decltype(keep(i)), Chance>) {
        if (rest >> 11 < keep(i).limit()) return i;
      } else {
        if (static_cast<double>(rest >> 11) * 0x1p-53 < keep(i)) return i;
      }
    }
  }

  const Xoshiro256& engine() const { return engine_; }
  void set_engine(const Xoshiro256& engine) { engine_ = engine; }

 private:
  __extension__ using Wide = unsigned __int128;

  Xoshiro256 engine_;
};

/// A pair of uniform numbers, in one draw where the source can.
template <DrawSource Draws>
NHOT_ALWAYS_INLINE std::pair<std::uint32_t, std::uint32_t> draw_pair(Draws& draws, std::uint32_t n,
                                                                     std::uint32_t m) {
  if constexpr (requires { draws.below_pair(n, m); }) {
    return draws.below_pair(n, m);
  } else {
    const auto first = static_cast<std::uint32_t>(draws.below(n));
    return {first, static_cast<std::uint32_t>(draws.below(m))};
  }
}

}  // namespace nhot
