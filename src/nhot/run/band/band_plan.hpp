// How long a run over a band of shells is, and of how many chains.
#pragma once

#include <cstdint>
#include <optional>

namespace nhot {

struct BandPlan {
  std::uint64_t chains = 16;
  std::uint64_t threads = 0;  // 0: one per core
  std::uint64_t seed = 1;
  // Exactly one of moves and seconds. A move is a step: one flip, accepted or not.
  std::optional<std::uint64_t> moves;  // per chain, after the weights are frozen
  std::optional<double> seconds;       // wall clock, of the whole run
  /// Moves per chain in which the weights are learned. Default: a quarter of the moves, or a fifth
  /// of the seconds.
  std::optional<std::uint64_t> warmup;
};

/// Of a run for log Z_n.
struct ProfilePlan : BandPlan {
  /// Where the band has no shell whose log Z is known: estimate that of the first, by populations
  /// that cool on it (see estimate_partition()), after the chains and beside their time. Without,
  /// log Z is relative to the first shell.
  bool absolute = true;
};

}  // namespace nhot
