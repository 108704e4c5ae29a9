// Which draws keep their whole state: evenly spaced, and never more than a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "nhot/trace/trace.hpp"

namespace nhot {

/// As many of the wanted states per chain as fit into memory, but enough to compare chains by.
inline std::uint64_t states_within_memory(std::uint64_t wanted, std::uint64_t sites,
                                          std::uint64_t chains) {
  constexpr std::uint64_t bits = 8ULL * (256ULL << 20);  // a site takes one
  constexpr std::uint64_t fewest = 32;
  return std::min(wanted, std::max(fewest, bits / std::max<std::uint64_t>(1, sites * chains)));
}

/// Keeps the state of draws stride - 1, 2 stride - 1, ...; the stride doubles when there are too
/// many.
class StateKeeper {
 public:
  StateKeeper() = default;
  /// `stride` 0 or `limit` 0: keeps none.
  StateKeeper(std::uint64_t stride, std::uint64_t limit) : stride_(stride), limit_(limit) {}

  /// Room for the states of this many draws within the limit; 0 draws: every state at first.
  static StateKeeper for_draws(std::uint64_t draws, std::uint64_t limit) {
    return {limit ? (draws < limit ? 1 : (draws + limit - 1) / limit) : 0, limit};
  }

  std::uint64_t stride() const { return stride_; }
  bool keeps(std::uint64_t draw) const {
    return stride_ > 0 && limit_ > 0 && (draw + 1) % stride_ == 0;
  }

  /// Drops the states of a trace that this keeper would not have kept.
  void clean(Trace& trace) const {
    std::size_t kept = 0;
    for (std::size_t s = 0; s < trace.state_draws.size(); ++s) {
      if (!keeps(trace.state_draws[s])) continue;
      if (kept != s) {
        trace.state_draws[kept] = trace.state_draws[s];
        for (std::vector<PackedBits>& list : trace.states) list[kept] = std::move(list[s]);
      }
      ++kept;
    }
    trace.state_draws.resize(kept);
    for (std::vector<PackedBits>& list : trace.states) list.resize(kept);
  }

  /// Brings the trace within the limit; true when states were dropped.
  bool bound(Trace& trace) {
    if (trace.state_draws.size() <= limit_) return false;
    while (trace.state_draws.size() > limit_) {
      stride_ *= 2;
      clean(trace);
    }
    return true;
  }

 private:
  std::uint64_t stride_ = 0;  // draws between kept states
  std::uint64_t limit_ = 0;
};

}  // namespace nhot
