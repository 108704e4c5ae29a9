#include "nhot/run/temper/tempering_checkpoint.hpp"

#include <string>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/run/checkpoint_fields.hpp"

namespace nhot {

Metadata to_metadata(const TemperingCheckpoint& checkpoint) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  return {{"sweep", number(checkpoint.sweep)},
          {"warming", number(checkpoint.warming)},
          {"warmup_rounds", number(checkpoint.warmup_rounds)},
          {"warmup_planned", number(checkpoint.warmup_planned)},
          {"warmup_seconds", format_real(checkpoint.warmup_seconds)},
          {"warmup_limit", format_real(checkpoint.warmup_limit)},
          {"stage_moving", number(checkpoint.stage.moving)},
          {"stage_length", number(checkpoint.stage.length)},
          {"stage_end", number(checkpoint.stage.end)},
          {"rounds", number(checkpoint.rounds)},
          {"moves", number(checkpoint.moves)},
          {"draws", number(checkpoint.draws)},
          {"thin", number(checkpoint.thin)},
          {"thin_asked", number(checkpoint.thin_asked)},
          {"since_draw", number(checkpoint.since_draw)},
          {"state_stride", number(checkpoint.state_stride)},
          {"seconds", format_real(checkpoint.seconds)}};
}

TemperingCheckpoint tempering_checkpoint_from(const Metadata& metadata,
                                              std::vector<std::vector<std::byte>> ladders) {
  const CheckpointFields fields(metadata);
  TemperingCheckpoint checkpoint;
  checkpoint.ladders = std::move(ladders);
  checkpoint.sweep = fields.count("sweep");
  checkpoint.warming = fields.flag("warming");
  checkpoint.warmup_rounds = fields.count("warmup_rounds");
  checkpoint.warmup_planned = fields.count("warmup_planned");
  checkpoint.warmup_seconds = fields.real("warmup_seconds");
  checkpoint.warmup_limit = fields.real("warmup_limit");
  checkpoint.stage.moving = fields.flag("stage_moving");
  checkpoint.stage.length = fields.count("stage_length");
  checkpoint.stage.end = fields.count("stage_end");
  checkpoint.rounds = fields.count("rounds");
  checkpoint.moves = fields.count("moves");
  checkpoint.draws = fields.count("draws");
  checkpoint.thin = fields.count("thin");
  checkpoint.thin_asked = fields.count("thin_asked");
  checkpoint.since_draw = fields.count("since_draw");
  checkpoint.state_stride = fields.count("state_stride");
  checkpoint.seconds = fields.real("seconds");
  const auto wrong = [](const char* key) { CheckpointFields::fail(key); };
  if (checkpoint.sweep == 0) wrong("sweep");
  if (checkpoint.thin == 0 || checkpoint.since_draw >= checkpoint.thin) wrong("thin");
  const PlacementStage& stage = checkpoint.stage;
  if (stage.moving && (stage.length == 0 || stage.end <= checkpoint.warmup_rounds)) wrong("stage");
  if (checkpoint.warming && checkpoint.rounds + checkpoint.draws > 0) wrong("rounds");
  if (checkpoint.draws > 0 && checkpoint.rounds / checkpoint.draws < checkpoint.thin)
    wrong("draws");
  return checkpoint;
}

}  // namespace nhot
