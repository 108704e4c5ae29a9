#include "nhot/run/sample/checkpoint.hpp"

#include <string>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/run/checkpoint_fields.hpp"

namespace nhot {
Metadata to_metadata(const RunCheckpoint& checkpoint) {
  std::string accepted;
  for (const std::uint64_t count : checkpoint.accepted_since_draw)
    accepted += (accepted.empty() ? "" : " ") + std::to_string(count);
  return {{"warming", std::to_string(int{checkpoint.warming})},
          {"warmup_moves", std::to_string(checkpoint.warmup_moves)},
          {"warmup_left", std::to_string(checkpoint.warmup_left)},
          {"moves", std::to_string(checkpoint.moves)},
          {"thin", std::to_string(checkpoint.thin)},
          {"thin_chosen", std::to_string(int{checkpoint.thin_chosen})},
          {"since_draw", std::to_string(checkpoint.since_draw)},
          {"accepted_since_draw", accepted},
          {"state_stride", std::to_string(checkpoint.state_stride)},
          {"seconds", format_real(checkpoint.seconds)},
          {"cpu_seconds", format_real(checkpoint.cpu_seconds)},
          {"recording_seconds", format_real(checkpoint.recording_seconds)},
          {"best_energy", format_real(checkpoint.best_energy)}};
}

RunCheckpoint checkpoint_from(const Metadata& metadata,
                              std::vector<std::vector<std::byte>> chains) {
  const CheckpointFields fields(metadata);
  RunCheckpoint checkpoint;
  checkpoint.chains = std::move(chains);
  checkpoint.warming = fields.count("warming") != 0;
  checkpoint.warmup_moves = fields.count("warmup_moves");
  checkpoint.warmup_left = fields.count("warmup_left");
  checkpoint.moves = fields.count("moves");
  checkpoint.thin = fields.count("thin");
  checkpoint.thin_chosen = fields.count("thin_chosen") != 0;
  checkpoint.since_draw = fields.count("since_draw");
  checkpoint.accepted_since_draw = fields.counts("accepted_since_draw");
  checkpoint.state_stride = fields.count("state_stride");
  checkpoint.seconds = fields.real("seconds");
  checkpoint.cpu_seconds = fields.real("cpu_seconds");
  checkpoint.recording_seconds = fields.real("recording_seconds");
  checkpoint.best_energy = fields.real("best_energy");
  if (checkpoint.thin == 0 || checkpoint.since_draw >= checkpoint.thin)
    CheckpointFields::fail("thin");
  if (checkpoint.accepted_since_draw.size() != checkpoint.chains.size())
    CheckpointFields::fail("chains");
  return checkpoint;
}

}  // namespace nhot
