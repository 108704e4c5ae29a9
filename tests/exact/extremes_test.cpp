// Weights far outside the usual range: the law is kept, and walks are not rejected for want of
// range.
#include <gtest/gtest.h>

#include "exact/instances.hpp"
#include "nhot/random/stream.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

/// Independent sites whose fields are all near `strength`, so that totals of one side are near
/// exp(strength) and those of the other near exp(-strength).
Model strong_fields(double strength) {
  return quadratic_instance(
      "strong", Convention::binary, 0,
      {strength, strength + 1, strength - 1, strength, strength + 2, strength - 2},
      {{0, 1, 1}, {2, 3, -1}});
}

TEST(Extremes, WalksThroughEnormousWeightsKeepTheLaw) {
  // Totals that overflow a ratio (400), that leave the trusted range (600), and that leave the
  // range of doubles (1000).
  for (const double strength : {400.0, -400.0, 600.0, 1000.0})
    for (const std::string_view kernel : {"integer", "real", "dense"})
      for (const Site distance : {Site{1}, Site{2}}) {
        const ExactCase with(strong_fields(strength), kernel, mixed_reference(6), distance, 1.0);
        for (const std::string& engine : engines_for(kernel))
          for (const char* walk : {"length=1,gamma=beta,bias=exp,order=up-down",
                                   "length=1,gamma=beta,bias=exp,order=down-up",
                                   "length=2,gamma=0.5beta,bias=exp,order=down-up",
                                   "length=1,gamma=beta,bias=logistic,order=random",
                                   "length=1,gamma=0.9beta/beta,bias=min,order=random"}) {
            const std::string move = std::string("im:") + walk + ",engine=" + engine;
            const TransitionMatrix matrix = with.matrix(move);
            const ExactErrors errors = errors_of(matrix, with.law());
            // Energies of 1000 carry roundings of 1e-13 into log alpha.
            EXPECT_LE(errors.worst(), 4e-12)
                << kernel << " " << strength << " n=" << distance << " " << move;
          }
      }
}

/// Another energy, multiplied.
class ScaledEnergy : public Energy {
 public:
  ScaledEnergy(std::shared_ptr<const Energy> energy, double factor)
      : energy_(std::move(energy)), factor_(factor) {}
  Site sites() const override { return energy_->sites(); }
  double energy(std::span<const Bit> bits) const override {
    return factor_ * energy_->energy(bits);
  }
  std::optional<std::span<const Site>> touched(Site i) const override {
    return energy_->touched(i);
  }

 private:
  std::shared_ptr<const Energy> energy_;
  double factor_;
};

/// A model with every coupling, field and weight multiplied.
Model scaled(const Model& model, double factor) {
  if (model.custom())
    return {"scaled", std::make_shared<const ScaledEnergy>(model.shared_custom(), factor)};
  if (const Rbm* rbm = model.rbm()) {
    RbmWeights weights = rbm->weights();
    for (auto* list : {&weights.weights, &weights.hidden_bias, &weights.visible_bias})
      for (double& value : *list) value *= factor;
    return {"scaled", Rbm(weights)};
  }
  QuadraticTerms terms = model.quadratic()->terms();
  terms.offset *= factor;
  for (double& value : terms.linear) value *= factor;
  for (Coupling& coupling : terms.couplings) coupling.value *= factor;
  return {"scaled", QuadraticModel(terms)};
}

// Couplings of 2^-996 (1.5e-300) and 2^996 (6.7e299) at beta = 0 and 1e6, where the law is uniform
// or sits on its lowest states: nothing overflows to NaN (the enumeration would refuse it), and the
// law is kept.
TEST(Extremes, TinyAndHugeCouplingsKeepTheLaw) {
  for (const Instance& instance : exact_instances()) {
    // Lattices have equal energies that differ by a rounding, which such a beta makes a large
    // factor.
    if (!instance.model.lattice().sides.empty() && instance.kernel != "integer") continue;
    for (const double factor : {0x1p-996, 1.0, 0x1p996})
      for (const double beta : {0.0, 1e6}) {
        const ExactCase with(scaled(instance.model, factor), instance.kernel,
                             mixed_reference(instance.model.sites()), 2, beta);
        const bool flat = beta == 0 || factor < 1;
        std::vector<std::string> moves = {"swap", "kawasaki"};
        for (const std::string& engine : engines_for(instance.kernel))
          for (const char* walk : {"length=1,gamma=beta,bias=exp", "length=2,gamma=0.8beta",
                                   "length=1,gamma-up=0.5beta,gamma-down=beta,bias=exp",
                                   "length=1,gamma=beta,bias=min"})
            moves.push_back(std::string("im:") + walk + ",engine=" + engine);
        for (const std::string& move : moves) {
          const TransitionMatrix matrix = with.matrix(move);
          EXPECT_TRUE(errors_of(matrix, with.law()).passed())
              << instance.name << "/" << instance.kernel << " x " << factor << " beta " << beta
              << " " << move << " " << errors_of(matrix, with.law()).worst();
          const bool reaches_all = flat && move != "kawasaki";
          EXPECT_TRUE(!reaches_all || is_irreducible(matrix)) << instance.name << " " << move;
        }
      }
  }
}

/// Couplings that are exactly floats, which dense models keep as such.
Model rounded(const Model& model) {
  const auto round = [](double& value) { value = static_cast<double>(static_cast<float>(value)); };
  if (const Rbm* rbm = model.rbm()) {
    RbmWeights weights = rbm->weights();
    for (double& value : weights.weights) round(value);
    return {"rounded", Rbm(weights)};
  }
  QuadraticTerms terms = model.quadratic()->terms();
  for (Coupling& coupling : terms.couplings) round(coupling.value);
  return {"rounded", QuadraticModel(terms)};
}

// Energies in other units, with beta in theirs, are the same walk, but for the precision of
// weights.
TEST(Extremes, UnitsOfEnergyDoNotMatterToDenseModels) {
  for (const Instance& instance : exact_instances()) {
    if (instance.kernel != "dense" && instance.kernel != "rbm") continue;
    const Model model = rounded(instance.model);
    const Bits reference = mixed_reference(model.sites());
    const ExactCase usual(model, instance.kernel, reference, 2, 0.7);
    for (const double factor : {0x1p-110, 0x1p-50, 0x1p90}) {
      const ExactCase with(scaled(model, factor), instance.kernel, reference, 2, 0.7 / factor);
      for (const std::string move : {"im:length=2,gamma=0.8beta,engine=dense",
                                     "im:length=1,gamma-up=0.5beta,gamma-down=beta,engine=dense"}) {
        const TransitionMatrix expected = usual.matrix(move);
        const TransitionMatrix matrix = with.matrix(move);
        EXPECT_TRUE(errors_of(matrix, with.law()).passed()) << instance.name << " x " << factor;
        double furthest = 0;
        for (std::size_t x = 0; x < matrix.size(); ++x)
          for (std::size_t y = 0; y < matrix.size(); ++y)
            furthest = std::max(furthest, std::abs(matrix(x, y) - expected(x, y)));
        EXPECT_LT(furthest, 1e-3) << instance.name << " x " << factor << " " << move;
      }
    }
  }
}

// The sum of the logs of a long walk through such weights would overflow on the way.
TEST(Extremes, LongWalksThroughHugeCouplingsGoOn) {
  const Model model = scaled(model_from_spec("spin-glass:6x6x6,seed=1"), 1e300);
  const auto shell = std::make_shared<const Shell>(Bits(216, 0), 108);
  for (const std::string kernel : {"integer", "real"})
    for (const std::string bias : {"logistic", "min"})
      // The same gamma throughout, at once and as a schedule.
      for (const std::string gamma : {"beta", "beta/beta"}) {
        const ChainSetup setup(model, shell, "im:length=40,gamma=" + gamma + ",bias=" + bias, 1e6,
                               kernel);
        RandomDraws start(make_stream(1, 0, 0, Purpose::start));
        const auto chain = setup.make(RandomDraws(make_stream(1, 0, 0, Purpose::moves)),
                                      shell->draw_uniform(start));
        const double before = chain->energy();
        chain->advance(50);
        // A walk ends near a local minimum, far below a random start.
        EXPECT_LT(chain->energy(), before) << kernel << " " << bias << " " << gamma;
        EXPECT_NEAR(chain->energy() / model.energy(chain->bits()), 1, 1e-9);
      }
}

// Without a reference the sites all cost the same, so a balanced walk is nearly always accepted.
TEST(Extremes, EnormousWeightsDoNotStopTheWalk) {
  for (const double strength : {400.0, 600.0, 1000.0})
    for (const std::string& engine : engines_for("integer")) {
      const ExactCase with(strong_fields(strength), "integer", Bits(6, 0), 1, 1.0);
      const TransitionMatrix matrix =
          with.matrix("im:length=1,gamma=beta,bias=exp,order=up-down,engine=" + engine);
      for (std::size_t x = 0; x < matrix.size(); ++x)
        EXPECT_LT(matrix(x, x), 0.9999) << strength << " " << engine;
      EXPECT_TRUE(is_irreducible(matrix));
    }
}

}  // namespace
}  // namespace nhot::test
