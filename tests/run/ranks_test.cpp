// Runs shared out to ranks give the numbers of one rank, to the bit, whatever the number of ranks
// and threads; what one number of ranks has left, another goes on with.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "nhot/base/archive.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/state_store.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "nhot/trace/trace_fields.hpp"
#include "run/tempering_runs.hpp"
#include "run/thread_ranks.hpp"

namespace nhot {
namespace {

using test::ThreadRanks;

RankProblem small_problem() {
  const Model model = ferromagnet({{6, 6}, true});
  return {model, test::zero_shell(model, 17)};
}

ChainFactory factory_of(const RankProblem& problem, const std::string& move = "im:length=1..3") {
  return {problem.model, problem.shell, move, 0.5};
}

struct Layout {
  std::size_t ranks;
  std::uint64_t threads;
};
const std::vector<Layout> layouts = {{1, 2}, {2, 1}, {2, 2}, {3, 1}, {4, 1}, {4, 3}};

/// make(ranks, threads) in every layout gives what one rank and thread give.
template <class Make>
void expect_one_answer(const Make& make) {
  const std::vector<std::byte> alone = make(nullptr, 1);
  for (const Layout& layout : layouts) {
    ThreadRanks ranks(layout.ranks, small_problem());
    EXPECT_TRUE(make(ranks.team(), layout.threads) == alone)
        << layout.ranks << " ranks of " << layout.threads << " threads";
  }
}

// --- independent chains

RunPlan chains_plan(std::uint64_t chains, std::uint64_t threads) {
  RunPlan plan;
  plan.chains = chains;
  plan.threads = threads;
  plan.moves = 300;
  plan.warmup = 30;
  plan.thin = 7;
  return plan;
}

std::vector<std::byte> bytes_of(const RunResult& result) {
  return pack(result.trace, result.warmup, result.steps, result.accepted, result.changed,
              result.best_energy, result.chain_acceptance, result.chain_changed,
              result.checkpoint.accepted_since_draw, result.checkpoint.best_draw);
}

class RankedChains : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Moves, RankedChains,
                         testing::Values("im:length=1..3", "swap:engine=bits",
                                         "0.5*im + 0.5*swap"));

TEST_P(RankedChains, AreThoseOfOneRank) {
  const RankProblem problem = small_problem();
  const ChainFactory factory = factory_of(problem, GetParam());
  for (const std::uint64_t chains : {1, 5, 130})
    expect_one_answer([&](RankTeam* ranks, std::uint64_t threads) {
      RunHooks hooks;
      hooks.ranks = ranks;
      return bytes_of(run_independent(factory, chains_plan(chains, threads), hooks));
    });
}

TEST_P(RankedChains, GoOnOnAnotherNumberOfRanks) {
  const RankProblem problem = small_problem();
  const ChainFactory factory = factory_of(problem, GetParam());
  RunPlan plan = chains_plan(5, 1);
  plan.moves = 600;
  const auto whole = bytes_of(run_independent(factory, plan));
  for (const auto& [first, second] :
       std::vector<std::pair<std::size_t, std::size_t>>{{4, 1}, {1, 4}, {3, 2}}) {
    RunHooks hooks;
    ThreadRanks before(first, problem);
    hooks.ranks = before.team();
    plan.moves = 250;
    plan.resume = nullptr;
    const RunResult half = run_independent(factory, plan, hooks);
    plan.resume =
        std::make_shared<const StoppedRun>(StoppedRun{half.checkpoint, half.warmup, half.trace});
    plan.moves = 350;
    ThreadRanks after(second, problem);
    hooks.ranks = after.team();
    EXPECT_TRUE(bytes_of(run_independent(factory, plan, hooks)) == whole);
  }
}

TEST(RankedChains, ThinningThatChoosesIsThatOfOneRank) {
  const RankProblem problem = small_problem();
  const ChainFactory factory = factory_of(problem);
  expect_one_answer([&](RankTeam* ranks, std::uint64_t threads) {
    RunHooks hooks;
    hooks.ranks = ranks;
    RunPlan plan = chains_plan(3, threads);
    plan.thin = 0;
    plan.max_draws = 37;
    plan.moves = 1000;
    return bytes_of(run_independent(factory, plan, hooks));
  });
}

TEST(RankedChains, ObserveWhatTheUserAskedFor) {
  RankProblem problem = small_problem();
  const Observables own = {make_observable("first", "the first site", [](const PackedBits& state) {
    return static_cast<double>(state.word_at(0) & 1U);
  })};
  problem.observables = own;
  const ChainFactory factory = factory_of(problem);
  RunPlan plan = chains_plan(4, 1);
  plan.observables = own;
  const auto alone = bytes_of(run_independent(factory, plan));
  ThreadRanks ranks(3, problem);
  RunHooks hooks;
  hooks.ranks = ranks.team();
  EXPECT_TRUE(bytes_of(run_independent(factory, plan, hooks)) == alone);
}

// --- tempering

std::vector<std::byte> bytes_of(const TemperingResult& result) {
  Saving saving;
  for (const RungResult& rung : result.rungs)
    saving(rung.beta, rung.acceptance, rung.changed, rung.barrier, rung.round_trips, rung.trace);
  saving(result.ladder_trips, result.steps, result.best_energy, result.exchanges);
  return saving.take();
}

TEST(RankedTempering, IsThatOfOneRank) {
  const ChainFactory factory = tempering_resume::make_factory();
  for (const bool placed : {false, true})
    for (const std::uint64_t chains : {1, 3, 4})
      for (const bool isocluster : {false, true}) {
        SCOPED_TRACE(std::to_string(chains) + (placed ? " placed" : "") +
                     (isocluster ? " isocluster" : ""));
        expect_one_answer([&](RankTeam* ranks, std::uint64_t threads) {
          TemperingPlan plan = tempering_resume::make_plan(300, placed, isocluster);
          plan.chains = chains;
          plan.threads = threads;
          TemperingHooks hooks;
          hooks.ranks = ranks;
          return bytes_of(run_tempering(factory, plan, hooks));
        });
      }
}

/// Half of a run on some ranks, the other half on others.
void expect_tempering_goes_on(bool isocluster, bool in_warmup) {
  const ChainFactory factory = tempering_resume::make_factory();
  TemperingPlan plan = tempering_resume::make_plan(700, true, isocluster);
  const auto whole = bytes_of(run_tempering(factory, plan));
  for (const auto& [first, second] :
       std::vector<std::pair<std::size_t, std::size_t>>{{4, 1}, {1, 3}, {2, 4}}) {
    TemperingHooks hooks;
    ThreadRanks before(first, small_problem());
    hooks.ranks = before.team();
    if (in_warmup) hooks.stop = [asked = 0]() mutable { return ++asked > 2; };
    plan.moves = in_warmup ? 700 : 250;
    plan.resume = nullptr;
    const TemperingResult half = run_tempering(factory, plan, hooks);
    EXPECT_EQ(half.interrupted, in_warmup);
    plan.resume = tempering_resume::stopped(half);
    plan.moves = 700 - half.checkpoint.moves;
    hooks.stop = nullptr;
    ThreadRanks after(second, small_problem());
    hooks.ranks = after.team();
    EXPECT_TRUE(bytes_of(run_tempering(factory, plan, hooks)) == whole)
        << first << " ranks, then " << second;
  }
}

TEST(RankedTempering, GoesOnOnAnotherNumberOfRanks) { expect_tempering_goes_on(false, false); }
TEST(RankedTempering, GoesOnFromItsWarmUp) { expect_tempering_goes_on(false, true); }
TEST(RankedTempering, GoesOnWithClusters) { expect_tempering_goes_on(true, false); }

// Rungs are models of their own there, and whole ladders are dealt out.
TEST(RankedTempering, OfThePathOfWeightsIsThatOfOneRank) {
  const Model model = test::random_rbm(12, 8, 3, 4);
  const RankProblem problem{model, test::zero_shell(model, 7)};
  const ChainFactory factory = factory_of(problem);
  TemperingPlan plan = tempering_resume::make_plan(300, true, false);
  plan.path = LadderPath::weights;
  const auto whole = bytes_of(run_tempering(factory, plan));
  for (const std::size_t count : {2, 3, 4}) {
    SCOPED_TRACE(count);
    ThreadRanks ranks(count, problem);
    TemperingHooks hooks;
    hooks.ranks = ranks.team();
    plan.moves = 120;
    plan.resume = nullptr;
    const TemperingResult part = run_tempering(factory, plan, hooks);
    plan.resume = tempering_resume::stopped(part);
    plan.moves = 300 - part.checkpoint.moves;
    EXPECT_TRUE(bytes_of(run_tempering(factory, plan, hooks)) == whole);
    EXPECT_EQ(ranks.gatherings(), 0);
  }
}

// Energies go round at every exchange, states only with draws; whole ladders say nothing.
TEST(RankedTempering, ExchangesEnergiesOnlyWhereLaddersAreSplit) {
  const ChainFactory factory = tempering_resume::make_factory();
  for (const std::uint64_t chains : {3, 4}) {
    TemperingPlan plan = tempering_resume::make_plan(700, false, false);
    plan.chains = chains;
    ThreadRanks ranks(2, small_problem());
    TemperingHooks hooks;
    hooks.ranks = ranks.team();
    const TemperingResult result = run_tempering(factory, plan, hooks);
    EXPECT_EQ(ranks.gatherings(), chains % 2 == 0 ? 0 : 120 + result.exchanges);
  }
}

// --- annealing

std::vector<std::byte> bytes_of(const AnnealingResult& result) {
  return pack(result.states, result.reads, result.longest_read, result.sweeps, result.hottest,
              result.coldest, result.move);
}

TEST(RankedAnnealing, IsThatOfOneRank) {
  const Model model = test::random_model(40, 0.2, 3);
  const RankProblem problem{model, test::zero_shell(model, 13)};
  for (const std::size_t population : {0, 8}) {
    AnnealingPlan plan;
    plan.reads = population ? 5 : 53;
    plan.keep = 4;
    plan.population = population;
    plan.threads = 1;
    const auto alone = bytes_of(anneal(model, problem.shell, plan));
    for (const Layout& layout : layouts) {
      plan.threads = layout.threads;
      ThreadRanks ranks(layout.ranks, problem);
      RunHooks hooks;
      hooks.ranks = ranks.team();
      EXPECT_TRUE(bytes_of(anneal(model, problem.shell, plan, hooks)) == alone) << layout.ranks;
    }
  }
}

/// Ends a run at a save, as a kill would.
class FailingStore final : public StateStore {
 public:
  std::optional<std::vector<std::byte>> find(const std::string& name) const override {
    return kept_.find(name);
  }
  void save(const std::string& name, std::vector<std::byte> bytes) override {
    if (left == 0) throw std::runtime_error("the store is full");
    --left;
    kept_.save(name, std::move(bytes));
  }
  void erase(const std::string& name) override { kept_.erase(name); }
  bool due() const override { return true; }
  double seconds_before() const override { return 0; }

  std::uint64_t left = ~std::uint64_t{0};

 private:
  MemoryStore kept_;
};

TEST(RankedAnnealing, GoesOnOnAnotherNumberOfRanks) {
  const Model model = test::random_model(40, 0.2, 3);
  const RankProblem problem{model, test::zero_shell(model, 13)};
  AnnealingPlan plan;
  plan.reads = 40;
  plan.keep = 3;
  plan.threads = 1;
  const auto alone = bytes_of(anneal(model, problem.shell, plan));
  for (const std::size_t first : {1, 2, 3, 4})
    for (const std::uint64_t saves : {3, 20, 31}) {
      FailingStore store;
      store.left = saves;
      RunHooks hooks;
      hooks.store = &store;
      {
        ThreadRanks ranks(first, problem);
        hooks.ranks = ranks.team();
        EXPECT_THROW(anneal(model, problem.shell, plan, hooks), std::runtime_error);
      }
      store.left = ~std::uint64_t{0};
      ThreadRanks ranks(5 - first, problem);
      hooks.ranks = ranks.team();
      EXPECT_TRUE(bytes_of(anneal(model, problem.shell, plan, hooks)) == alone);
    }
}

// Long enough for reads over blocks, which are made from states that the checkpoint and the
// messages carry. So many states of equal energy are kept that every read leaves its mark.
TEST(RankedAnnealing, SearchesBlocksAsOneRankAndGoesOn) {
  const Model model = spin_glass({{16, 16}, true}, CouplingLaw::plus_minus, 4);
  const RankProblem problem{model, test::zero_shell(model, 128)};
  AnnealingPlan plan;
  plan.reads = 104;
  plan.keep = 20;
  plan.threads = 1;
  // The states that a checkpoint ends with: the newest ends of reads that began anew.
  const auto recent = [](const StateStore& store) {
    const std::vector<std::byte> bytes = store.find("batches").value();
    return std::vector<std::byte>(bytes.end() - std::ptrdiff_t{16} * (8 + 256), bytes.end());
  };
  FailingStore whole;
  RunHooks storing;
  storing.store = &whole;
  const auto alone = bytes_of(anneal(model, problem.shell, plan, storing));
  for (const std::uint64_t saves : {85, 95}) {
    FailingStore store;
    store.left = saves;
    RunHooks hooks;
    hooks.store = &store;
    plan.threads = 1;
    EXPECT_THROW(anneal(model, problem.shell, plan, hooks), std::runtime_error);
    store.left = ~std::uint64_t{0};
    ThreadRanks ranks(2, problem);
    hooks.ranks = ranks.team();
    plan.threads = 2;
    EXPECT_TRUE(bytes_of(anneal(model, problem.shell, plan, hooks)) == alone) << saves;
    EXPECT_TRUE(recent(store) == recent(whole)) << saves;
  }
  ThreadRanks ranks(3, problem);
  RunHooks hooks;
  hooks.ranks = ranks.team();
  EXPECT_TRUE(bytes_of(anneal(model, problem.shell, plan, hooks)) == alone);
}

// --- the partition function

std::vector<std::byte> bytes_of(const PartitionResult& result) {
  return pack(result.log_z, result.log_z_of, result.betas, result.effective_share, result.families,
              result.log_ratio, result.moves);
}

PartitionPlan partition_plan(PartitionMethod method, std::uint64_t threads) {
  PartitionPlan plan;
  plan.method = method;
  plan.threads = threads;
  plan.population = 8;
  plan.populations = 7;
  plan.ratio = method == PartitionMethod::smc;
  return plan;
}

TEST(RankedPopulations, AreThoseOfOneRank) {
  const RankProblem problem = small_problem();
  const ChainFactory factory = factory_of(problem);
  for (const PartitionMethod method : {PartitionMethod::smc, PartitionMethod::ais})
    expect_one_answer([&](RankTeam* ranks, std::uint64_t threads) {
      RunHooks hooks;
      hooks.ranks = ranks;
      return bytes_of(estimate_partition(factory, partition_plan(method, threads), hooks));
    });
}

TEST(RankedPopulations, GoOnOnAnotherNumberOfRanks) {
  const RankProblem problem = small_problem();
  const ChainFactory factory = factory_of(problem);
  const PartitionPlan plan = partition_plan(PartitionMethod::smc, 1);
  const auto alone = bytes_of(estimate_partition(factory, plan));
  for (const std::size_t first : {1, 2, 4})
    for (const std::uint64_t saves : {2, 9, 40}) {
      FailingStore store;
      store.left = saves;
      RunHooks hooks;
      hooks.store = &store;
      {
        ThreadRanks ranks(first, problem);
        hooks.ranks = ranks.team();
        try {
          estimate_partition(factory, plan, hooks);
        } catch (const std::runtime_error&) {
        }
      }
      store.left = ~std::uint64_t{0};
      ThreadRanks ranks(5 - first, problem);
      hooks.ranks = ranks.team();
      EXPECT_TRUE(bytes_of(estimate_partition(factory, plan, hooks)) == alone);
    }
}

// --- what goes wrong

/// An energy whose computing fails after a while.
class FailingEnergy final : public Energy {
 public:
  explicit FailingEnergy(std::shared_ptr<std::atomic<int>> left) : left_(std::move(left)) {}
  Site sites() const override { return 12; }
  double energy(std::span<const Bit> bits) const override {
    if (left_ && --*left_ < 0) throw EnvironmentError("the licence has run out", "buy another one");
    double sum = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) sum += bits[i] * static_cast<double>(i % 5);
    return sum;
  }

 private:
  std::shared_ptr<std::atomic<int>> left_;
};

TEST(Ranks, TellRankZeroWhatWentWrong) {
  const Model good("mine", std::make_shared<const FailingEnergy>(nullptr));
  const Shell shell = test::zero_shell(good, 5);
  const ChainFactory factory(good, shell, "swap", 0.5);
  for (const bool splits : {false, true}) {
    const auto left = std::make_shared<std::atomic<int>>(1'000'000);
    const Model bad("mine", std::make_shared<const FailingEnergy>(left));
    ThreadRanks ranks(2, {bad, shell});
    *left = 2000;
    TemperingPlan plan;
    plan.betas = {0.1, 0.3, 0.5};
    plan.chains = splits ? 3 : 2;
    plan.moves = 100'000;
    TemperingHooks hooks;
    hooks.ranks = ranks.team();
    try {
      run_tempering(factory, plan, hooks);
      FAIL() << "an error was lost";
    } catch (const EnvironmentError& error) {
      EXPECT_STREQ(error.what(), "rank 1: the licence has run out");
      EXPECT_EQ(error.hint(), "buy another one");
    }
    *left = 1'000'000'000;  // and the ranks are there for the next run
    plan.moves = 100;
    run_tempering(factory, plan, hooks);
  }
}

TEST(Ranks, RefuseAnotherModel) {
  const RankProblem problem = small_problem();
  const Model other = ferromagnet({{4, 9}, true});
  ThreadRanks ranks(3, {other, test::zero_shell(other, 17)});
  RunHooks hooks;
  hooks.ranks = ranks.team();
  EXPECT_THROW(run_independent(factory_of(problem), chains_plan(4, 1), hooks), InputError);
}

// A long command ends when rank 0 is to stop.
TEST(Ranks, StopInTheMiddle) {
  const RankProblem problem = small_problem();
  AnnealingPlan plan;
  plan.reads = 64;
  plan.sweeps = 1U << 30;
  plan.threads = 1;
  ThreadRanks ranks(3, problem);
  RunHooks hooks;
  hooks.ranks = ranks.team();
  std::atomic<int> asked = 0;
  hooks.stop = [&] { return ++asked > 50; };
  EXPECT_TRUE(anneal(problem.model, problem.shell, plan, hooks).interrupted);
}

}  // namespace
}  // namespace nhot
