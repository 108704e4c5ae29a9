// Every driver with an energy that is given as code, against enumeration and against the same
// energy as couplings.
#include <gtest/gtest.h>

#include <cmath>

#include "nhot/base/bytes.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/result/run_report.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/logz/partition.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/sample/witness.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "run/small_problems.hpp"
#include "support/custom_energies.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

/// A model of couplings, hidden behind its energy.
class Hidden : public Energy {
 public:
  explicit Hidden(Model model) : model_(std::move(model)) {}
  Site sites() const override { return model_.sites(); }
  double energy(std::span<const Bit> bits) const override { return model_.energy(bits); }
  std::optional<std::span<const Site>> touched(Site i) const override {
    return model_.quadratic()->row(i).sites;
  }

 private:
  Model model_;
};

ChainFactory factory_of(const Model& model, const std::string& move, double beta = 0.8) {
  return {model, Shell(Bits(model.sites(), 0), model.sites() / 3), move, beta};
}

RunPlan plan_of(std::uint64_t moves) {
  RunPlan plan;
  plan.moves = moves;
  plan.thin = 5;
  plan.states = 2000;
  return plan;
}

// Whole numbers have no rounding, so that the two make the same decisions from the same draws.
TEST(CustomEnergyRuns, DrawWhatTheCouplingsDraw) {
  const Model lattice = model_from_spec("spin-glass:4x5,seed=2");
  const Model hidden("hidden", std::make_shared<const Hidden>(lattice));
  for (const char* move : {"kawasaki", "im:length=1..5,engine=linear", "im:length=3,engine=tree"}) {
    const RunResult one = run_independent(factory_of(lattice, move), plan_of(500));
    const RunResult two = run_independent(factory_of(hidden, move), plan_of(500));
    ASSERT_GT(one.accepted, 0U) << move;
    EXPECT_EQ(one.trace.chains[0].energy, two.trace.chains[0].energy) << move;
    EXPECT_EQ(one.trace.chains[3].energy, two.trace.chains[3].energy) << move;
    EXPECT_EQ(one.changed, two.changed) << move;
  }
}

TEST(CustomEnergyRuns, HaveTheMeanOfTheLawAndOneEnergyAState) {
  const Model model = ring_of_triples();
  for (const char* move : {"im", "swap"}) {
    const ChainFactory factory = factory_of(model, move);
    const RunPlan plan = plan_of(20'000);
    const RunResult run = run_independent(factory, plan);
    const RunReport report =
        make_report(record_of(factory, plan.chains, plan.seed, run), run.trace);
    EXPECT_TRUE(report.verdict.converged) << move;
    const auto& energy = report.observables.front().summary;
    EXPECT_NEAR(energy.mean, ExactLaw(model, factory.shell(), 0.8).mean_energy(), 5 * energy.mcse)
        << move;
    EXPECT_EQ(report.run.kind, "custom");
    for (std::size_t c = 0; c < run.trace.states.size(); ++c)
      for (std::size_t s = 0; s < run.trace.states[c].size(); ++s)
        ASSERT_EQ(run.trace.chains[c].energy[run.trace.state_draws[s]],
                  model.energy(run.trace.states[c][s].unpacked()));
  }
}

// A change that is the difference of two energies carries the rounding of both: a checkpoint must
// still be taken back.
TEST(CustomEnergyRuns, GoOnFromACheckpointToTheBit) {
  const Model gaussian = model_from_spec("spin-glass:4x5,couplings=gaussian,seed=2");
  const Model hidden("hidden", std::make_shared<const Hidden>(gaussian));
  const ChainFactory factory = factory_of(hidden, "0.5*im:length=1..4 + 0.5*swap");
  const Xoshiro256 stream = make_stream(3, 0, 0, Purpose::moves);
  RandomDraws draws(make_stream(3, 0, 0, Purpose::start));
  const Bits start = factory.shell().draw_uniform(draws);
  const auto whole = factory.make(stream, start);
  whole->advance(1500);
  ByteWriter saved;
  whole->save(saved);
  const auto other = factory.make(stream, start);
  ByteReader in(saved.bytes());
  other->restore(in);
  whole->advance(1000);
  other->advance(1000);
  EXPECT_EQ(whole->bits(), other->bits());
  EXPECT_EQ(whole->energy(), other->energy());
  EXPECT_EQ(whole->counters().accepted, other->counters().accepted);
}

TEST(CustomEnergyRuns, TemperAndIntegrate) {
  const Model model = ring_of_triples();
  const ChainFactory factory = factory_of(model, "im:length=1..4", 1.5);
  const ExactLaw law(model, factory.shell(), 1.5);
  TemperingPlan plan;
  plan.chains = 2;
  plan.moves = 4000;
  plan.betas = {0, 0.5, 1.0};
  const TemperingResult run = run_tempering(factory, plan);
  const auto energy = summarise_rung(run.rungs[run.target]).front().summary;
  EXPECT_NEAR(energy.mean, law.mean_energy(), 5 * energy.mcse);
  plan.isocluster = true;
  EXPECT_NE(whole_of(refusal([&] { run_tempering(factory, plan); })).find("given as code"),
            std::string::npos);

  PartitionPlan populations;
  populations.moves = 10;
  const PartitionResult result = estimate_partition(factory, populations);
  EXPECT_NEAR(result.log_z.value, law.log_z, 5 * result.log_z.stderr_value + 1e-9);
}

TEST(CustomEnergyRuns, AnnealToTheGroundState) {
  const Model model = ring_of_triples();
  const Shell shell(Bits(model.sites(), 0), 9);
  const ExactLaw law(model, shell, 0);
  AnnealingPlan plan;
  plan.reads = 60;
  plan.keep = 5;
  for (const char* move : {"auto", "im"}) {
    plan.move = move;
    const AnnealingResult result = anneal(model, shell, plan);
    std::vector<double> lowest = law.energies;
    std::sort(lowest.begin(), lowest.end());
    ASSERT_EQ(result.states.size(), 5U);
    EXPECT_EQ(result.best_energy(), lowest.front()) << move;
    for (const FoundState& state : result.states)
      EXPECT_EQ(state.energy, model.energy(state.bits)) << move;
  }
}

TEST(CustomEnergyRuns, WitnessHasTheMeanOfTheLaw) {
  const ChainFactory factory = factory_of(ring_of_triples(), "im");
  WitnessPlan plan;
  plan.populations = 8;
  plan.steps = 1e6;
  const std::vector<WitnessPopulation> populations = run_witness(factory, plan);
  ASSERT_EQ(populations.size(), 8U);
  double mean = 0;
  double square = 0;
  for (const WitnessPopulation& population : populations) {
    mean += population.energy / 8;
    square += population.energy * population.energy / 8;
  }
  const double error = std::sqrt((square - mean * mean) / 7);
  EXPECT_LT(error, 0.1);
  EXPECT_NEAR(mean, ExactLaw(factory.model(), factory.shell(), 0.8).mean_energy(), 5 * error);
}

TEST(CustomEnergyRuns, MovesAndEnginesForCouplingsAreRefused) {
  const Model model = ring_of_triples();
  const auto said = [&](const char* move) {
    return whole_of(refusal([&] { factory_of(model, move); }));
  };
  EXPECT_NE(said("im:engine=classes").find("an energy given as code does not have"),
            std::string::npos);
  EXPECT_NE(said("im:engine=classes").find("it takes tree for this model"), std::string::npos);
  EXPECT_NE(said("im:engine=dense").find("for couplings, which this model does not have"),
            std::string::npos);
  EXPECT_NE(said("swap:engine=bits").find("given as code"), std::string::npos);
  EXPECT_NE(said("cluster").find("not a lattice"), std::string::npos);
  EXPECT_NE(said("block").find("not an RBM"), std::string::npos);
}

}  // namespace
}  // namespace nhot::test
