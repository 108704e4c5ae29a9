// Chains over a band of shells keep pi(x, direction) ~ w_n exp(-beta E(x)) exactly, for every
// kernel and engine: max |pi P - pi| <= 1e-12 over all branches of one step.
#include <gtest/gtest.h>

#include <cstdio>

#include "exact/instances.hpp"
#include "nhot/chain/band/weighted_band_chain.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

/// Weights that are far from flat, so that each of them counts.
BandWeights uneven_weights(ShellBand band) {
  BandWeights weights;
  for (std::size_t k = 0; k + 1 < band.shells(); ++k)
    weights.push_back(0.4 - 0.3 * static_cast<double>(k % 4));
  return weights;
}

/// States of all shells of the band, each with both directions: row 2 k + direction.
class BandStates {
 public:
  BandStates(const Model& model, const Bits& reference, ShellBand band, double beta,
             const BandWeights& weights)
      : rows_(std::size_t{1} << reference.size(), 0) {
    double weight = 0;
    for (Site n = band.first; n <= band.last; ++n) {
      if (n > band.first) weight += weights[n - band.first - 1];
      for (Bits& bits : enumerate(Shell(reference, n))) {
        rows_[code(bits)] = states_.size();
        law_.push_back(std::exp(weight - beta * model.energy(bits)));
        states_.push_back(std::move(bits));
      }
    }
    double total = 0;
    for (const double p : law_) total += 2 * p;
    std::vector<double> both;
    for (const double p : law_) both.insert(both.end(), 2, p / total);
    law_ = both;
  }

  const std::vector<Bits>& states() const { return states_; }
  const std::vector<double>& law() const { return law_; }
  std::size_t row(const BandChain& chain) const {
    return 2 * rows_[code(chain.bits())] + (chain.outward() ? 1 : 0);
  }

 private:
  static std::size_t code(const Bits& bits) {
    std::size_t result = 0;
    for (const Bit bit : bits) result = 2 * result + bit;
    return result;
  }

  std::vector<Bits> states_;
  std::vector<std::size_t> rows_;
  std::vector<double> law_;
};

TransitionMatrix matrix_of(BandChain& chain, BranchScript& script, const BandStates& states) {
  TransitionMatrix matrix(states.law().size());
  for (std::size_t k = 0; k < states.states().size(); ++k)
    for (const bool outward : {false, true})
      for_each_branch(script, [&] {
        chain.set_bits(states.states()[k]);
        chain.set_outward(outward);
        chain.advance(1);
        matrix(2 * k + (outward ? 1 : 0), states.row(chain)) += script.probability();
      });
  return matrix;
}

struct Case {
  const Instance* instance;
  Bits reference;
  ShellBand band;
  double beta;

  ChainSetup setup(const std::string& engine) const {
    return {instance->model, std::make_shared<const Shell>(reference, 1),
            "im:length=1,engine=" + engine, beta, instance->kernel};
  }
};

TEST(ExactBand, EveryKernelAndEngineKeepsTheLaw) {
  const std::vector<Instance> instances = exact_instances();
  double worst = 0;
  std::size_t checked = 0;
  std::set<std::string> kernels;
  for (const Instance& instance : instances) {
    if (!instance.only.empty()) continue;
    const Site sites = instance.model.sites();
    const std::vector<Case> cases = {{&instance, mixed_reference(sites), {0, sites}, 0.7},
                                     {&instance, mixed_reference(sites), {1, 3}, 0.0},
                                     {&instance, Bits(sites, 0), {sites - 2, sites - 1}, 6.0},
                                     {&instance, Bits(sites, 0), {0, 2}, 2.0}};
    for (const Case& own : cases)
      for (const std::string& engine : engines_for(instance.kernel)) {
        if (engine == "thinned" || engine == "linear") continue;  // bands do not use them
        const BandWeights weights = uneven_weights(own.band);
        const BandStates states(instance.model, own.reference, own.band, own.beta, weights);
        BranchScript script;
        const auto chain = make_band_chain(own.setup(engine), own.reference, own.band, own.beta,
                                           EnumeratingDraws(script), states.states().front());
        chain->set_weights(weights);
        const ExactErrors errors = errors_of(matrix_of(*chain, script, states), states.law());
        EXPECT_TRUE(errors.passed()) << instance.name << "/" << instance.kernel << " " << engine
                                     << " shells " << own.band.first << ".." << own.band.last
                                     << " beta " << own.beta << ": " << errors.worst();
        worst = std::max(worst, errors.worst());
        kernels.insert(std::string(instance.kernel));
        ++checked;
      }
  }
  EXPECT_EQ(kernels.size(), std::size(kernel_names));
  std::printf("bands: %zu combinations checked, worst error %.1e\n", checked, worst);
}

/// A chain that is confined to a part of its band keeps the law on that part.
TEST(ExactBand, AConfinedChainKeepsTheLawOfItsPart) {
  const Instance ring{"ring", "integer", ring_model()};
  const Case own{&ring, mixed_reference(6), {0, 6}, 0.7};
  const BandWeights weights = uneven_weights(own.band);
  for (const ShellBand part : {ShellBand{1, 4}, ShellBand{0, 3}, ShellBand{3, 6}, ShellBand{2, 3}})
    for (const char* engine : {"classes", "tree"}) {
      const BandWeights inside(weights.begin() + part.first, weights.begin() + part.last);
      const BandStates states(ring.model, own.reference, part, own.beta, inside);
      BranchScript script;
      const auto chain = make_band_chain(own.setup(engine), own.reference, own.band, own.beta,
                                         EnumeratingDraws(script), states.states().front());
      chain->set_weights(weights);
      chain->confine(part);
      const ExactErrors errors = errors_of(matrix_of(*chain, script, states), states.law());
      EXPECT_TRUE(errors.passed())
          << engine << " " << part.first << ".." << part.last << ": " << errors.worst();
    }
}

/// The law of slightly other weights or another temperature, or of a band with a missing factor, is
/// not kept.
TEST(ExactBand, SeesAWeightThatIsOffAndAnotherTemperature) {
  const Instance ring{"ring", "integer", ring_model()};
  const Case own{&ring, mixed_reference(6), {1, 4}, 0.7};
  const BandWeights weights = uneven_weights(own.band);
  const BandStates states(ring.model, own.reference, own.band, own.beta, weights);
  const auto error_with = [&](const BandWeights& used, double beta) {
    BranchScript script;
    Case other = own;
    other.beta = beta;
    const auto chain = make_band_chain(other.setup("classes"), own.reference, own.band, beta,
                                       EnumeratingDraws(script), states.states().front());
    chain->set_weights(used);
    return errors_of(matrix_of(*chain, script, states), states.law()).worst();
  };
  EXPECT_LE(error_with(weights, 0.7), exact_tolerance);
  BandWeights off = weights;
  off[1] += 0.02;
  EXPECT_GT(error_with(off, 0.7), 1e-5);
  EXPECT_GT(error_with(BandWeights(weights.size(), 0.0), 0.7), 1e-3);
  EXPECT_GT(error_with(weights, 0.714), 1e-5);
}

}  // namespace
}  // namespace nhot::test
