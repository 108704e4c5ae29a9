// The exact suite as a user calls it, for a model of his own.
#include "nhot/exact/check_model.hpp"

#include <gtest/gtest.h>

#include "exact/instances.hpp"
#include "support/messages.hpp"
#include "support/subset_models.hpp"

namespace nhot::test {
namespace {

/// Four sites: the shells of larger models are those of the exactness suite.
TEST(CheckModel, PassesModelsOfEveryKind) {
  const Model triples("triples",
                      std::make_shared<const Triples>(
                          std::vector<double>{0.31, -0.47, 0.083, 0.62},
                          std::vector<Triples::Term>{{{0, 1, 2}, -1.377}, {{1, 2, 3}, 0.9}}));
  const Model square =
      quadratic_instance("square", Convention::spin, 1.5, {1, -2, 0, 1},
                         {{0, 1, 1}, {1, 2, -1}, {2, 3, 1}, {0, 3, 1}, {0, 2, -1}});
  const Model rbm =
      rbm_instance("rbm-2x2", 2, 2, {0.9, -1.2, -0.48, 1.71}, {0.2, -0.35}, {-0.6, 0.15});
  for (const Model& model : {triples, square, rbm}) {
    const exact::Findings found = exact::check_model(model);
    EXPECT_TRUE(found.passed()) << found.text();
    EXPECT_GT(found.checked, 200U) << found.text();
    EXPECT_NE(found.text().find("combinations checked exactly, worst error"), std::string::npos);
  }
}

TEST(CheckModel, PassesModelsOfStatistics) {
  for (const Model& model :
       {kdpp("kdpp", {random_features(4, 6, 2), 6}),
        regression("regression", random_regression(9, 4, 3), CoefficientPrior::benchmark),
        hubo("hubo", random_polynomial(4, 12, 4, Convention::spin, false, 4))}) {
    const exact::Findings found = exact::check_model(model);
    EXPECT_TRUE(found.passed()) << model.name() << ": " << found.text();
    EXPECT_GT(found.checked, 200U) << found.text();
  }
}

// Of two features, three items are dependent: walks pass through such subsets, whose changes carry
// the rounding of G divided by the ridge.
TEST(CheckModel, FindsLittleErrorWhereItemsAreDependent) {
  const exact::Findings found = exact::check_model(kdpp("flat", {random_features(4, 2, 2), 2}));
  EXPECT_GT(found.checked, 200U);
  EXPECT_LT(found.worst, 1e-6) << found.text();
}

/// Says that no site touches another, and gets a term of two sites once its members have been
/// checked.
class Forgetful : public Energy {
 public:
  Site sites() const override { return 4; }
  double energy(std::span<const Bit> x) const override {
    return 0.3 * x[0] - 0.2 * x[1] + (hidden ? 0.9 * x[2] * x[3] : 0.0);
  }
  std::optional<std::span<const Site>> touched(Site) const override {
    return std::span<const Site>{};
  }
  mutable bool hidden = false;
};

TEST(CheckModel, SeesATermThatTouchedForgets) {
  const auto energy = std::make_shared<const Forgetful>();
  const Model model("forgetful", energy);
  EXPECT_TRUE(exact::check_model(model).passed());
  energy->hidden = true;
  const exact::Findings found = exact::check_model(model);
  EXPECT_FALSE(found.passed());
  EXPECT_NE(found.text().find("\nwrong: distance "), std::string::npos) << found.text();
}

/// Right until its members have been checked; then changes() forgets a term.
class ForgetfulAtOnce : public TriplesAtOnce {
 public:
  ForgetfulAtOnce()
      : TriplesAtOnce({0.31, -0.47, 0.083, 0.62}, {{{0, 1, 2}, -1.377}, {{1, 2, 3}, 0.9}}) {}
  void changes(std::span<const Bit> x, std::span<double> all) const override {
    TriplesAtOnce::changes(x, all);
    if (forgets) all[3] += (x[3] ? 0.9 : -0.9) * x[1] * x[2];
  }
  mutable bool forgets = false;
};

TEST(CheckModel, SeesATermThatChangesForgets) {
  const auto energy = std::make_shared<const ForgetfulAtOnce>();
  const Model model("forgetful", energy);
  const exact::Findings right = exact::check_model(model);
  EXPECT_TRUE(right.passed()) << right.text();
  energy->forgets = true;
  EXPECT_FALSE(exact::check_model(model).passed());
}

TEST(CheckModel, IsForSmallModels) {
  EXPECT_NE(whole_of(refusal([] {
              exact::check_model(model_from_spec("ferromagnet:3x3"));
            })).find("3 to 8 sites, and 'ferromagnet:3x3' has 9"),
            std::string::npos);
}

}  // namespace
}  // namespace nhot::test
