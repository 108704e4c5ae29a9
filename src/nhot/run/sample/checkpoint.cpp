#include "nhot/run/sample/checkpoint.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/run/checkpoint_fields.hpp"

namespace nhot {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// "x" and four sites to a digit; never a number.
std::string draw_text(const PackedBits& draw) {
  std::string text = "x";
  for (std::size_t i = 0; i < draw.size(); i += 4) text += hex_digits[draw.word_at(i) & 15U];
  return text;
}

PackedBits read_draw(const std::string& text, std::size_t sites) {
  if (text.size() != 1 + (sites + 3) / 4 || text.front() != 'x')
    CheckpointFields::fail("best draw");
  Bits bits(sites);
  for (std::size_t i = 0; i < sites; ++i) {
    const std::size_t digit = hex_digits.find(text[1 + i / 4]);
    if (digit == std::string_view::npos) CheckpointFields::fail("best draw");
    bits[i] = static_cast<Bit>(digit >> (i % 4) & 1U);
  }
  return bits;
}

}  // namespace

Metadata to_metadata(const RunCheckpoint& checkpoint) {
  std::string accepted;
  for (const std::uint64_t count : checkpoint.accepted_since_draw)
    accepted += (accepted.empty() ? "" : " ") + std::to_string(count);
  Metadata result{{"warming", std::to_string(int{checkpoint.warming})},
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
  if (checkpoint.last_look > 0) {
    result.emplace_back("last_look", std::to_string(checkpoint.last_look));
    result.emplace_back("look_agreed", std::to_string(int{checkpoint.look_agreed}));
  }
  if (!checkpoint.best_draw.empty()) {
    result.emplace_back("best_draw", draw_text(checkpoint.best_draw));
    result.emplace_back("best_draw_sites", std::to_string(checkpoint.best_draw.size()));
    result.emplace_back("best_draw_energy", format_real(checkpoint.best_draw_energy));
  }
  return result;
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
  if (fields.find("last_look")) {
    checkpoint.last_look = fields.count("last_look");
    checkpoint.look_agreed = fields.flag("look_agreed");
  }
  if (const std::string* draw = fields.find("best_draw")) {
    checkpoint.best_draw = read_draw(*draw, fields.count("best_draw_sites"));
    checkpoint.best_draw_energy = fields.real("best_draw_energy");
  }
  if (checkpoint.thin == 0 || checkpoint.since_draw >= checkpoint.thin)
    CheckpointFields::fail("thin");
  if (checkpoint.accepted_since_draw.size() != checkpoint.chains.size())
    CheckpointFields::fail("chains");
  return checkpoint;
}

}  // namespace nhot
