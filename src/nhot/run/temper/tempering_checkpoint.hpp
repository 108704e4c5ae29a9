// A tempering run after some exchange, with everything it needs to continue bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nhot/trace/trace.hpp"

namespace nhot {

/// How far the placing of a ladder has come. A stage ends with the rungs being moved.
struct PlacementStage {
  bool moving = false;       // false: the ladder is frozen
  std::uint64_t length = 0;  // of this stage, in exchanges
  std::uint64_t end = 0;     // exchanges of the warm-up at which it ends
};

/// The draws are kept elsewhere (a file); `draws` says how many came before. Rounds are rounds of
/// exchange; counts are per replica.
struct TemperingCheckpoint {
  std::vector<std::vector<std::byte>> ladders;  // LadderTeam::save

  std::uint64_t sweep = 1;           // moves between exchanges
  bool warming = false;              // sampling has not begun
  std::uint64_t warmup_rounds = 0;   // done
  std::uint64_t warmup_planned = 0;  // rounds; 0: by the clock
  double warmup_seconds = 0;         // wall clock, spent so far
  double warmup_limit = 0;           // wall clock, when planned by it
  PlacementStage stage;

  std::uint64_t rounds = 0;      // sampled
  std::uint64_t moves = 0;       // asked for, as far as they are done: the last round may go beyond
  std::uint64_t draws = 0;       // per ladder and rung
  std::uint64_t thin = 1;        // rounds between draws
  std::uint64_t thin_asked = 0;  // moves between draws; 0: chosen, and made larger as need be
  std::uint64_t since_draw = 0;  // rounds after the last draw
  std::uint64_t state_stride = 0;  // draws between kept states; 0: none
  double seconds = 0;              // wall clock, sampling
};

/// Everything but the ladders, for a file; and back. InputError when a value is missing or wrong.
Metadata to_metadata(const TemperingCheckpoint& checkpoint);
TemperingCheckpoint tempering_checkpoint_from(const Metadata& metadata,
                                              std::vector<std::vector<std::byte>> ladders);

/// A tempering run to go on with: its draws up to the checkpoint.
struct StoppedTempering {
  TemperingCheckpoint checkpoint;
  std::vector<Trace> rungs;  // from hot to cold; empty before the first draw
};

}  // namespace nhot
