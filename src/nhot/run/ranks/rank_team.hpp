// How one run is shared out to several processes (ranks).
//
// Rank 0 is the run: it reads files, decides, draws the conclusions and writes. The other ranks
// serve (serve_ranks.hpp): they hold chains, replicas, reads or populations, and do with them what
// rank 0 tells them. So only rank 0 looks at the clock, and nothing depends on which rank did what:
// every chain draws from a stream of its own, hashed from its number.
//
// A driver makes a RankJob for its kind of work, tells all workers what to do, does its own share,
// and takes their replies:
//
//     RankJob job(*hooks.ranks, RankJobKind::chains, arguments);
//     job.tell_all(command);
//     ...                                   // rank 0's own share
//     for (std::size_t rank = 1; rank < job.ranks(); ++rank) merge(job.reply(rank));
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "nhot/base/archive.hpp"
#include "nhot/base/communicator.hpp"

namespace nhot {

class ChainFactory;
class Model;

/// The ranks that share a run, seen from rank 0. `problem` is what a worker makes the model and the
/// shell from (ProblemSource of serve_ranks.hpp).
class RankTeam {
 public:
  RankTeam(Communicator& communicator, Message problem)
      : communicator_(communicator), problem_(std::move(problem)) {}

  std::size_t size() const { return communicator_.size(); }
  Communicator& communicator() { return communicator_; }
  const Message& problem() const { return problem_; }

 private:
  Communicator& communicator_;
  Message problem_;
};

/// Threads to ask for on every rank: one where the user does not say.
inline std::uint64_t threads_of_rank(std::uint64_t wanted, const RankTeam* ranks) {
  return wanted || !ranks ? wanted : 1;
}

/// What workers are told, and what they answer: the first byte of a message.
enum class RankCall : std::uint8_t { begin, command, stop, end, dismiss };
enum class RankAnswer : std::uint8_t { reply, note, error };
enum class RankJobKind : std::uint8_t { chains, ladders, reads, populations };

/// What the chains of a job are made from.
struct FactoryRecipe {
  FactoryRecipe() = default;
  explicit FactoryRecipe(const ChainFactory& factory);

  std::string move;
  double beta = 0;
  std::uint32_t distance = 0;  // of the shell, which may be one beyond that of the problem
};
template <class Archive>
void visit_fields(Archive& archive, FactoryRecipe& recipe) {
  archive(recipe.move, recipe.beta, recipe.distance);
}

/// One job of the workers, while it lives. Errors of a worker are thrown here, where its reply is
/// taken.
class RankJob {
 public:
  /// Returns when every worker is ready.
  RankJob(RankTeam& team, RankJobKind kind, const Model& model, const Message& arguments);
  /// Stops what workers do and waits until they have.
  ~RankJob();
  RankJob(const RankJob&) = delete;
  RankJob& operator=(const RankJob&) = delete;

  std::size_t ranks() const { return awaited_.size(); }

  /// Every command gets one reply.
  void tell(std::size_t rank, const Message& command);
  void tell_all(const Message& command);
  Message reply(std::size_t rank);

  /// For commands that take long. Asks workers to end early, once.
  void stop();
  /// Whether a reply is still to come.
  bool awaits(std::size_t rank) const { return awaited_[rank] > 0; }
  /// Calls take(rank, message, is_reply) for every note and reply that has arrived, without
  /// waiting. True while there are replies to come.
  template <class Take>
  bool collect(Take&& take) {
    bool more = false;
    for (std::size_t rank = 1; rank < ranks(); ++rank) {
      while (awaits(rank) && team_.communicator().waiting(rank)) {
        auto [message, is_reply] = receive(rank);
        take(rank, message, is_reply);
      }
      more = more || awaits(rank);
    }
    return more;
  }

 private:
  std::pair<Message, bool> receive(std::size_t rank);
  void send(std::size_t rank, RankCall call, const Message& body = {});

  RankTeam& team_;
  std::vector<std::size_t> awaited_;  // replies, by rank
  bool stopped_ = false;
};

/// Between looks for what other ranks have sent.
inline void wait_for_ranks() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

/// A message: its first byte, then its body; and back.
template <class Kind>
Message make_message(Kind kind, const Message& body = {}) {
  Message message;
  message.reserve(body.size() + 1);
  message.push_back(static_cast<std::byte>(kind));
  message.insert(message.end(), body.begin(), body.end());
  return message;
}
template <class Kind>
std::pair<Kind, Message> split_message(const Message& message) {
  if (message.empty()) ByteReader::damaged();
  return {static_cast<Kind>(message.front()), Message(message.begin() + 1, message.end())};
}

template <class... Values>
Message pack(const Values&... values) {
  Saving saving;
  saving(values...);
  return saving.take();
}
template <class... Values>
void unpack(const Message& message, Values&... values) {
  Restoring restoring(message);
  restoring(values...);
}

}  // namespace nhot
