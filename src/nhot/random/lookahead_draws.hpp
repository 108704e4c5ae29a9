// Draws of RandomDraws, with what thin() will read prefetched.
#pragma once

#include <cstdint>
#include <utility>

#include "nhot/base/inline.hpp"
#include "nhot/random/draws.hpp"

namespace nhot {

/// The same numbers as RandomDraws. A copy of the generator runs `reach` numbers ahead and
/// prefetches the byte that each would lead thin(n) to, for the n of the constructor: numbers that
/// are drawn for something else cost a prefetch in vain.
class LookaheadDraws {
 public:
  /// `bytes`: what thin(n) reads, byte i for candidate i.
  LookaheadDraws(const RandomDraws& draws, const std::uint8_t* bytes, std::uint64_t n)
      : now_(draws), ahead_(draws.engine()), bytes_(bytes), n_(n) {
    for (unsigned k = 0; k < reach; ++k) look_ahead();
  }

  const RandomDraws& draws() const { return now_; }

  NHOT_ALWAYS_INLINE std::uint64_t below(std::uint64_t n) {
    look_ahead();
    return now_.below(n);
  }
  NHOT_ALWAYS_INLINE double uniform() {
    look_ahead();
    return now_.uniform();
  }
  template <class Probability>
  NHOT_ALWAYS_INLINE bool accept(const Probability& p) {
    look_ahead();
    return now_.accept(p);
  }
  template <class Find>
  NHOT_ALWAYS_INLINE auto locate(double total, Find&& find) {
    look_ahead();
    return now_.locate(total, std::forward<Find>(find));
  }
  template <class Keep>
  NHOT_ALWAYS_INLINE std::uint64_t thin(std::uint64_t n, Keep&& keep) {
    return now_.thin(n, [&](std::uint64_t i) NHOT_INLINE_LAMBDA {
      look_ahead();
      return keep(i);
    });
  }

 private:
  static constexpr unsigned reach = 24;
  __extension__ using Wide = unsigned __int128;

  NHOT_ALWAYS_INLINE void look_ahead() {
    __builtin_prefetch(bytes_ + static_cast<std::uint64_t>(static_cast<Wide>(ahead_()) * n_ >> 64));
  }

  RandomDraws now_;
  Xoshiro256 ahead_;
  const std::uint8_t* bytes_;
  std::uint64_t n_;
};

}  // namespace nhot
