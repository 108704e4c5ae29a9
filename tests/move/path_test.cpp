#include "nhot/move/path.hpp"

#include <gtest/gtest.h>

#include "move/small_models.hpp"
#include "nhot/base/error.hpp"
#include "nhot/model/generators.hpp"

namespace nhot::test {
namespace {

const char* const cases[] = {"path:length=1",
                             "path:length=2",
                             "path:length=1..3",
                             "path:length=2,bias=exp",
                             "path:length=1..3,bias=exp,gamma=0.7",
                             "path:length=3,bias=min,gamma=1.4beta",
                             "path:length=2,gamma=0"};

void expect_exact(const Model& model, const std::shared_ptr<const Shell>& shell, double beta) {
  for (const char* move : cases) {
    const ExactErrors errors = exact_errors(model, shell, move, beta);
    EXPECT_LT(errors.worst(), 1e-13) << model.name() << " " << move << " beta " << beta;
    EXPECT_TRUE(errors.irreducible) << model.name() << " " << move << " beta " << beta;
  }
}

TEST(PathMove, KeepsTheLawOnEveryKernel) {
  expect_exact(dense_spins(7, 1), make_shell({0, 1, 1, 0, 0, 1, 0}, 3), 0.6);
  expect_exact(small_rbm(4, 3, 2), make_shell({1, 0, 0, 1, 0, 1, 0}, 3), 1.2);
  expect_exact(model_from_spec("ferromagnet:7"), make_shell(Bits(7, 0), 4), 0.4);
  expect_exact(model_from_spec("field:7,seed=5"), make_shell(Bits(7, 0), 3), 2.0);
}

// Rounding alone decides what is left of the weights when one site holds nearly all of them.
TEST(PathMove, DrawsOnAfterTheHeaviestSiteIsOut) {
  QuadraticTerms terms;
  terms.sites = 6;
  terms.convention = Convention::binary;
  terms.linear = {-900, 0.5, 0.25, 700, 1, 0};
  const Model model("steep", QuadraticModel(std::move(terms)));
  for (const char* move : {"path:length=2,bias=exp,gamma=1", "path:length=2,bias=logistic,gamma=1",
                           "path:length=3,bias=min,gamma=3"}) {
    const auto shell = make_shell(Bits(6, 0), 3);
    const StateIndex states(*shell);
    const TransitionMatrix p = transition_matrix(ChainSetup(model, shell, move, 0.01), states);
    EXPECT_LT(row_sum_error(p), 1e-13) << move;
    EXPECT_LT(stationarity_error(p, boltzmann_law(model, states, 0.01)), 1e-13) << move;
  }
}

TEST(PathMove, SurvivesExtremeInput) {
  for (const double scale : {1e-300, 1e300}) {
    const Model model = small_rbm(4, 3, 3, scale);
    for (const double beta : {0.0, 1.0, 1e6}) {
      for (const char* bias : {"exp", "logistic", "min"}) {
        const ChainSetup setup(model, make_shell(Bits(7, 0), 3), std::string("path:bias=") + bias,
                               beta);
        const auto chain =
            setup.make(RandomDraws(make_stream(1, 0, 0, Purpose::test)), Bits{0, 0, 0, 0, 1, 1, 1});
        chain->advance(200);
        EXPECT_TRUE(std::isfinite(chain->energy()));
        EXPECT_TRUE(Shell(Bits(7, 0), 3).contains(chain->bits()));
      }
    }
  }
}

TEST(PathMove, ASingleStateStaysWhereItIs) {
  for (const Site n : {0u, 5u}) {
    const ExactErrors errors =
        exact_errors(dense_spins(5, 2), make_shell({0, 1, 0, 0, 1}, n), "path", 1.0);
    EXPECT_EQ(errors.worst(), 0);
  }
}

std::string resolved(const std::string& move) {
  return ChainSetup(dense_spins(6, 1), make_shell(Bits(6, 0), 3), move, 1.0).move();
}

TEST(PathMove, ResolvesItsParameters) {
  EXPECT_EQ(resolved("path"), "path:length=1..3,bias=logistic,gamma=beta");
  EXPECT_EQ(resolved("path:bias=exp"), "path:length=1..3,bias=exp,gamma=0.5beta");
  EXPECT_EQ(resolved("path:length=2,gamma=0.3,bias=min"), "path:length=2,bias=min,gamma=0.3");
  EXPECT_EQ(resolved(resolved("path:bias=exp")), resolved("path:bias=exp"));
}

std::string refusal_of_path(const std::string& move) {
  try {
    resolved(move);
  } catch (const InputError& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
  return "";
}

TEST(PathMove, RefusesWithTheReason) {
  EXPECT_EQ(refusal_of_path("path:length=4"),
            "move path: length 4 does not fit the shell (distance 3 of 6 sites) | the largest "
            "length that fits is 3");
  EXPECT_NE(refusal_of_path("path:length=0").find("move path: length is '0'"), std::string::npos);
  EXPECT_NE(refusal_of_path("path:gamma=beta/0.5beta").find("schedules are for im"),
            std::string::npos);
  EXPECT_NE(refusal_of_path("path:gamma=-1").find("move path: gamma has '-1'"), std::string::npos);
}

TEST(PathMove, WarnsWhenOnlyTwoStatesCanBeReached) {
  const auto shell = make_shell(Bits(6, 0), 3);
  EXPECT_EQ(
      ChainSetup(dense_spins(6, 1), shell, "path:length=3", 1.0).unreachable_reason().find("path:"),
      0u);
  EXPECT_FALSE(exact_errors(dense_spins(6, 1), shell, "path:length=3", 1.0).irreducible);
  EXPECT_TRUE(
      ChainSetup(dense_spins(6, 1), shell, "path:length=1..3", 1.0).unreachable_reason().empty());
}

}  // namespace
}  // namespace nhot::test
