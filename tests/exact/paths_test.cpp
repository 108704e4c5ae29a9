// The intracluster move path by path: the paper's Definition 1, and its equation 5.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "exact/instances.hpp"
#include "nhot/chain/setup.hpp"
#include "nhot/engine/engines.hpp"
#include "support/exact.hpp"

namespace nhot::test {
namespace {

/// Every walk from every state: the sites in order, how likely it is proposed, and how likely it is
/// proposed and accepted.
struct Walk {
  std::size_t to = 0;
  double proposed = 0;
  double accepted = 0;
};
using Walks = std::map<std::pair<std::size_t, std::vector<Site>>, Walk>;

/// A state that remembers the walk it took back.
template <class Kernel, template <class> class Engine>
class RecordingState : public State<Kernel, Engine> {
 public:
  using Base = State<Kernel, Engine>;
  using Base::Base;

  void rollback() {
    refused_ = this->path();
    refused_bits_ = this->bits();
    Base::rollback();
  }
  const std::vector<Site>& refused() const { return refused_; }
  const Bits& refused_bits() const { return refused_bits_; }

 private:
  std::vector<Site> refused_;
  Bits refused_bits_;
};

template <template <class> class Engine, class Kernel>
Walks walks_of(std::shared_ptr<const Kernel> kernel, const ExactCase& with,
               IntraclusterOptions options) {
  IntraclusterMove move(std::move(options));
  WeightSet weight_set;
  move.prepare(with.beta(), weight_set);
  RecordingState<Kernel, Engine> state(kernel, with.shell(), with.states()[0], weight_set, false);
  BranchScript script;
  EnumeratingDraws draws(script);
  Walks walks;
  for (std::size_t from = 0; from < with.states().size(); ++from)
    for_each_branch(script, [&] {
      state.set_bits(with.states()[from]);
      const bool accepted = move(state, draws).accepted;
      Walk& walk = walks[{from, accepted ? state.path() : state.refused()}];
      walk.to = with.states().row(accepted ? state.bits() : state.refused_bits());
      walk.proposed += script.probability();
      if (accepted) walk.accepted += script.probability();
    });
  return walks;
}

template <template <class> class Engine>
Walks walks_on_ring(const ExactCase& with, IntraclusterOptions options) {
  const auto model = with.model().shared_quadratic();
  const Bits& reference = with.shell()->reference();
  return walks_of<Engine>(std::make_shared<const IntegerKernel>(
                              model, reference, find_grid(*model, reference, 1 << 20)),
                          with, std::move(options));
}

Walks walks_on_rbm(const ExactCase& with, IntraclusterOptions options) {
  return walks_of<DenseEngine>(
      std::make_shared<const RbmKernel>(with.model().shared_rbm(), with.shell()->reference()), with,
      std::move(options));
}

/// max over walks of |pi(x0) K(x1, walk | x0) - pi(x1) K(x0, reversed walk | x1)|.
double pathwise_error(const Walks& walks, const std::vector<double>& law) {
  double worst = 0;
  for (const auto& [key, walk] : walks) {
    const auto& [from, path] = key;
    const std::vector<Site> reversed(path.rbegin(), path.rend());
    const auto back = walks.find({walk.to, reversed});
    if (back == walks.end() || back->second.to != from)
      return std::numeric_limits<double>::infinity();
    raise(worst, std::abs(law[from] * walk.accepted - law[walk.to] * back->second.accepted));
  }
  return worst;
}

std::vector<IntraclusterOptions> option_sets() {
  const GammaValue beta{1, true};
  const GammaValue most{0.8, true};
  const GammaValue fixed{0.4, false};
  std::vector<IntraclusterOptions> sets;
  for (const Bias bias : {Bias::exp, Bias::logistic, Bias::min})
    for (const WalkOrder order : {WalkOrder::up_down, WalkOrder::down_up, WalkOrder::random}) {
      sets.push_back({1, 1, bias, {beta}, {beta}, order});
      sets.push_back({2, 2, bias, {most}, {fixed}, order});
      sets.push_back({1, 2, bias, {fixed, beta}, {fixed, beta}, order});
    }
  sets.push_back({3, 3, Bias::logistic, {beta}, {beta}, WalkOrder::random});
  sets.push_back({3, 3, Bias::exp, {most, fixed, beta}, {beta, most}, WalkOrder::up_down});
  return sets;
}

TEST(Paths, PathwiseDetailedBalanceHoldsForEveryWalk) {
  const ExactCase ring(ring_model(), "integer", mixed_reference(6), 3, 0.7);
  const ExactCase rbm(rbm_3x3(), "rbm", mixed_reference(6), 3, 0.9);
  std::size_t walks = 0;
  double worst = 0;
  for (const IntraclusterOptions& options : option_sets()) {
    const Walks on_ring = walks_on_ring<ClassesEngine>(ring, options);
    const Walks on_rbm = walks_on_rbm(rbm, options);
    raise(worst, pathwise_error(on_ring, ring.law()));
    raise(worst, pathwise_error(on_rbm, rbm.law()));
    walks += on_ring.size() + on_rbm.size();
  }
  EXPECT_LE(worst, 1e-15);
  std::printf("pathwise detailed balance: %zu walks, worst error %.1e\n", walks, worst);
}

// Balance after summing over walks is weaker: a law off by 1e-9 in one state is seen.
TEST(Paths, AWrongLawIsSeen) {
  const ExactCase ring(ring_model(), "integer", mixed_reference(6), 3, 0.7);
  const Walks walks = walks_on_ring<ClassesEngine>(ring, {});
  std::vector<double> law = ring.law();
  ASSERT_LE(pathwise_error(walks, law), 1e-15);
  law[7] *= 1 + 1e-9;
  EXPECT_GT(pathwise_error(walks, law), 1e-14);
}

/// How the move's own acceptance compares with that of the marginal proposal, over all pairs of
/// different states that a walk joins.
struct Comparison {
  double most_below = 0;  // max of alpha_mar - alpha
  double most_above = 0;  // max of alpha - alpha_mar
  std::size_t pairs = 0;
  std::size_t walks = 0;  // from one state to the other, at most
};

// Equation 5: alpha_mar = min(1, pi(x1) f(x0|x1) / (pi(x0) f(x1|x0))), where f(x1|x0) sums the
// proposals of all walks from x0 to x1. The move's effective acceptance is
// alpha = K(x1|x0) / f(x1|x0), the mean of the walks' own acceptances.
Comparison compare_with_marginal(const ExactCase& with, const IntraclusterOptions& options) {
  struct Pair {
    double proposed = 0;
    double accepted = 0;
    std::size_t walks = 0;
  };
  std::map<std::pair<std::size_t, std::size_t>, Pair> pairs;
  for (const auto& [key, walk] : walks_on_ring<TreeEngine>(with, options)) {
    Pair& pair = pairs[{key.first, walk.to}];
    pair.proposed += walk.proposed;
    pair.accepted += walk.accepted;
    ++pair.walks;
  }
  Comparison result;
  const std::vector<double>& law = with.law();
  for (const auto& [ends, pair] : pairs) {
    const auto [x0, x1] = ends;
    if (x0 == x1) continue;  // accepted or not, nothing changes
    const double alpha = pair.accepted / pair.proposed;
    const double back = pairs.at({x1, x0}).proposed;
    const double marginal = std::min(1.0, law[x1] * back / (law[x0] * pair.proposed));
    raise(result.most_below, marginal - alpha);
    raise(result.most_above, alpha - marginal);
    result.walks = std::max(result.walks, pair.walks);
    ++result.pairs;
  }
  return result;
}

// With k = 1 and one order there is exactly one walk from x0 to each x1 != x0: the states differ in
// one site that left D and one that entered it, and the order says which was flipped first. The
// conditional law of the walk given its ends is then a point mass, and the paper's two acceptances
// are the same number.
TEST(Paths, OneStepWalksOfOneOrderHaveTheMarginalAcceptance) {
  const ExactCase with(ring_model(), "integer", mixed_reference(6), 3, 0.7);
  for (const WalkOrder order : {WalkOrder::up_down, WalkOrder::down_up})
    for (const Bias bias : {Bias::exp, Bias::logistic, Bias::min}) {
      const Comparison found =
          compare_with_marginal(with, {1, 1, bias, {{0.8, true}}, {{0.8, true}}, order});
      EXPECT_EQ(found.pairs, 20u * 9u);
      EXPECT_EQ(found.walks, 1u);
      // A proposal of 1e-4 is measured to 1e-16.
      EXPECT_LE(found.most_below, 1e-12);
      EXPECT_LE(found.most_above, 1e-12);
    }
}

// A random order gives two walks between the ends, i then j and j then i, through different
// neighbouring shells. K sums min(a, b) over the walks where the marginal kernel takes the min of
// the sums, so the effective acceptance can only be lower, and is lower where one walk is more
// likely forwards and the other backwards. The same for longer walks, which have many.
TEST(Paths, SeveralWalksAcceptLessThanTheMarginalProposal) {
  const ExactCase with(ring_model(), "integer", mixed_reference(6), 3, 0.7);
  const std::pair<IntraclusterOptions, std::size_t> cases[] = {
      {{1, 1, Bias::logistic, {{0.8, true}}, {{0.8, true}}, WalkOrder::random}, 2},
      {{2, 2, Bias::logistic, {{1, true}}, {{1, true}}, WalkOrder::up_down}, 0},
      {{2, 2, Bias::exp, {{0.5, true}}, {{0.5, true}}, WalkOrder::random}, 0},
  };
  for (const auto& [options, walks] : cases) {
    const Comparison found = compare_with_marginal(with, options);
    if (walks > 0)
      EXPECT_EQ(found.walks, walks);
    else
      EXPECT_GT(found.walks, 2u);
    EXPECT_LE(found.most_above, 1e-12);
    EXPECT_GT(found.most_below, 1e-3);
  }
}

}  // namespace
}  // namespace nhot::test
