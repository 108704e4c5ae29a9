#include "nhot/run/checkpoint.hpp"

#include <algorithm>
#include <string>

#include "nhot/base/error.hpp"
#include "nhot/base/options.hpp"

namespace nhot {
namespace {

[[noreturn]] void fail(const std::string& key) {
  throw InputError("the checkpoint does not say its " + key,
                   "the file was not written by a run that can go on; repeat the run");
}

class Fields {
 public:
  explicit Fields(const Metadata& metadata) : metadata_(metadata) {}

  const std::string& text(const std::string& key) const {
    for (const auto& [name, value] : metadata_)
      if (name == key) return value;
    fail(key);
  }
  std::uint64_t count(const std::string& key) const { return count(key, text(key)); }
  double real(const std::string& key) const {
    const auto value = parse_real(text(key));
    if (!value) fail(key);
    return *value;
  }
  std::vector<std::uint64_t> counts(const std::string& key) const {
    std::vector<std::uint64_t> values;
    const std::string& all = text(key);
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find(' ', at), all.size());
      values.push_back(count(key, all.substr(at, end - at)));
      at = end + 1;
    }
    return values;
  }

 private:
  static std::uint64_t count(const std::string& key, const std::string& text) {
    const auto value = parse_integer(text);
    if (!value || *value < 0) fail(key);
    return static_cast<std::uint64_t>(*value);
  }

  const Metadata& metadata_;
};

}  // namespace

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
          {"best_energy", format_real(checkpoint.best_energy)}};
}

RunCheckpoint checkpoint_from(const Metadata& metadata,
                              std::vector<std::vector<std::byte>> chains) {
  const Fields fields(metadata);
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
  checkpoint.best_energy = fields.real("best_energy");
  if (checkpoint.thin == 0 || checkpoint.since_draw >= checkpoint.thin) fail("thin");
  if (checkpoint.accepted_since_draw.size() != checkpoint.chains.size()) fail("chains");
  return checkpoint;
}

}  // namespace nhot
