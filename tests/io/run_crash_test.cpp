// Runs that are killed and disks that are full. Each breaks in a child process; the parent reads
// what is left.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "io/child.hpp"
#include "io/sample_run.hpp"
#include "nhot/base/error.hpp"
#include "nhot/io/netcdf_file.hpp"
#include "nhot/io/run/run_reader.hpp"
#include "nhot/io/run/run_writer.hpp"
#include "nhot/model/generators.hpp"

namespace nhot {
namespace {

namespace fs = std::filesystem;
using testing::expect_equal;
using testing::limit_file_size;
using testing::made_up_draws;
using testing::status_of_child;

class RunCrash : public testing::ScratchFolder {};

TEST_F(RunCrash, KillLeavesTheFlushedDraws) {
  const int status = status_of_child([this] {
    RunWriter writer(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, false);
    writer.append_warmup(made_up_draws(0, 10));
    for (std::uint64_t k = 0; k < 20; ++k) {
      writer.append(made_up_draws(100 * k, 100));
      writer.flush();
    }
    writer.append(made_up_draws(2000, 100));  // too young to be in the file
    return ::raise(SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  const StoredRun run = read_run(at("run.nc.partial"));
  expect_equal(run.warmup, made_up_draws(0, 10));
  expect_equal(run.trace, made_up_draws(0, 2000));
  EXPECT_FALSE(run.finished);
}

// The child does nothing but flush, and is killed at any moment after the first: nearly always
// inside a write.
TEST_F(RunCrash, KillAtAnyMomentLeavesAWholeFile) {
  for (unsigned attempt = 0; attempt < 40; ++attempt) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) try {
        RunWriter writer(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, true);
        Trace all;
        for (std::uint64_t k = 0;; ++k) {
          if (k % 10 == 9) writer.replace(all);
          writer.append(made_up_draws(10 * k, 10));
          all.append(made_up_draws(10 * k, 10));
          writer.flush();
          if (k == 0 && ::write(pipe_ends[1], "x", 1) != 1) ::_exit(98);
        }
      } catch (...) {
        ::_exit(99);
      }
    ::close(pipe_ends[1]);
    char begun = 0;
    EXPECT_EQ(::read(pipe_ends[0], &begun, 1), 1);
    ::close(pipe_ends[0]);
    ::usleep(1'733 * attempt);
    ::kill(child, SIGKILL);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::size_t draws = read_run(at("run.nc.partial")).trace.draws();
    EXPECT_GE(draws, 10U);
    EXPECT_EQ(draws % 10, 0U);
    expect_equal(read_run(at("run.nc.partial")).trace, made_up_draws(0, draws));
  }
}

TEST_F(RunCrash, FullDiskIsOneClearErrorAndSpoilsNothing) {
  std::string message;
  std::string hint;
  const int status = status_of_child([this] {
    limit_file_size(12 << 20);
    RunWriter writer(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, false);
    writer.append_warmup(made_up_draws(0, 10));
    try {
      for (std::uint64_t k = 0; k < 1000; ++k) {
        writer.append(made_up_draws(1000 * k, 1000));
        writer.flush();
      }
    } catch (const EnvironmentError& error) {
      std::ofstream(at("message")) << error.what() << '\n' << error.hint();
      return static_cast<int>(error.code());
    }
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::ifstream saved(at("message"));
  std::getline(saved, message);
  std::getline(saved, hint);
  const StoredRun run = read_run(at("run.nc.partial"));
  ASSERT_GE(run.trace.draws(), 1000U);
  expect_equal(run.trace, made_up_draws(0, run.trace.draws()));
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_NE(message.find("the last 1000 sampled draws per chain are lost"), std::string::npos)
      << message;
  EXPECT_NE(message.find("holds the 10 warm-up and " + std::to_string(run.trace.draws()) +
                         " sampled draws per chain before them"),
            std::string::npos)
      << message;
  EXPECT_NE(hint.find("run.nc.partial"), std::string::npos) << hint;
  EXPECT_EQ(listing(), (std::vector<std::string>{"message", "run.nc.partial"}));
}

TEST_F(RunCrash, FullDiskAtTheStartLeavesNothing) {
  const int status = status_of_child([this] {
    limit_file_size(1000);
    RunWriter writer(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, false);
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_TRUE(listing().empty());
}

// Without a reservation HDF5 itself meets the full disk; neither that nor the end of the program
// may crash, wherever in its writes the disk ends.
TEST_F(RunCrash, FailedLibraryWriteDoesNotCrash) {
  for (std::uint64_t room = 500; room < 2'500'000; room += room / 3) {
    const int status = status_of_child([&] {
      NcFile file = NcFile::create(at("plain.nc"));
      const NcVariable variable = file.root().define(
          "x", NcType::float64, {file.root().define_unlimited("draw")}, {{1000}});
      limit_file_size(room);
      const std::vector<double> values(100'000, 1.5);
      int failures = 0;
      for (std::size_t k = 0; k < 3; ++k) try {
          write(variable, {{k * values.size()}, {values.size()}}, std::span<const double>(values));
        } catch (const NetcdfError&) {
          ++failures;
        }
      try {
        file.close();
      } catch (const NetcdfError&) {
        ++failures;
      }
      return failures > 0 ? 42 : 0;
    });
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << ", room for " << room;
    EXPECT_EQ(WEXITSTATUS(status), room < 2'400'000 ? 42 : 0) << room;
  }
}

TEST_F(RunCrash, FolderWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  fs::permissions(at(""), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THROW(RunWriter(at("run.nc"), {}, model_from_spec("ferromagnet:6x6"), 3, false),
               EnvironmentError);
  fs::permissions(at(""), fs::perms::owner_all);
}

}  // namespace
}  // namespace nhot
