// The groups of a run file (doc/runs.md): each is written and read here, side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_contents.hpp"
#include "nhot/trace/trace.hpp"

namespace nhot {

enum class Phase { warmup, sampling };

/// How the draws of a phase are laid out: growing without waste, or packed once all are known.
struct PhaseStorage {
  std::size_t chunk_draws = 1;
  std::size_t chunk_states = 1;
  bool deflate = false;

  /// Chunks that are filled step by step; never deflated, so that a chunk that grows stays where
  /// it is.
  static PhaseStorage growing(std::uint64_t chains, Site sites);
  static PhaseStorage packed(std::uint64_t draws, std::uint64_t states, Site sites);
};

struct PhaseSize {
  std::uint64_t draws = 0;
  std::uint64_t states = 0;
};

/// Root attributes and constant_data.
void write_facts(const NcGroup& root, const RunFacts& facts);
RunFacts read_facts(const NcGroup& root);

/// Root attributes of a run that is over.
void write_finished(const NcGroup& root, const Metadata& results);
bool read_finished(const NcGroup& root);

/// Adds draws at the end of a phase. The groups are made when the first draws come, with the
/// metadata of `facts` as attributes.
void append_phase(const NcGroup& root, Phase phase, const Trace& block, const RunFacts& facts,
                  const PhaseStorage& storage);
PhaseSize phase_size(const NcGroup& root, Phase phase);
/// Draws begin ... begin + count - 1 and the states kept among them.
Trace read_phase(const NcGroup& root, Phase phase, std::uint64_t begin, std::uint64_t count);

/// The same for all temperatures of a tempering run, without states.
struct RungsSize {
  std::size_t rungs = 0;  // 0: not a tempering run, or no draw yet
  std::uint64_t draws = 0;
};
void append_rung_draws(const NcGroup& root, const std::vector<Trace>& blocks, const RunFacts& facts,
                       const PhaseStorage& storage);
RungsSize rungs_size(const NcGroup& root);
std::vector<Trace> read_rung_draws(const NcGroup& root, std::uint64_t begin, std::uint64_t count);
/// All of them from one file to another, packed.
void copy_rung_draws(const NcGroup& from, const NcGroup& to, const RunFacts& facts);
/// Their layout in a growing file, and the bytes that blocks can take in it, whole chunks counted.
PhaseStorage growing_rungs(std::size_t rungs, const RunFacts& facts);
std::uint64_t rungs_room(const std::vector<Trace>& blocks, const RunFacts& facts);

/// Writes the checkpoint over the one before.
void write_checkpoint(const NcGroup& root, const StoredCheckpoint& checkpoint);
/// No chains when there is none.
StoredCheckpoint read_checkpoint(const NcGroup& root);

/// A file of the right kind of which a part is missing or has another shape than its neighbours.
class DamagedRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace nhot
