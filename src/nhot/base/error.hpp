// The errors a user can meet. Each carries what is wrong (with where) and what to try.
#pragma once

#include <stdexcept>
#include <string>

namespace nhot {

/// Exit codes of the command line.
enum class ExitCode : int { done = 0, input = 2, environment = 3, bug = 70, interrupted = 130 };

class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& problem, std::string hint)
      : std::runtime_error(problem), code_(code), hint_(std::move(hint)) {}

  ExitCode code() const { return code_; }
  /// What the user can try; may be empty.
  const std::string& hint() const { return hint_; }

 private:
  ExitCode code_;
  std::string hint_;
};

/// Something the user handed in is wrong and the user can fix it.
class InputError : public Error {
 public:
  explicit InputError(const std::string& problem, std::string hint = {})
      : Error(ExitCode::input, problem, std::move(hint)) {}
};

/// A file, a disk or another part of the environment failed.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& problem, std::string hint = {})
      : Error(ExitCode::environment, problem, std::move(hint)) {}
};

/// A contract inside nhot was broken: our bug.
class InternalError : public Error {
 public:
  explicit InternalError(const std::string& problem)
      : Error(ExitCode::bug, problem,
              "this is a bug in nhot; please report it with the command you ran") {}
};

}  // namespace nhot
