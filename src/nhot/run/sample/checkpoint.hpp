// A run of chains as it was at some draw, with everything it needs to continue bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "nhot/trace/trace.hpp"

namespace nhot {

/// The draws themselves are kept elsewhere (a file); `moves`, `thin` and the rest say where in them
/// the chains stand. Counts are per chain.
struct RunCheckpoint {
  std::vector<std::vector<std::byte>> chains;  // AnyChain::save

  bool warming = false;            // sampling has not begun
  std::uint64_t warmup_moves = 0;  // done
  std::uint64_t warmup_left = 0;   // to do before sampling begins, where that was planned by moves
  std::uint64_t moves = 0;         // sampled

  std::uint64_t thin = 1;
  bool thin_chosen = false;  // by nhot: it may be made larger to keep the number of draws bounded
  std::uint64_t since_draw = 0;                    // moves after the last draw
  std::vector<std::uint64_t> accepted_since_draw;  // by chain
  std::uint64_t state_stride = 0;                  // draws between kept states; 0: none

  std::uint64_t last_look = 0;  // moves at which the run was last judged, see looks.hpp
  bool look_agreed = false;     // and was found good enough

  double seconds = 0;            // wall clock, sampling
  double cpu_seconds = 0;        // sampling, over all chains
  double recording_seconds = 0;  // of the CPU seconds
  double best_energy = 0;        // of the warm-up

  PackedBits best_draw;  // that of the lowest energy, kept by thinning or not; empty: not known
  double best_draw_energy = std::numeric_limits<double>::infinity();
};

/// Everything but the chains, for a file; and back. InputError when a value is missing or wrong.
Metadata to_metadata(const RunCheckpoint& checkpoint);
RunCheckpoint checkpoint_from(const Metadata& metadata, std::vector<std::vector<std::byte>> chains);

/// A run to go on with: its draws up to the checkpoint.
struct StoppedRun {
  RunCheckpoint checkpoint;
  Trace warmup;
  Trace trace;
};

}  // namespace nhot
