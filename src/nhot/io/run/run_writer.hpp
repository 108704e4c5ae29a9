// Writes a run as netCDF-4 while it goes on, in the layout of doc/runs.md, which ArviZ reads.
//
// Until it is finished the run is in PATH.partial. Every flush makes a copy beside it, adds the new
// draws there and renames it into place, so PATH.partial is a whole, readable file at every
// instant: kill -9 loses no more than the draws since the last flush, and a full disk spoils
// nothing written before. A flush costs time in proportion to the file; flushes are spaced so that
// they take a few percent of the run. One program at a time writes to a path: see FileLock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "nhot/io/file_lock.hpp"
#include "nhot/io/run/run_contents.hpp"
#include "nhot/model/model.hpp"
#include "nhot/trace/rung_sink.hpp"
#include "nhot/trace/sink.hpp"

namespace nhot {

/// One run going to one file. Not thread-safe, as netCDF and HDF5 are not.
class RunWriter final : public TraceSink, public RungSink {
 public:
  /// Opens the run: InputError when the file exists (unless `force`), is not a plain file, or its
  /// folder is missing; EnvironmentError when it cannot be written. `attributes` hold the resolved
  /// options (beta, distance, seed, move, engine, thin, ...); the model's name, hash and shape, the
  /// time and the version are added here. `reference` may stay empty when it is all zero, `groups`
  /// when the shell is not grouped.
  RunWriter(std::filesystem::path path, const Metadata& attributes, const Model& model,
            std::uint64_t chains, bool force, Bits reference = {},
            std::optional<std::vector<SiteGroup>> groups = {});
  /// A run that was not finished keeps its PATH.partial, unless it holds no draw and no checkpoint.
  ~RunWriter() override;
  RunWriter(const RunWriter&) = delete;
  RunWriter& operator=(const RunWriter&) = delete;

  void append_warmup(const Trace& block) override;
  void append(const Trace& block) override;
  /// Everything sampled so far becomes `whole`; a checkpoint given before is dropped.
  void replace(const Trace& whole) override;

  /// Draws of a tempering run: those of the target are the run's draws, and all rungs together go
  /// into a group of their own.
  void append_rungs(const std::vector<Trace>& blocks, std::size_t target) override;
  void replace_rungs(const std::vector<Trace>& wholes, std::size_t target) override;

  /// The whole states of the chains (AnyChain::save), or of the ladders (LadderTeam::save), after
  /// the draws appended so far; goes into the file with the next flush. `plan` is what is needed to
  /// go on: moves done, options.
  void checkpoint(std::vector<std::vector<std::byte>> chain_states, Metadata plan = {});

  /// Brings what was appended into PATH.partial now; otherwise that happens about once a second.
  /// EnvironmentError says what was lost and what is safe.
  void flush();

  /// Adds the results (moves, seconds, acceptance, ...), packs the file and renames it to PATH.
  void finish(const Metadata& final_attributes = {});

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& partial_path() const { return partial_; }

 private:
  void add(const Trace& block);
  void set(const Trace& whole);
  void flush_if_due();
  void write_pending();
  void pack(const Metadata& final_attributes);
  [[noreturn]] void fail(const std::string& cause);
  std::uint64_t estimate_bytes() const;

  std::filesystem::path path_;
  std::filesystem::path partial_;
  std::filesystem::path beside_;  // the next version of partial_, while it is made
  std::shared_ptr<const FileLock> lock_;
  RunFacts facts_;
  bool force_;
  bool open_ = false;     // partial_ is ours
  bool failed_ = false;   // a write failed: nothing more is tried
  bool goes_on_ = false;  // the file holds a state of the chains
  bool rewrite_ = false;  // the sampled part of the file is void; pending_ is all of it
  Trace pending_warmup_;  // appended, not yet in the file
  Trace pending_;
  std::vector<Trace> pending_rungs_;  // empty unless tempered
  std::uint64_t warmup_draws_ = 0;    // in the file
  std::uint64_t draws_ = 0;
  StoredCheckpoint checkpoint_;
  bool checkpoint_pending_ = false;
  double last_flush_ = 0;  // on the wall clock
  double last_append_ = 0;
  double flush_seconds_ = 0;  // cost of the last flush
};

}  // namespace nhot
