// What the ranks beside rank 0 do: the work of jobs, until rank 0 says that there are no more.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "nhot/chain/factory.hpp"
#include "nhot/run/ranks/rank_team.hpp"
#include "nhot/trace/observables.hpp"

namespace nhot {

/// What a run is about, as a worker made it.
struct RankProblem {
  Model model;
  Shell shell;
  Observables observables = {};  // of the user's own
};

/// Makes the problem from what RankTeam was given.
using ProblemSource = std::function<RankProblem(const Message& problem)>;

/// A worker's way to rank 0 while it works on a command. Calls may come from any thread.
class RankLink {
 public:
  explicit RankLink(Communicator& communicator) : communicator_(communicator) {}

  Communicator& communicator() { return communicator_; }
  /// Whether rank 0 asked for an early end. Looks at messages every few milliseconds.
  bool stop_asked();
  /// Something that rank 0 is to know before the reply.
  void note(const Message& message);
  /// The next message that is no late stop.
  std::pair<RankCall, Message> next();

 private:
  Communicator& communicator_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_look_{};
  bool stop_asked_ = false;
};

/// The work of one job on a worker.
class RankWork {
 public:
  virtual ~RankWork() = default;
  /// One command; what it returns is the reply.
  virtual Message run(const Message& command) = 0;
};

/// What a driver makes its part of a job from. The problem and the link outlive it.
struct RankWorkSetup {
  const RankProblem& problem;
  const Message& arguments;
  RankLink& link;

  ChainFactory factory(const FactoryRecipe& recipe) const;
};

/// Serves until rank 0 calls dismiss_ranks(); returns the exit code that it told. Nothing is thrown
/// for what goes wrong in a job: rank 0 gets to know.
int serve_ranks(Communicator& communicator, const ProblemSource& source);

/// On rank 0, at the end of the program.
void dismiss_ranks(Communicator& communicator, int exit_code);

}  // namespace nhot
