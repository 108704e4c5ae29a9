// The program: finds the command, runs it, and turns errors into messages and exit codes.
#include <sys/resource.h>

#include <csignal>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "nhot/base/version.hpp"
#include "output.hpp"
#include "parse.hpp"
#include "ranks.hpp"

namespace nhot::app {
namespace {

ExitCode dispatch(std::vector<std::string> words) {
  if (words.empty()) {
    print(help_on_program());
    return ExitCode::input;
  }
  const std::string first = words.front();
  if (first == "--help" || first == "-h") {
    print(help_on_program());
    return ExitCode::done;
  }
  if (first == "--version" || first == "-V" || first == "version") {
    print("nhot " + std::string(version()) + "\n");
    return ExitCode::done;
  }
  if (first.front() == '-')
    throw InputError("the command comes first, not '" + first + "'",
                     "write nhot COMMAND [options]; nhot --help lists the commands");
  const Command& command = find_command(first);
  words.erase(words.begin());
  std::optional<Invocation> invocation = parse_words(command, std::move(words));
  if (!invocation) {
    print(help_on(command));
    return ExitCode::done;
  }
  note_idle_ranks(command.name, invocation->values);
  return command.run(*invocation);
}

std::string memory_used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::to_string((usage.ru_maxrss + 1023) / 1024) + " MB";
}

/// On every rank but 0 the code of rank 0, when that has ended.
std::optional<int> serve_as_rank() {
  try {
    return join_ranks();
  } catch (const Error& error) {
    if (is_first_rank()) print_error(error);
    return static_cast<int>(error.code());
  }
}

ExitCode guarded(std::vector<std::string> words) {
  try {
    const ExitCode code = dispatch(std::move(words));
    finish_output();
    return code == ExitCode::done && InterruptGuard::obeyed() ? ExitCode::interrupted : code;
  } catch (const Error& error) {
    print_error(error);
    return error.code();
  } catch (const std::bad_alloc&) {
    const EnvironmentError error(
        "out of memory: more was needed than the " + memory_used() + " in use so far",
        "use a smaller model, fewer chains or states, or a machine with more memory");
    print_error(error);
    return error.code();
  } catch (const std::exception& exception) {
    const InternalError error(exception.what());
    print_error(error);
    return error.code();
  }
}

}  // namespace
}  // namespace nhot::app

int main(int count, char** words) {
  // A file that reaches a size limit is an error to report, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  if (const auto code = nhot::app::serve_as_rank()) return *code;
  const auto code = static_cast<int>(
      nhot::app::guarded(std::vector<std::string>(words + (count > 0), words + count)));
  nhot::app::leave_ranks(code);
  return code;
}
