#include "nhot/run/logz/partition.hpp"

#include <gtest/gtest.h>

#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"
#include "run/exact_partition.hpp"
#include "run/small_problems.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

using test::ExactLaw;

// False alarms: an estimate is expected within 3 of its stated errors, which come from 32
// populations. A right program exceeds that with probability 0.005 (Student's t, 31 degrees of
// freedom) for each of the 16 estimates of this file: 8 in a hundred for a new set of seeds. The
// seeds are fixed, and the first that were tried.
constexpr double allowed = 3;

PartitionPlan plan_of(PartitionMethod method = PartitionMethod::smc) {
  PartitionPlan plan;
  plan.method = method;
  plan.populations = 32;
  plan.population = 64;
  plan.seed = 1;
  return plan;
}

void expect_equal(const LogEstimate& estimate, double exact, double sharp) {
  EXPECT_NEAR(estimate.value, exact, allowed * estimate.stderr_value);
  EXPECT_GT(estimate.stderr_value, 0);
  EXPECT_LT(estimate.stderr_value, sharp) << "too blunt to tell anything";
}

TEST(TransferMatrix, AgreesWithEnumeration) {
  // 4 x 4 with wrap-around: no doubled bonds, so the model and the matrix mean the same.
  const Model model = ferromagnet({{4, 4}, true});
  for (const Site n : {0U, 3U, 8U})
    EXPECT_NEAR(test::log_transfer_matrix(4, 0.4)[n],
                ExactLaw(model, test::zero_shell(model, n), 0.4).log_z, 1e-10);
}

TEST(LogZ, EqualsEnumeration) {
  struct Case {
    Site sites;
    Site distance;
    double beta;
    const char* move;
  };
  std::uint64_t seed = 20;
  for (const Case& c : {Case{12, 4, 1.0, "im"}, Case{18, 9, 0.7, "swap"}, Case{20, 3, 2.0, "im"}}) {
    const Model model = test::random_model(c.sites, 0.5, ++seed);
    const Shell shell(test::zero_shell(model, 5).relative(Bits(c.sites, 1)), c.distance);
    const ChainFactory factory(model, shell, c.move, c.beta);
    const double exact = ExactLaw(model, shell, c.beta).log_z;
    for (const PartitionMethod method : {PartitionMethod::smc, PartitionMethod::ais}) {
      PartitionPlan plan = plan_of(method);
      plan.moves = 20;
      const PartitionResult result = estimate_partition(factory, plan);
      expect_equal(result.log_z, exact, 0.1);
      EXPECT_NEAR(result.log_states, ExactLaw(model, shell, 0).log_z, 1e-9);
    }
  }
}

TEST(LogZ, TheErrorBarIsSharpEnoughToSeeTwoPercentOfTheEnergy) {
  const Model model = test::random_model(18, 0.5, 22);
  const Shell shell = test::zero_shell(model, 9);
  const PartitionResult result =
      estimate_partition(ChainFactory(model, shell, "im", 0.7), plan_of());
  EXPECT_GT(std::abs(result.log_z.value - ExactLaw(model, shell, 1.02 * 0.7).log_z),
            allowed * result.log_z.stderr_value);
}

TEST(LogZ, EqualsTheSymmetricPolynomialOfIndependentSites) {
  const Model model = model_from_spec("field:400,seed=1");
  const std::vector<double> fields(model.quadratic()->linear().begin(),
                                   model.quadratic()->linear().end());
  ASSERT_EQ(fields.size(), 400U);
  PartitionPlan plan = plan_of();
  plan.population = 16;
  plan.moves = 80;
  for (const Site n : {1U, 40U, 280U}) {
    const PartitionResult result =
        estimate_partition(ChainFactory(model, test::zero_shell(model, n), "im", 1.0), plan);
    expect_equal(result.log_z, test::log_symmetric(fields, 1.0)[n], 0.3);
    if (n > 1) {  // fields 2% weaker would be seen
      EXPECT_GT(std::abs(result.log_z.value - test::log_symmetric(fields, 0.98)[n]),
                2 * allowed * result.log_z.stderr_value);
    }
  }
}

TEST(LogZ, EqualsTheTransferMatrixOfTheFerromagnet) {
  const Model model = ferromagnet({{8, 8}, true});
  for (const Site n : {12U, 32U}) {
    const double exact = test::log_z_of_8x8()[n];
    const ChainFactory factory(model, test::zero_shell(model, n), "im", 0.44);
    expect_equal(estimate_partition(factory, plan_of()).log_z, exact, 0.1);
    if (n == 32)
      expect_equal(estimate_partition(factory, plan_of(PartitionMethod::ais)).log_z, exact, 0.1);
  }
}

TEST(LogZ, RatioToTheNextShell) {
  const Model model = test::random_model(14, 0.5, 31);
  const double beta = 0.8;
  const auto log_z = [&](Site n) {
    return ExactLaw(model, test::zero_shell(model, n), beta).log_z;
  };
  PartitionPlan plan = plan_of();
  plan.ratio = true;
  plan.moves = 20;
  for (const Site n : {1U, 6U, 12U}) {
    const ChainFactory factory(model, test::zero_shell(model, n), "im:length=1", beta);
    const PartitionResult result = estimate_partition(factory, plan);
    ASSERT_TRUE(result.has_ratio);
    expect_equal(result.log_ratio, log_z(n + 1) - log_z(n), 0.05);
  }
  const ChainFactory last(model, test::zero_shell(model, 14), "swap", beta);
  const PartitionResult result = estimate_partition(last, plan);
  EXPECT_FALSE(result.has_ratio);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes.front(),
            "there is no ratio to the next shell: at distance 14 of 14 sites this is the last one");
}

TEST(LogZ, RatioFitsTheMoveToBothShells) {
  // The longest walk is shorter on the next shell, and on the last one there is none.
  const Model model = test::random_model(12, 0.5, 31);
  const double beta = 0.3;
  PartitionPlan plan = plan_of();
  plan.ratio = true;
  for (const Site n : {0U, 5U, 6U, 10U, 11U}) {
    const Shell shell = test::zero_shell(model, n);
    plan.move = "im";
    const PartitionResult result = estimate_partition(ChainFactory(model, shell, "im", beta), plan);
    ASSERT_TRUE(result.has_ratio) << n;
    const double exact = ExactLaw(model, test::zero_shell(model, n + 1), beta).log_z -
                         ExactLaw(model, shell, beta).log_z;
    expect_equal(result.log_ratio, exact, 0.1);
  }
  // A length that the user names is not changed, but a shell of one state needs none.
  plan.move = "im:length=6";
  const ChainFactory factory(model, test::zero_shell(model, 6), plan.move, beta);
  EXPECT_EQ(test::message_of(test::refusal([&] { estimate_partition(factory, plan); })),
            "the ratio also needs the shell at distance 7, and there: move im: length 6 does not "
            "fit the shell (order=random at distance 7 of 12 sites)");
  plan.move = "im:length=1";
  EXPECT_TRUE(
      estimate_partition(ChainFactory(model, test::zero_shell(model, 11), plan.move, beta), plan)
          .has_ratio);
}

TEST(LogZ, ThermodynamicIntegrationAgrees) {
  const Model model = ferromagnet({{5, 4}, true});
  const Shell shell = test::zero_shell(model, 10);
  const ChainFactory factory(model, shell, "im", 0.6);
  TemperingPlan plan;
  plan.chains = 32;
  plan.moves = 4'000;
  plan.states = 0;
  const PartitionResult result =
      integrate_tempering(run_tempering(factory, plan), shell.log_states());
  expect_equal(result.log_z, ExactLaw(model, shell, 0.6).log_z, 0.05);
}

// With one exchange per step the logs of 16 populations spread by 1.5. Honest errors are exceeded
// threefold by 1 in 100 estimates (Student's t), those without a term for the tail that was not met
// by 1 in 4 (bench/error_bars.py). With a rate of 0.02 more than 9 of a hundred come by chance once
// in 10^4 sets of seeds; with 0.25 at most 9 once in 10^4.
TEST(LogZ, TheErrorBarIsHonestWhereMixingIsPoor) {
  const Model model = ferromagnet({{8, 8}, true});
  const ChainFactory factory(model, test::zero_shell(model, 31), "im:length=1", 0.44);
  const double exact = test::log_z_of_8x8()[31];
  int beyond = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    PartitionPlan plan;
    plan.seed = seed;
    plan.moves = 1;
    const PartitionResult result = estimate_partition(factory, plan);
    beyond += std::abs(result.log_z.value - exact) > allowed * result.log_z.stderr_value;
    ASSERT_FALSE(result.notes.empty()) << "a spread of 1.5 deserves a warning";
  }
  EXPECT_LE(beyond, 9);
}

TEST(LogZ, DoesNotDependOnTheNumberOfThreads) {
  const Model model = test::random_model(30, 0.3, 41);
  const ChainFactory factory(model, test::zero_shell(model, 10), "im", 1.0);
  PartitionPlan plan = plan_of();
  plan.population = 16;
  plan.populations = 6;
  plan.threads = 1;
  const PartitionResult one = estimate_partition(factory, plan);
  for (const std::uint64_t threads : {2, 4}) {
    plan.threads = threads;
    EXPECT_EQ(estimate_partition(factory, plan).log_z_of, one.log_z_of);
  }
}

TEST(LogZ, IsExactWithoutInteractionOrTemperature) {
  const Model model = test::random_model(16, 0.3, 42);
  const Shell shell = test::zero_shell(model, 8);
  const PartitionResult hot = estimate_partition(ChainFactory(model, shell, "im", 0), plan_of());
  EXPECT_NEAR(hot.log_z.value, std::log(12870), 1e-9);
  EXPECT_EQ(hot.log_z.stderr_value, 0);
  const Shell point = test::zero_shell(model, 0);
  const PartitionResult one = estimate_partition(ChainFactory(model, point, "im", 3), plan_of());
  EXPECT_NEAR(one.log_z.value, -3 * model.energy(Bits(16, 0)), 1e-9);
}

TEST(LogZ, RefusesPlansWithoutAnErrorBar) {
  const Model model = test::random_model(8, 0.3, 42);
  const ChainFactory factory(model, test::zero_shell(model, 4), "im", 1);
  PartitionPlan plan = plan_of();
  plan.populations = 1;
  EXPECT_THROW(estimate_partition(factory, plan), InputError);
  plan = plan_of();
  plan.population = 1;
  EXPECT_THROW(estimate_partition(factory, plan), InputError);
}

TEST(LogOfMean, HandlesAnyScale) {
  const LogEstimate estimate = log_of_mean({-5000, -5000 + std::log(3.0)});
  EXPECT_NEAR(estimate.value, -5000 + std::log(2.0), 1e-9);
  // Values 1 and 3: mean 2, standard error 1, so half of the mean on the log scale. The standard
  // error of the mean of the logs is log(3) / 2, which is larger; their variance log(3)^2 / 2.
  const double spread = std::log(3.0);
  EXPECT_NEAR(estimate.stderr_value, std::hypot(spread / 2, 2 * spread * spread / 2 / std::sqrt(2)),
              1e-9);
}

TEST(LogOfRatio, OfProportionalSumsIsCertain) {
  const LogEstimate estimate = log_of_ratio({1.5, 2.5, 0.5}, {1, 2, 0});
  EXPECT_NEAR(estimate.value, 0.5, 1e-12);
  EXPECT_NEAR(estimate.stderr_value, 0, 1e-12);
}

TEST(LogOfRatio, OneHeavyTermIsNotCertain) {
  // Quotients 1, 2 and 1/2 with nearly all weight on the first: as uncertain as one of them. The
  // jackknife alone says log(1.25) 2/3.
  const LogEstimate estimate = log_of_ratio({100, std::log(2.0), -std::log(2.0)}, {100, 0, 0});
  EXPECT_NEAR(estimate.value, 0, 1e-12);
  EXPECT_NEAR(estimate.stderr_value, std::log(2.0), 1e-9);
}

TEST(IntegrateEnergy, IsExactForCubicsAndKnowsItsError) {
  // Mean energy b^3: its derivative is minus the variance.
  const auto run = [](int rungs, int power, double& error) {
    std::vector<double> betas, means, variances;
    for (int k = 0; k < rungs; ++k) {
      const double b = 2.0 * k / (rungs - 1);
      betas.push_back(b);
      means.push_back(-std::pow(b, power));
      variances.push_back(power * std::pow(b, power - 1));
    }
    return integrate_energy(betas, means, variances, error);
  };
  double error = 0;
  EXPECT_NEAR(run(5, 3, error), -4.0, 1e-12);
  EXPECT_NEAR(error, 0, 1e-12);
  const double value = run(9, 6, error);
  const double exact = -std::pow(2.0, 7) / 7;
  EXPECT_GT(error, 0);
  EXPECT_NEAR(std::abs(value - exact), error, 0.3 * error);
}

TEST(FlipCosts, AgreeWithTheEnergy) {
  for (const Model& model :
       {test::random_model(9, 0.6, 3), model_from_spec("rbm:4x3,seed=2"),
        Model("binary", QuadraticModel({4,
                                        Convention::binary,
                                        1.0,
                                        {1, -2, 3, 0.5},
                                        {{0, 1, 2.0}, {1, 3, -1.5}, {2, 3, 0.25}}}))}) {
    RandomDraws draws(make_stream(1, 0, 0, Purpose::test));
    Bits bits = Shell(Bits(model.sites(), 0), model.sites() / 2).draw_uniform(draws);
    const double energy = model.energy(bits);
    const std::vector<double> costs = model.data().flip_costs(bits);
    for (Site i = 0; i < model.sites(); ++i) {
      bits[i] ^= 1;
      EXPECT_NEAR(costs[i], model.energy(bits) - energy, 1e-12);
      bits[i] ^= 1;
    }
  }
}

}  // namespace
}  // namespace nhot
