#include "nhot/run/ranks/serve_ranks.hpp"

#include <new>

#include "nhot/base/error.hpp"
#include "nhot/run/anneal/remote_reads.hpp"
#include "nhot/run/logz/remote_populations.hpp"
#include "nhot/run/sample/shared_chains.hpp"
#include "nhot/run/temper/shared_ladders.hpp"

namespace nhot {
namespace {

Message error_message(ExitCode code, const std::string& problem, const std::string& hint) {
  return make_message(RankAnswer::error, pack(static_cast<int>(code), problem, hint));
}

/// The answer to a call: what make_reply() returns, or the error that it throws.
template <class MakeReply>
Message answer(MakeReply&& make_reply) {
  try {
    return make_message(RankAnswer::reply, make_reply());
  } catch (const Error& error) {
    return error_message(error.code(), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return error_message(ExitCode::environment, "out of memory",
                         "use fewer ranks on a machine, or a smaller model");
  } catch (const std::exception& error) {
    return error_message(ExitCode::done, error.what(), "");
  }
}

class RankServer {
 public:
  RankServer(Communicator& communicator, const ProblemSource& source)
      : link_(communicator), source_(source) {}

  int serve() {
    for (;;) {
      const auto [call, body] = link_.next();
      switch (call) {
        case RankCall::begin:
          reply(answer([&, &message = body] { return begin(message); }));
          break;
        case RankCall::command:
          reply(answer([&, &message = body] { return work_->run(message); }));
          break;
        case RankCall::stop:
          break;
        case RankCall::end:
          work_.reset();
          break;
        case RankCall::dismiss: {
          int code = 0;
          unpack(body, code);
          return code;
        }
      }
    }
  }

 private:
  void reply(const Message& message) { link_.communicator().send(0, message); }

  Message begin(const Message& body) {
    RankJobKind kind{};
    Message problem;
    std::string hash;
    unpack(body, kind, problem, hash, arguments_);
    work_.reset();
    if (!problem_ || problem != made_from_) {  // scans begin many jobs about one model
      problem_.reset();
      problem_.emplace(source_(problem));
      made_from_ = problem;
    }
    if (problem_->model.hash() != hash)
      throw InputError("the model '" + problem_->model.name() + "' is not that of rank 0",
                       "put the file of the model where every rank reads the same");
    work_ = make(kind, {*problem_, arguments_, link_});
    return {};
  }

  static std::unique_ptr<RankWork> make(RankJobKind kind, const RankWorkSetup& setup) {
    switch (kind) {
      case RankJobKind::chains:
        return serve_chains(setup);
      case RankJobKind::ladders:
        return serve_ladders(setup);
      case RankJobKind::reads:
        return serve_reads(setup);
      case RankJobKind::populations:
        return serve_populations(setup);
    }
    throw InternalError("a job of no kind");
  }

  RankLink link_;
  const ProblemSource& source_;
  std::optional<RankProblem> problem_;
  Message made_from_;
  Message arguments_;
  std::unique_ptr<RankWork> work_;
};

}  // namespace

ChainFactory RankWorkSetup::factory(const FactoryRecipe& recipe) const {
  if (recipe.distance == problem.shell.distance())
    return {problem.model, problem.shell, recipe.move, recipe.beta};
  return {problem.model, Shell(problem.shell.reference(), recipe.distance), recipe.move,
          recipe.beta};
}

bool RankLink::stop_asked() {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (stop_asked_ || now - last_look_ < std::chrono::milliseconds(5)) return stop_asked_;
  last_look_ = now;
  if (!communicator_.waiting(0)) return false;
  // While a command is worked on, rank 0 sends nothing else.
  stop_asked_ = split_message<RankCall>(communicator_.receive(0)).first == RankCall::stop;
  return stop_asked_;
}

void RankLink::note(const Message& message) {
  communicator_.send(0, make_message(RankAnswer::note, message));
}

std::pair<RankCall, Message> RankLink::next() {
  stop_asked_ = false;
  return split_message<RankCall>(communicator_.receive(0));
}

int serve_ranks(Communicator& communicator, const ProblemSource& source) {
  return RankServer(communicator, source).serve();
}

void dismiss_ranks(Communicator& communicator, int exit_code) {
  for (std::size_t rank = 1; rank < communicator.size(); ++rank)
    communicator.send(rank, make_message(RankCall::dismiss, pack(exit_code)));
}

}  // namespace nhot
