// Work in a child process, as another program would do it.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <functional>

#include "nhot/base/error.hpp"

namespace nhot::testing {

enum class Ending {
  of_a_program,  // through exit(): libraries end as in any program
  at_once        // what is lost on the way does not count
};

/// The child ends with what the work returns, or with the code of its error; gives what waitpid
/// says.
inline int status_of_child(const std::function<int()>& work, Ending ending = Ending::of_a_program) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = work();
    } catch (const Error& error) {
      code = static_cast<int>(error.code());
    } catch (...) {
    }
    if (ending == Ending::at_once) ::_exit(code);
    std::exit(code);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

/// -1: it was ended by a signal.
inline int code_of_child(const std::function<int()>& work) {
  const int status = status_of_child(work, Ending::at_once);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// As a full disk: no file grows beyond.
inline void limit_file_size(std::uint64_t bytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace nhot::testing
