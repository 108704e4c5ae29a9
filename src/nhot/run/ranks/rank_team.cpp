#include "nhot/run/ranks/rank_team.hpp"

#include <stdexcept>

#include "nhot/base/error.hpp"
#include "nhot/chain/factory.hpp"

namespace nhot {
namespace {

[[noreturn]] void throw_error_of(std::size_t rank, const Message& message) {
  int code = 0;
  std::string problem;
  std::string hint;
  unpack(message, code, problem, hint);
  problem = "rank " + std::to_string(rank) + ": " + problem;
  switch (static_cast<ExitCode>(code)) {
    case ExitCode::input:
      throw InputError(problem, hint);
    case ExitCode::environment:
      throw EnvironmentError(problem, hint);
    case ExitCode::bug:
      throw InternalError(problem);
    default:  // of code of the user's
      throw std::runtime_error(problem);
  }
}

}  // namespace

FactoryRecipe::FactoryRecipe(const ChainFactory& factory)
    : move(factory.move()), beta(factory.beta()), distance(factory.shell().distance()) {}

RankJob::RankJob(RankTeam& team, RankJobKind kind, const Model& model, const Message& arguments)
    : team_(team), awaited_(team.size(), 0) {
  const Message body = pack(kind, team.problem(), model.hash(), arguments);
  for (std::size_t rank = 1; rank < ranks(); ++rank) send(rank, RankCall::begin, body);
  for (std::size_t rank = 1; rank < ranks(); ++rank) ++awaited_[rank];
  std::exception_ptr failure;
  for (std::size_t rank = 1; rank < ranks(); ++rank) try {
      reply(rank);
    } catch (const std::exception&) {
      if (!failure) failure = std::current_exception();
    }
  if (!failure) return;
  for (std::size_t rank = 1; rank < ranks(); ++rank) send(rank, RankCall::end);
  std::rethrow_exception(failure);
}

RankJob::~RankJob() {
  stop();
  for (std::size_t rank = 1; rank < ranks(); ++rank) {
    while (awaits(rank)) try {
        receive(rank);
      } catch (const std::exception&) {  // an error that is too late: there is one already
      }
    send(rank, RankCall::end);
  }
}

void RankJob::send(std::size_t rank, RankCall call, const Message& body) {
  team_.communicator().send(rank, make_message(call, body));
}

void RankJob::tell(std::size_t rank, const Message& command) {
  ++awaited_[rank];
  send(rank, RankCall::command, command);
}

void RankJob::tell_all(const Message& command) {
  for (std::size_t rank = 1; rank < ranks(); ++rank) tell(rank, command);
}

void RankJob::stop() {
  if (stopped_) return;
  stopped_ = true;
  for (std::size_t rank = 1; rank < ranks(); ++rank)
    if (awaits(rank)) send(rank, RankCall::stop);
}

std::pair<Message, bool> RankJob::receive(std::size_t rank) {
  auto [answer, body] = split_message<RankAnswer>(team_.communicator().receive(rank));
  if (answer == RankAnswer::note) return {std::move(body), false};
  --awaited_[rank];
  if (answer == RankAnswer::error) throw_error_of(rank, body);
  return {std::move(body), true};
}

Message RankJob::reply(std::size_t rank) {
  for (;;) {
    auto [message, is_reply] = receive(rank);
    if (is_reply) return std::move(message);
  }
}

}  // namespace nhot
