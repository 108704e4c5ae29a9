#include "nhot/run/temper/tempering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"
#include "run/small_problems.hpp"

namespace nhot {
namespace {

using test::ExactLaw;

// False alarms: the statistical tests of this file compare with thresholds that a right program
// exceeds with probability 1e-6 each, twelve comparisons in all.

ChainFactory small_factory(double beta) {
  const Model model = test::random_model(7, 0.8, 11);
  return {model, test::zero_shell(model, 3), "im:length=1..2", beta};
}

TemperingPlan small_plan() {
  TemperingPlan plan;
  plan.moves = 40'000;
  plan.warmup = 400;
  plan.sweep = 10;
  plan.betas = {0, 0.4, 1.0};
  plan.thin = 10;
  plan.states = 1'000'000;
  return plan;
}

// Pearson's sum over the states of the shell. Draws follow each other after ten moves and an
// exchange, which on this shell leaves them independent to within the test's power.
double chi_square(const TemperingResult& result, const ExactLaw& law) {
  const auto code = [](const Bits& bits) {
    std::uint64_t value = 0;
    for (const Bit bit : bits) value = 2 * value + bit;
    return value;
  };
  std::map<std::uint64_t, double> counts;
  double total = 0;
  for (const auto& chain : result.rungs[result.target].trace.states)
    for (const PackedBits& state : chain) {
      ++counts[code(state.unpacked())];
      ++total;
    }
  double sum = 0;
  for (std::size_t k = 0; k < law.states.size(); ++k) {
    const double expected = total * law.probabilities[k];
    const double off = counts[code(law.states[k])] - expected;
    sum += off * off / expected;
  }
  return sum;
}

// Chi-square with 34 degrees of freedom exceeds this with probability 1e-6.
constexpr double chi_square_limit = 92;

TEST(Tempering, SamplesTheTargetLaw) {
  const ChainFactory factory = small_factory(1.0);
  const TemperingResult result = run_tempering(factory, small_plan());
  ASSERT_EQ(result.rungs.size(), 3U);
  EXPECT_EQ(result.target, 2U);
  ASSERT_EQ(result.rungs[2].trace.states.front().size(), 4000U);
  const ExactLaw law(factory.model(), factory.shell(), 1.0);
  ASSERT_EQ(law.states.size(), 35U);
  EXPECT_LT(chi_square(result, law), chi_square_limit);
  // The same draws speak clearly against a law that is off by a tenth in beta.
  EXPECT_GT(chi_square(result, ExactLaw(factory.model(), factory.shell(), 1.1)), chi_square_limit);
}

TEST(Tempering, EveryRungHasItsOwnMeanEnergy) {
  const ChainFactory factory = small_factory(1.0);
  const TemperingResult result = run_tempering(factory, small_plan());
  for (const RungResult& rung : result.rungs) {
    const ExactLaw law(factory.model(), factory.shell(), rung.beta);
    const ObservableSummary energy = summarise_rung(rung).front().summary;
    EXPECT_NEAR(energy.mean, law.mean_energy(), 4.9 * energy.mcse) << "beta " << rung.beta;
    EXPECT_LT(energy.mcse, 0.05);
  }
}

TEST(Tempering, EveryRungOfThePathOfWeightsHasItsOwnLaw) {
  const Model model = test::random_rbm(4, 3, 8);
  const ChainFactory factory(model, test::zero_shell(model, 3), "im:length=1..2", 1.2);
  TemperingPlan plan = small_plan();
  plan.path = LadderPath::weights;
  plan.betas = {0, 0.6, 1.2};
  const TemperingResult result = run_tempering(factory, plan);
  const ExactLaw law(model, factory.shell(), 1.2);
  ASSERT_EQ(law.states.size(), 35U);
  EXPECT_LT(chi_square(result, law), chi_square_limit);
  for (std::size_t k = 0; k < 3; ++k) {
    const double share = 0.5 * static_cast<double>(k);
    const ExactLaw own(test::random_rbm(4, 3, 8, share), factory.shell(), 1.2);
    const ObservableSummary energy = summarise_rung(result.rungs[k]).front().summary;
    EXPECT_NEAR(energy.mean, own.mean_energy(), 4.9 * energy.mcse) << "share " << share;
    // The path of temperatures has another law there, which is told apart.
    const ExactLaw tempered(model, factory.shell(), 1.2 * share);
    if (k < 2) {
      EXPECT_GT(std::abs(energy.mean - tempered.mean_energy()), 4.9 * energy.mcse);
    }
  }
  EXPECT_EQ(result.best_energy, law.lowest);
  EXPECT_GT(result.ladder_trips.front(), 100U);
}

// Few couplings: replicas differ in several clusters.
ChainFactory sparse_factory(double beta) {
  const Model model = test::random_model(7, 0.2, 11);
  return {model, test::zero_shell(model, 3), "im:length=1..2", beta};
}

TEST(Tempering, ExchangeOfClustersKeepsTheLaws) {
  const ChainFactory factory = sparse_factory(1.0);
  TemperingPlan plan = small_plan();
  plan.isocluster = true;
  const TemperingResult result = run_tempering(factory, plan);
  ASSERT_EQ(result.rungs[2].trace.chains.size(), 4U);  // partners are not recorded
  EXPECT_EQ(result.ladder_trips.size(), 4U);
  const ExactLaw law(factory.model(), factory.shell(), 1.0);
  EXPECT_LT(chi_square(result, law), chi_square_limit);
  EXPECT_GT(chi_square(result, ExactLaw(factory.model(), factory.shell(), 1.2)), chi_square_limit);
  for (const RungResult& rung : result.rungs) {
    EXPECT_GT(rung.cluster_rate, 0.05);
    const ObservableSummary energy = summarise_rung(rung).front().summary;
    EXPECT_NEAR(energy.mean, ExactLaw(factory.model(), factory.shell(), rung.beta).mean_energy(),
                4.9 * energy.mcse);
  }
  plan.isocluster = false;
  const TemperingResult without = run_tempering(factory, plan);
  EXPECT_TRUE(std::isnan(without.rungs[0].cluster_rate));
  EXPECT_NEAR(static_cast<double>(result.steps), 2.0 * static_cast<double>(without.steps),
              0.05 * static_cast<double>(result.steps));
}

TEST(Tempering, ExchangeOfClustersIsRefusedWhereThereIsOne) {
  TemperingPlan plan = small_plan();
  plan.isocluster = true;
  plan.moves = 100;
  const Model rbm = model_from_spec("rbm:5x4,seed=1");
  EXPECT_THROW(run_tempering({rbm, test::zero_shell(rbm, 3), "swap", 1.0}, plan), InputError);
  const Model complete = test::random_model(8, 1.0, 1);
  EXPECT_THROW(run_tempering({complete, test::zero_shell(complete, 3), "swap", 1.0}, plan),
               InputError);
  // With one pair left out replicas differ in more than one cluster at most rarely: said after the
  // run.
  QuadraticTerms terms;
  terms.sites = 6;
  for (Site i = 0; i < 6; ++i)
    for (Site j = i + 1; j < 6; ++j)
      if (i > 0 || j > 1) terms.couplings.push_back({i, j, 1.0});
  const Model nearly("nearly complete", QuadraticModel(terms));
  const TemperingResult result =
      run_tempering({nearly, test::zero_shell(nearly, 3), "swap", 1.0}, plan);
  const auto said = [](const std::string& note) { return note.find("isocluster") != note.npos; };
  EXPECT_EQ(std::count_if(result.notes.begin(), result.notes.end(), said), 1);
}

TEST(Tempering, DoesNotDependOnTheNumberOfThreads) {
  const Model model = ferromagnet({{6, 6}, true});
  const ChainFactory factory(model, test::zero_shell(model, 18), "im:length=1..4", 0.4);
  TemperingPlan plan;
  plan.chains = 3;
  plan.moves = 200;
  plan.isocluster = true;
  std::vector<TemperingResult> results;
  for (const std::uint64_t threads : {1, 2, 4}) {
    plan.threads = threads;
    results.push_back(run_tempering(factory, plan));
  }
  ASSERT_GT(results[0].rungs.size(), 2U);
  for (const TemperingResult& other : {results[1], results[2]}) {
    ASSERT_EQ(other.rungs.size(), results[0].rungs.size());
    EXPECT_EQ(other.ladder_trips, results[0].ladder_trips);
    for (std::size_t k = 0; k < other.rungs.size(); ++k) {
      EXPECT_EQ(other.rungs[k].beta, results[0].rungs[k].beta);
      EXPECT_EQ(other.rungs[k].acceptance, results[0].rungs[k].acceptance);
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(other.rungs[k].trace.chains[c].energy,
                  results[0].rungs[k].trace.chains[c].energy);
    }
  }
  plan.seed = 2;
  EXPECT_NE(run_tempering(factory, plan).rungs[0].trace.chains[0].energy,
            results[0].rungs[0].trace.chains[0].energy);
}

TEST(Tempering, PlacesALadderWithEqualRejection) {
  const Model model = ferromagnet({{16, 16}, true});
  const ChainFactory factory(model, test::zero_shell(model, 128), "im:length=1..10", 0.44);
  TemperingPlan plan;
  plan.chains = 2;
  plan.moves = 20'000;
  plan.warmup = 20'000;
  const TemperingResult result = run_tempering(factory, plan);
  // About one exchange in two is accepted, between all neighbours alike.
  const double barrier = result.barrier();
  EXPECT_EQ(result.rungs.front().beta, 0);
  EXPECT_EQ(result.rungs.back().beta, 0.44);
  EXPECT_NEAR(static_cast<double>(result.rungs.size()), 2 * barrier + 1.5, 1.5);
  for (std::size_t k = 0; k + 1 < result.rungs.size(); ++k)
    EXPECT_NEAR(result.rungs[k].swap_rate, 0.54, 0.09) << "rung " << k;
  EXPECT_GT(result.rungs.back().round_trips, 20U);
  // A ladder of as many rungs that crowd at the hot end is uneven, by the same measure.
  plan.betas.clear();
  for (std::size_t k = 0; k < result.rungs.size(); ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(result.rungs.size() - 1);
    plan.betas.push_back(0.44 * share * share);
  }
  const TemperingResult crowded = run_tempering(factory, plan);
  double least = 1;
  double most = 0;
  for (std::size_t k = 0; k + 1 < crowded.rungs.size(); ++k) {
    least = std::min(least, crowded.rungs[k].swap_rate);
    most = std::max(most, crowded.rungs[k].swap_rate);
  }
  EXPECT_GT(most - least, 0.2);
}

TEST(Tempering, FindsItsHotEnd) {
  const Model model = ferromagnet({{16, 16}, true});
  const ChainFactory factory(model, test::zero_shell(model, 128), "im:length=1..10", 0.8);
  TemperingPlan plan;
  plan.chains = 2;
  plan.moves = 4000;
  plan.warmup = 16'000;
  plan.sweep = 40;
  const std::size_t from_zero = run_tempering(factory, plan).rungs.size();
  plan.finds_hottest = true;
  const TemperingResult result = run_tempering(factory, plan);
  // Hotter than where domains form, beta = 0.44, and with something left of the ladder.
  EXPECT_GT(result.rungs.front().beta, 0.05);
  EXPECT_LT(result.rungs.front().beta, 0.44);
  EXPECT_EQ(result.rungs.back().beta, 0.8);
  EXPECT_LT(result.rungs.size(), from_zero);
  // With hardly any moves between exchanges nothing is forgotten in one: judged by the same pace,
  // the hot end stays about where it is.
  plan.sweep = 10;
  const TemperingResult short_sweeps = run_tempering(factory, plan);
  EXPECT_GT(short_sweeps.rungs.front().beta, 0.05);
  EXPECT_LT(short_sweeps.rungs.front().beta, 0.44);
}

TEST(Tempering, ParametersRelativeToBetaFollowTheRung) {
  // With gamma = beta short walks are nearly always accepted on every rung; with a fixed gamma only
  // near its own temperature.
  const Model model = ferromagnet({{12, 12}, true});
  TemperingPlan plan;
  plan.chains = 1;
  plan.moves = 2000;
  plan.betas = {0.0, 0.2, 0.44};
  const ChainFactory following(model, test::zero_shell(model, 72), "im:length=4,gamma=beta", 0.44);
  for (const RungResult& rung : run_tempering(following, plan).rungs)
    EXPECT_GT(rung.acceptance, 0.9);
  const ChainFactory fixed(model, test::zero_shell(model, 72), "im:length=4,gamma=0.44", 0.44);
  EXPECT_LT(run_tempering(fixed, plan).rungs.front().acceptance, 0.3);
}

TEST(Tempering, JoinsTheTargetToAGivenLadder) {
  TemperingPlan plan = small_plan();
  plan.moves = 100;
  plan.betas = {0.8, 0.1};
  const TemperingResult result = run_tempering(small_factory(0.5), plan);
  ASSERT_EQ(result.rungs.size(), 3U);
  EXPECT_EQ(result.rungs[1].beta, 0.5);
  EXPECT_EQ(result.target, 1U);
}

TEST(Tempering, OneRungIsAnIndependentRun) {
  TemperingPlan plan = small_plan();
  plan.betas = {};
  const TemperingResult result = run_tempering(small_factory(0.0), plan);  // target at the hot end
  ASSERT_EQ(result.rungs.size(), 1U);
  EXPECT_EQ(result.rungs[0].round_trips, 0U);
  EXPECT_EQ(result.rungs[0].trace.draws(), 4000U);
}

TEST(Tempering, SaysWhetherToTrustTheRun) {
  const Model model = ferromagnet({{4, 3}, true});
  const ChainFactory factory(model, test::zero_shell(model, 5), "im:length=1..2", 1.0);
  const TemperingResult result = run_tempering(factory, small_plan());
  const auto summaries = summarise_rung(result.rungs[result.target]);
  const Verdict trusted = judge_tempering(result, summaries, nullptr);
  EXPECT_TRUE(trusted.converged) << trusted.reasons.front();
  // The same draws without round trips are not enough.
  TemperingResult stuck = result;
  stuck.ladder_trips.back() = 3;
  const Verdict verdict = judge_tempering(stuck, summaries, nullptr);
  EXPECT_FALSE(verdict.converged);
  ASSERT_EQ(verdict.reasons.size(), 1U);
  EXPECT_NE(verdict.reasons[0].find("3 round trips"), std::string::npos);
}

TEST(Tempering, RefusesWrongLadders) {
  const ChainFactory factory = small_factory(1.0);
  TemperingPlan plan = small_plan();
  plan.betas = {0, 1, 1};
  EXPECT_THROW(run_tempering(factory, plan), InputError);
  plan.betas = {-1, 1};
  EXPECT_THROW(run_tempering(factory, plan), InputError);
  plan.betas = {};
  plan.hottest = 2;
  EXPECT_THROW(run_tempering(factory, plan), InputError);
  plan = small_plan();
  plan.seconds = 1;
  EXPECT_THROW(run_tempering(factory, plan), InputError);
}

}  // namespace
}  // namespace nhot
