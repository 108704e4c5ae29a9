// Drivers that keep what they have done in a store: stopped after any save, by an error as sudden
// as a kill, and started again, they end as one that was left alone.
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "nhot/model/generators.hpp"
#include "nhot/result/compare.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/band/profile.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/tune/tuning.hpp"
#include "support/clocks.hpp"

namespace nhot {
namespace {

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

/// Due at every question. Ends the driver at the `last`-th save: before or after it is kept.
class StoppingStore final : public StateStore {
 public:
  std::optional<std::vector<std::byte>> find(const std::string& name) const override {
    const std::lock_guard lock(mutex_);
    const auto found = parts_.find(name);
    if (found == parts_.end()) return std::nullopt;
    return found->second;
  }
  void save(const std::string& name, std::vector<std::byte> bytes) override {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) throw Stopped();
    parts_[name] = std::move(bytes);
    ++saves_;
    if (--left_ == 0) throw Stopped();
  }
  void erase(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) throw Stopped();
    parts_.erase(name);
  }
  bool due() const override { return true; }
  double seconds_before() const override { return 0; }

  void stop_after(std::uint64_t saves) { left_ = saves; }
  std::uint64_t saves() const { return saves_; }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::vector<std::byte>> parts_;
  std::uint64_t left_ = 1'000'000;
  std::uint64_t saves_ = 0;
};

/// run(store) gives a result as text; it is stopped after every number of saves, some twice.
template <class Run>
void expect_the_same(Run&& run, std::uint64_t least_saves) {
  const std::string alone = run(nullptr);
  StoppingStore counting;
  EXPECT_EQ(run(&counting), alone);
  EXPECT_EQ(run(&counting), alone) << "of a run that is over";
  ASSERT_GE(counting.saves(), least_saves);
  const std::uint64_t step = 1 + counting.saves() / 24;  // of very many, some
  for (std::uint64_t saves = 1; saves <= counting.saves(); saves += step) {
    StoppingStore store;
    for (const std::uint64_t part : {saves, std::uint64_t{2}}) {
      store.stop_after(part);
      try {
        run(&store);
      } catch (const Stopped&) {
      }
    }
    store.stop_after(1'000'000);
    ASSERT_EQ(run(&store), alone) << "stopped after " << saves << " saves";
  }
}

std::string text_of(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += format_real(value) + " ";
  return text;
}

const Model& glass() {
  static const Model model = model_from_spec("spin-glass:4x4,seed=2");
  return model;
}
Shell small_shell() { return Shell(Bits(16, 0), 7); }

std::string annealed(AnnealingPlan plan, StateStore* store) {
  RunHooks hooks;
  hooks.store = store;
  const AnnealingResult result = anneal(glass(), small_shell(), plan, hooks);
  std::string text = std::to_string(result.reads) + " " + format_real(result.sweeps) + " " +
                     std::to_string(result.longest_read);
  for (const FoundState& state : result.states) {
    text += "\n" + format_real(state.energy) + " ";
    for (const Bit bit : state.bits) text += bit ? '1' : '0';
  }
  return text;
}

TEST(StoppedAnywhere, Anneal) {
  for (const std::uint64_t threads : {1, 3}) {
    AnnealingPlan plan;
    plan.reads = 20;
    plan.keep = 3;
    plan.threads = threads;
    expect_the_same([&](StateStore* store) { return annealed(plan, store); }, 20);
  }
}

TEST(StoppedAnywhere, AnnealPopulations) {
  AnnealingPlan plan;
  plan.reads = 3;
  plan.population = 8;
  plan.threads = 2;
  expect_the_same([&](StateStore* store) { return annealed(plan, store); }, 3);
}

TEST(StoppedAnywhere, LogZ) {
  const ChainFactory factory(glass(), small_shell(), "swap", 0.8);
  for (const bool ratio : {false, true}) {
    PartitionPlan plan;
    plan.population = 6;
    plan.populations = 3;
    plan.threads = ratio ? 2 : 1;
    plan.ratio = ratio;
    expect_the_same(
        [&](StateStore* store) {
          RunHooks hooks;
          hooks.store = store;
          const PartitionResult result = estimate_partition(factory, plan, hooks);
          return text_of(result.log_z_of) +
                 text_of({result.log_z.value, result.log_ratio.value, result.families}) +
                 std::to_string(result.moves);
        },
        8);
  }
}

// More populations than before are the same as all of them at once.
TEST(StoppedAnywhere, LogZWithMorePopulations) {
  const ChainFactory factory(glass(), small_shell(), "swap", 0.8);
  PartitionPlan plan;
  plan.population = 6;
  plan.populations = 5;
  const PartitionResult whole = estimate_partition(factory, plan);
  MemoryStore store;
  RunHooks hooks;
  hooks.store = &store;
  plan.populations = 2;
  estimate_partition(factory, plan, hooks);
  plan.populations = 5;
  EXPECT_EQ(estimate_partition(factory, plan, hooks).log_z_of, whole.log_z_of);
}

TEST(StoppedAnywhere, Profile) {
  const BandFactory factory(glass(), Bits(16, 0), {3, 9}, 0.8);
  ProfilePlan plan;
  plan.chains = 3;
  plan.threads = 2;
  plan.moves = 70'000;  // a few pieces between saves
  expect_the_same(
      [&](StateStore* store) {
        RunHooks hooks;
        hooks.store = store;
        const ProfileResult result = estimate_profile(factory, plan, hooks);
        return text_of(result.estimate.log_z) + text_of(result.visits) +
               text_of({result.round_trips, result.acceptance}) + std::to_string(result.moves);
      },
      5);
}

TEST(StoppedAnywhere, Tune) {
  TuningPlan plan;
  plan.seconds = 0.004;
  plan.chains = 3;
  plan.threads = 1;
  plan.objective = TuneObjective::count;
  expect_the_same(
      [&](StateStore* store) {
        TuningHooks hooks;
        hooks.store = store;
        const TuningResult result = run_tuning(glass(), small_shell(), 0.5, plan, hooks);
        std::string text = result.move;
        for (std::size_t k = 0; k < result.values.size(); ++k)
          text +=
              "\n" + result.search.trials[k].move + " " + format_real(result.values[k].log_rate);
        return text;
      },
      4);
}

// By hand: every look at a clock takes a while, so that rounds are short.
TEST(StoppedAnywhere, Compare) {
  ComparisonPlan plan;
  plan.chains = 3;
  plan.threads = 2;
  plan.first_moves = 1000;
  plan.slice_seconds = 1e-4;
  expect_the_same(
      [&](StateStore* store) {
        ComparisonHooks hooks;
        hooks.store = store;
        const CompareResult result =
            compare(glass(), small_shell(), 0.5, {"swap", "im"}, plan, hooks);
        const RunResult& first = result.results.front().run;
        std::string text = std::to_string(first.moves) + " " + std::to_string(first.accepted);
        for (const ChainColumns& chain : first.trace.chains) text += text_of(chain.energy);
        return text;
      },
      1);
}

/// Keeps what a run file would hold, and a copy of it at every checkpoint.
class Copies final : public TraceSink {
 public:
  void append_warmup(const Trace& block) override { now_.warmup.append(block); }
  void append(const Trace& block) override { now_.trace.append(block); }
  void replace(const Trace& whole) override { now_.trace = whole; }
  void take(RunCheckpoint checkpoint) {
    now_.checkpoint = std::move(checkpoint);
    list.push_back(std::make_shared<StoppedRun>(now_));
  }

  std::vector<std::shared_ptr<StoppedRun>> list;

 private:
  StoppedRun now_;
};

// Every look at the clock takes two seconds, so that every round ends with a checkpoint; the last
// of the warm-up is at its very end.
TEST(StoppedAnywhere, Sample) {
  const ChainFactory factory(glass(), small_shell(), "swap", 0.8);
  const test::SteppingClock clock(2);
  for (const std::uint64_t thin : {5, 7}) {
    RunPlan plan;
    plan.moves = 120;
    plan.warmup = 50;
    plan.chains = 2;
    plan.threads = 1;
    plan.thin = thin;
    Copies copies;
    RunHooks hooks;
    hooks.sink = &copies;
    hooks.checkpoint = [&](RunCheckpoint now) { copies.take(std::move(now)); };
    const RunResult whole = run_independent(factory, plan, hooks);
    ASSERT_GE(copies.list.size(), 15U);
    for (const auto& copy : copies.list) {
      plan.resume = copy;
      plan.moves = 120 - copy->checkpoint.moves;
      plan.warmup.reset();
      const RunResult again = run_independent(factory, plan);
      ASSERT_EQ(again.warmup_moves, whole.warmup_moves);
      ASSERT_EQ(again.trace.chains[1].energy, whole.trace.chains[1].energy);
      ASSERT_EQ(again.warmup.chains[1].energy, whole.warmup.chains[1].energy);
    }
  }
}

/// A clock that somebody sets: hours forward, hours back.
class JumpingClock final : public Clock {
 public:
  double wall_seconds() override { return jump(walls_++); }
  double thread_cpu_seconds() override { return 1e-6 * static_cast<double>(cpus_++); }

 private:
  static double jump(std::uint64_t k) {
    return 1e-3 * static_cast<double>(k) + (k % 7 == 3 ? 7200.0 : 0.0) -
           (k % 11 == 5 ? 9000.0 : 0.0);
  }
  std::atomic<std::uint64_t> walls_{0};
  std::atomic<std::uint64_t> cpus_{0};
};

TEST(StoppedAnywhere, ClocksThatJumpChangeNothing) {
  const ChainFactory factory(glass(), small_shell(), "im", 0.8);
  RunPlan plan;
  plan.moves = 500;
  plan.chains = 2;
  AnnealingPlan annealing;
  annealing.reads = 8;
  const std::vector<double> energies = run_independent(factory, plan).trace.chains.at(1).energy;
  const std::string found = annealed(annealing, nullptr);
  JumpingClock clock;
  const ClockOverride jumping(clock);
  EXPECT_EQ(run_independent(factory, plan).trace.chains.at(1).energy, energies);
  EXPECT_EQ(annealed(annealing, nullptr), found);
}

}  // namespace
}  // namespace nhot
