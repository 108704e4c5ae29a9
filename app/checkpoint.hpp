// Commands that write no draws, with a checkpoint that they go on from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "nhot/io/run/checkpoint_file.hpp"
#include "problem.hpp"

namespace nhot::app {

/// --checkpoint and --resume; --force where the command has it from nowhere else.
OptionGroup checkpoint_options(bool with_force);

/// The file that a call keeps what it has done in, and whether it goes on with what is there.
struct CheckpointPlace {
  std::string path;  // empty: none
  bool resumes = false;
};

/// The values of an option of the call that wrote a checkpoint; none when it was not given.
std::vector<std::string> stored_option(const StoredState& stored, const std::string& name);

/// One call of such a command: what it was asked for, and where its driver keeps what it has done.
///
///     CheckpointedCall call(invocation, {"reads", "seconds"});
///     const Problem problem = call.problem();
///     ...
///     hooks.store = call.begin(problem);
///     ...
///     call.end(result.interrupted);
class CheckpointedCall {
 public:
  /// Opens the file of --resume and takes its options; InputError when the user gave others.
  /// `lengths` are options that make the run longer when they are given anew.
  CheckpointedCall(Invocation& invocation, const std::vector<std::string>& lengths);
  /// With another file than that of --checkpoint or --resume.
  CheckpointedCall(Invocation& invocation, const std::vector<std::string>& lengths,
                   const CheckpointPlace& place);

  /// The model, known by its hash, on the shell of the options.
  Problem problem() const;
  /// As start_from().
  std::optional<Bits> start(const Shell& shell) const;
  /// The option `move`, or what a search for it had found before.
  std::string move() const;

  /// InputError unless the models, all of them, are those of the run.
  void check(const std::string& hashes) const;

  /// The store of the driver, null without a checkpoint. `hash` is that of the model or models.
  StateStore* begin(const std::string& hash);
  StateStore* begin(const Problem& problem, const std::optional<Bits>& start = {});
  /// What the search for a move has found, so that it is not repeated.
  void found(const std::string& move);
  /// All that was asked is done, or not.
  void end(bool interrupted);
  /// What to type to go on; empty without a checkpoint.
  std::string way_on() const;

 private:
  void adopt(const std::vector<std::string>& lengths);
  void adopt_lengths(const std::vector<std::string>& lengths);
  Metadata about(const std::string& hash) const;

  Invocation& invocation_;
  std::string path_;  // empty: no checkpoint
  std::shared_ptr<const FileLock> lock_;
  std::optional<StoredState> stored_;
  bool longer_ = false;
  std::optional<MemoryStore> memory_;
  std::optional<CheckpointFile> file_;
};

}  // namespace nhot::app
