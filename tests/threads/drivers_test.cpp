// Every driver on several threads, with whatever looks at it meanwhile: a bar that moves, a signal,
// a checkpoint file. Built with the thread sanitizer, which ends the program at the first race.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <thread>

#include "interrupt.hpp"
#include "io/sample_run.hpp"
#include "nhot/io/run/checkpoint_file.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/result/band_sample.hpp"
#include "nhot/result/compare.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/selection.hpp"
#include "nhot/result/temper.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/band/profile.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/reproduce/reproduction.hpp"
#include "nhot/run/thread_team.hpp"
#include "nhot/run/tune/tuning.hpp"
#include "progress.hpp"
#include "run/thread_ranks.hpp"
#include "watch.hpp"

namespace nhot {
namespace {

constexpr std::uint64_t several = 3;

/// Ends when `several` threads have come: then each has a task of its own, and there is no order
/// between what they do next.
class Meeting {
 public:
  void wait() {
    come_.fetch_add(1, std::memory_order_relaxed);
    while (come_.load(std::memory_order_relaxed) < several) std::this_thread::yield();
  }

 private:
  std::atomic<std::size_t> come_ = 0;
};

class Threads : public testing::ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    ::setenv("NHOT_CHECKPOINT_SECONDS", "0", 1);
    store_ = std::make_unique<CheckpointFile>(at("run.nc"), Metadata{{"command", "test"}}, false);
  }
  void TearDown() override {
    store_.reset();
    ScratchFolder::TearDown();
  }

  /// Of a run that somebody watches on a terminal.
  RunHooks watched() {
    RunHooks hooks = app::hooks_of(bar_, {"testing", "moves"});
    hooks.store = store_.get();
    return hooks;
  }
  template <class Hooks>
  Hooks like(const RunHooks& from) {
    Hooks hooks;
    hooks.stop = from.stop;
    hooks.store = from.store;
    return hooks;
  }

  Model glass_ = model_from_spec("spin-glass:4x4,seed=2");
  Shell shell_{Bits(16, 0), 7};
  ChainFactory swap_{glass_, shell_, "swap", 0.8};
  app::InterruptGuard guard_;
  std::atomic<std::size_t> drawn_ = 0;
  app::ProgressBar bar_{app::Screen{true, false, [] { return std::size_t{80}; },
                                    [this](const std::string& text) { drawn_ += text.size(); }}};
  std::unique_ptr<CheckpointFile> store_;
};

TEST_F(Threads, Sample) {
  RunPlan plan;
  plan.moves = 3000;
  plan.chains = 5;
  plan.threads = several;
  plan.seconds.reset();
  for (const char* move : {"swap", "im:length=1..3", "swap:engine=bits"}) {
    const ChainFactory factory(glass_, shell_, move, 0.8);
    RunHooks hooks = watched();
    std::uint64_t checkpoints = 0;
    hooks.checkpoint = [&](const RunCheckpoint&) { ++checkpoints; };
    EXPECT_EQ(sample(factory, plan, hooks).run.moves, 3000U);
  }
  EXPECT_GT(drawn_, 0U);
}

TEST_F(Threads, Temper) {
  TemperingPlan plan;
  plan.chains = 3;
  plan.moves = 400;
  plan.warmup = 300;
  plan.threads = several;
  for (const bool placed : {false, true}) {
    if (!placed) plan.betas = {0, 0.3, 0.8};
    TemperingHooks hooks(watched());
    std::uint64_t checkpoints = 0;
    hooks.checkpoint = [&](const TemperingCheckpoint&) { ++checkpoints; };
    EXPECT_EQ(run_tempering(swap_, plan, hooks).moves, 400U);
    plan.betas.clear();
  }
}

TEST_F(Threads, Anneal) {
  AnnealingPlan plan;
  plan.reads = 12;
  plan.keep = 3;
  plan.threads = several;
  EXPECT_EQ(anneal(glass_, shell_, plan, watched()).reads, 12U);
  plan.population = 8;
  plan.reads = 3;
  StorePart other(*store_, "population ");
  RunHooks hooks = watched();
  hooks.store = &other;
  EXPECT_EQ(anneal(glass_, shell_, plan, hooks).reads, 3U);
}

TEST_F(Threads, LogZ) {
  PartitionPlan plan;
  plan.population = 6;
  plan.populations = 5;
  plan.threads = several;
  plan.ratio = true;
  EXPECT_EQ(estimate_partition(swap_, plan, watched()).log_z_of.size(), 5U);
}

TEST_F(Threads, Compare) {
  ComparisonPlan plan;
  plan.chains = 3;
  plan.threads = several;
  plan.first_moves = 500;
  plan.slice_seconds = 1e-4;
  EXPECT_EQ(compare(glass_, shell_, 0.5, {"swap", "im"}, plan, like<ComparisonHooks>(watched()))
                .results.size(),
            2U);
}

TEST_F(Threads, Tune) {
  TuningPlan plan;
  plan.seconds = 0.002;
  plan.chains = 3;
  plan.threads = several;
  plan.objective = TuneObjective::count;
  EXPECT_FALSE(run_tuning(glass_, shell_, 0.5, plan, like<TuningHooks>(watched())).move.empty());
}

TEST_F(Threads, Profile) {
  const BandFactory factory(glass_, Bits(16, 0), {3, 9}, 0.5);
  ProfilePlan plan;
  plan.chains = 5;
  plan.moves = 2000;
  plan.threads = several;
  EXPECT_EQ(estimate_profile(factory, plan, watched()).moves, 2000U);
}

TEST_F(Threads, SampleABand) {
  const BandFactory factory(glass_, Bits(16, 0), {3, 9}, 0.5);
  RunPlan plan;
  plan.chains = 5;
  plan.moves = 2000;
  plan.threads = several;
  EXPECT_EQ(sample_band(factory, plan, watched()).run.moves, 2000U);
}

// Looks for convergence, and the witness that looks again.
TEST_F(Threads, SampleUntilConvergedAndVerified) {
  RunPlan plan;
  plan.moves = 20'000;
  plan.threads = several;
  plan.until.emplace();
  plan.verify = true;
  EXPECT_GT(sample(swap_, plan, watched()).run.moves, 0U);
}

TEST_F(Threads, Reproduce) {
  const Experiment& experiment = paper_experiments().front();
  const Model model = model_from_spec("ferromagnet:6x6");
  ReproductionPlan plan;
  plan.trials = 3;
  plan.scale = 1e-3;
  plan.threads = several;
  EXPECT_FALSE(
      run_experiment(experiment, model, plan, like<ComparisonHooks>(watched())).results.empty());
  StorePart other(*store_, "reference ");
  RunHooks hooks = watched();
  hooks.store = &other;
  EXPECT_GT(find_reference(experiment, model, plan, hooks).moves, 0U);
}

TEST_F(Threads, Select) {
  RegressionData data{12, {"a", "b", "c", "d", "e"}, {}, {}};
  Xoshiro256 numbers = make_stream(1, 0, 0, Purpose::test);
  for (int k = 0; k < 60; ++k) data.predictors.push_back(double(numbers() % 100));
  for (int k = 0; k < 12; ++k) data.response.push_back(double(numbers() % 100));
  const Model model = regression("data", data, CoefficientPrior::unit);
  RunPlan plan;
  plan.moves = 500;
  plan.chains = 4;
  plan.threads = several;
  plan.states = 100;
  const ChainFactory two(model, Shell(Bits(5, 0), 2), "swap", 1);
  EXPECT_EQ(select_predictors(two, "y", plan, watched()).inclusion.size(), 5U);
  const BandFactory some(model, Bits(5, 0), {0, 3}, 1);
  EXPECT_EQ(select_over_sizes(some, "y", SizePrior::models, plan, watched()).sizes.size(), 4U);
}

// Ranks of two threads each, as threads of this program.
TEST_F(Threads, Ranks) {
  test::ThreadRanks ranks(2, {glass_, shell_});
  RunHooks hooks = watched();
  hooks.ranks = ranks.team();
  RunPlan plan;
  plan.moves = 1000;
  plan.chains = 4;
  plan.threads = 2;
  EXPECT_EQ(sample(swap_, plan, hooks).run.moves, 1000U);
  TemperingPlan tempering;
  tempering.betas = {0, 0.3};
  tempering.chains = 1;
  tempering.moves = 200;
  tempering.threads = 2;
  TemperingHooks watching(watched());
  watching.ranks = ranks.team();
  EXPECT_EQ(run_tempering(swap_, tempering, watching).moves, 200U);
}

// A signal that another thread gets, as the system is free to arrange it.
TEST_F(Threads, AnInterruptEndsTheRun) {
  RunPlan plan;
  plan.moves = std::uint64_t{1} << 60;
  plan.thin = 1'000'000;
  plan.chains = 4;
  plan.threads = several;
  RunHooks hooks = watched();
  std::thread sender;
  hooks.progress = [&](const RunProgress&) {
    if (!sender.joinable()) sender = std::thread([] { ::raise(SIGTERM); });
  };
  EXPECT_TRUE(sample(swap_, plan, hooks).run.interrupted);
  sender.join();
}

// Drivers save from the thread that has finished a part, while others ask.
TEST_F(Threads, OneStoreForAll) {
  ThreadTeam team(several);
  Meeting meeting;
  team.run(24, [&](std::size_t k) {
    if (k < several) meeting.wait();
    const std::string name = "part " + std::to_string(k % 5);
    store_->save(name, std::vector<std::byte>(100 * k, std::byte{1}));
    if (store_->due()) store_->find(name);
    store_->tell("told", std::to_string(k));
    if (k % 7 == 6) store_->erase(name);
  });
  store_->finish();
  EXPECT_EQ(read_checkpoint_file(at("run.nc")).parts.count("part 2"), 1U);
}

TEST(Teams, AnExceptionOfAnyTaskComesBack) {
  ThreadTeam team(several);
  for (int round = 0; round < 50; ++round) {
    std::atomic<std::size_t> done = 0;
    EXPECT_THROW(team.run(9,
                          [&](std::size_t k) {
                            ++done;
                            if (k % 4 == 3) throw InputError("of a task", "none");
                          }),
                 InputError);
    EXPECT_EQ(done, 9U);
  }
}

// What all of this rests on: that a race would be seen.
TEST(Teams, ARaceIsSeen) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto race = [] {
    std::uint64_t shared = 0;
    Meeting meeting;
    ThreadTeam team(several);
    team.run(several, [&](std::size_t k) {
      meeting.wait();
      shared += k;
    });
    std::exit(shared > 0 ? 0 : 1);
  };
  EXPECT_EXIT(race(), ::testing::ExitedWithCode(66), "data race");
}

}  // namespace
}  // namespace nhot
