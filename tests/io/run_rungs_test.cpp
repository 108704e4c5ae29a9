// The draws of all temperatures of a tempering run come out of its file as they went in.
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
using testing::made_up_draws;

class RunRungs : public testing::ScratchFolder {};

constexpr std::size_t some_target = 2;

/// Draws of some rungs that differ in every number.
std::vector<Trace> made_up_rungs(std::uint64_t begin, std::uint64_t count, std::size_t chains = 3,
                                 std::uint64_t number = 4) {
  std::vector<Trace> rungs;
  for (std::uint64_t k = 0; k < number; ++k) {
    Trace trace = made_up_draws(begin, count, chains);
    trace.beta = 0.1 * static_cast<double>(k);
    for (ChainColumns& columns : trace.chains)
      for (std::size_t d = 0; d < count; ++d) {
        columns.energy[d] += 1000.0 * static_cast<double>(k);
        columns.saw_length[d] += static_cast<std::int32_t>(k);
        columns.hamming_move[d] += static_cast<std::int32_t>(2 * k);
        columns.acceptance_rate[d] /= static_cast<double>(k + 1);
        columns.accepted[d] ^= static_cast<std::uint8_t>(k % 2);
      }
    for (ObservableColumn& column : trace.observables)
      for (std::vector<double>& series : column.series)
        for (double& value : series) value += static_cast<double>(k);
    if (k != some_target) {
      trace.state_draws.clear();
      trace.states.assign(chains, {});
    }
    rungs.push_back(std::move(trace));
  }
  return rungs;
}

void expect_rungs(const fs::path& path, const std::vector<Trace>& wanted) {
  const StoredRun run = read_run(path);
  expect_equal(run.trace, wanted[some_target]);
  const std::vector<Trace> rungs = read_run_rungs(path);
  ASSERT_EQ(rungs.size(), wanted.size());
  for (std::size_t k = 0; k < rungs.size(); ++k) {
    SCOPED_TRACE(k);
    Trace without_states = wanted[k];
    without_states.state_draws.clear();
    without_states.states.assign(wanted[k].chains.size(), {});
    expect_equal(rungs[k], without_states);
  }
}

RunWriter writer_at(const fs::path& path, std::uint64_t chains = 3) {
  return {path, {{"beta", "0.2"}}, model_from_spec("ferromagnet:6x6"), chains, true};
}

TEST_F(RunRungs, GiveBackWhatWasWritten) {
  RunWriter writer = writer_at(at("run.nc"));
  writer.append_rungs(made_up_rungs(0, 7), some_target);
  writer.flush();
  expect_rungs(at("run.nc.partial"), made_up_rungs(0, 7));
  writer.append_rungs(made_up_rungs(7, 3000), some_target);
  writer.append_rungs(made_up_rungs(3007, 1), some_target);
  writer.flush();
  expect_rungs(at("run.nc.partial"), made_up_rungs(0, 3008));
  writer.append_rungs(made_up_rungs(3008, 14'000), some_target);
  writer.finish({{"moves", "1"}});
  expect_rungs(at("run.nc"), made_up_rungs(0, 17'008));
}

TEST_F(RunRungs, AreReplacedTogetherWithTheTarget) {
  RunWriter writer = writer_at(at("run.nc"));
  writer.append_rungs(made_up_rungs(0, 100), some_target);
  writer.flush();
  std::vector<Trace> thinned = made_up_rungs(0, 100);
  for (Trace& trace : thinned) trace.halve();
  writer.replace_rungs(thinned, some_target);
  writer.flush();
  expect_rungs(at("run.nc.partial"), thinned);
  std::vector<Trace> block = made_up_rungs(100, 5);
  for (std::size_t k = 0; k < block.size(); ++k) {
    block[k].thin = thinned[k].thin;
    thinned[k].append(block[k]);
  }
  writer.append_rungs(block, some_target);
  writer.finish({});
  expect_rungs(at("run.nc"), thinned);
}

TEST_F(RunRungs, OneLadderHasNoPairsAndTwoHaveOne) {
  for (const std::size_t ladders : {1U, 2U}) {
    RunWriter writer = writer_at(at("run.nc"), ladders);
    writer.append_rungs(made_up_rungs(0, 9, ladders), some_target);
    writer.finish({});
    expect_rungs(at("run.nc"), made_up_rungs(0, 9, ladders));
  }
}

TEST_F(RunRungs, AreNoneInOtherRuns) {
  RunWriter writer = writer_at(at("run.nc"));
  writer.append(made_up_draws(0, 10));
  writer.finish({});
  EXPECT_TRUE(read_run_rungs(at("run.nc")).empty());
}

TEST_F(RunRungs, CheckpointBeforeTheFirstDrawIsKept) {
  const std::vector<std::vector<std::byte>> state(3, std::vector<std::byte>(10, std::byte{7}));
  {
    RunWriter writer = writer_at(at("run.nc"));
    writer.checkpoint(state, {{"warming", "1"}});
    writer.flush();
  }
  EXPECT_EQ(read_run(at("run.nc.partial")).checkpoint.chains, state);
  EXPECT_TRUE(read_run_rungs(at("run.nc.partial")).empty());
}

// Whatever moment a run is killed at, target and rungs have the same draws.
TEST_F(RunRungs, KillLeavesTheSameDrawsEverywhere) {
  for (unsigned attempt = 0; attempt < 10; ++attempt) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe(pipe_ends), 0);
    const pid_t child = ::fork();
    if (child == 0) try {
        RunWriter writer = writer_at(at("run.nc"));
        for (std::uint64_t k = 0;; ++k) {
          writer.append_rungs(made_up_rungs(10 * k, 10), some_target);
          if (k % 10 == 9) writer.replace_rungs(made_up_rungs(0, 10 * k + 10), some_target);
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
    ::usleep(4'311 * attempt);
    ::kill(child, SIGKILL);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    const std::size_t draws = read_run(at("run.nc.partial")).trace.draws();
    EXPECT_GE(draws, 10U);
    expect_rungs(at("run.nc.partial"), made_up_rungs(0, draws));
  }
}

// A clear error, and target and rungs have the same draws: those written before.
TEST_F(RunRungs, FullDiskSpoilsNothing) {
  const int status = testing::status_of_child([this] {
    testing::limit_file_size(24U << 20);
    try {
      RunWriter writer = writer_at(at("run.nc"));
      for (std::uint64_t k = 0; k < 100; ++k) {
        writer.append_rungs(made_up_rungs(2000 * k, 2000, 3, 16), some_target);
        writer.flush();
      }
    } catch (const Error& error) {
      std::ofstream(at("message")) << error.what();
      throw;
    }
    return 0;
  });
  ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  std::string message;
  std::ifstream saved(at("message"));
  std::getline(saved, message);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  const std::size_t draws = read_run(at("run.nc.partial")).trace.draws();
  EXPECT_GE(draws, 2000U);
  expect_rungs(at("run.nc.partial"), made_up_rungs(0, draws, 3, 16));
}

TEST_F(RunRungs, DamageIsOneClearError) {
  {
    RunWriter writer = writer_at(at("run.nc"));
    writer.append_rungs(made_up_rungs(0, 9), some_target);
    writer.finish({});
  }
  ASSERT_EQ(read_run_rungs(at("run.nc")).size(), 4U);
  {
    NcFile file = NcFile::open_to_write(at("run.nc"));
    file.root().find_group("rungs")->put_attribute("thin", std::string("seldom"));
    file.close();
  }
  EXPECT_THROW(read_run_rungs(at("run.nc")), InputError);
}

}  // namespace
}  // namespace nhot
