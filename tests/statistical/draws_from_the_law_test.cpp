// Long runs with the real source of draws, against the law by enumeration.
//
// What the exactness suite proves branch by branch is true of the program only if RandomDraws draws
// as it says and the chain goes on rightly for millions of moves; these runs are for that.
//
// Draws are made independent by construction: with the exact transition matrix P of a chain, the
// number of moves T between draws is taken so large that every row of P^T is within 1e-12 of the
// law. N draws then follow a multinomial law but for N * 1e-12 in probability, and Pearson's
// statistic is compared with a bound on the tail of chi-square (Laurent and Massart 2000, lemma 1:
// P(X >= k + 2 sqrt(k t) + 2 t) <= exp(-t)). States with fewer than 100 expected draws are pooled.
//
// False-alarm budget: one in a million for the whole suite. Half is for the dependence that is left
// (at most 500,000 draws from chains), half is shared evenly by at most a hundred comparisons.
// Seeds are fixed and were not chosen.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/kernels.hpp"
#include "exact/instances.hpp"
#include "nhot/random/stream.hpp"
#include "support/exact.hpp"
#include "support/planted_engines.hpp"

namespace nhot::test {
namespace {

constexpr double suite_budget = 1e-6;
constexpr std::size_t most_runs = 100;
constexpr double alpha = suite_budget / 2 / most_runs;

/// Largest distance in total variation between a row and the law.
double distance_from(const TransitionMatrix& matrix, const std::vector<double>& law) {
  double worst = 0;
  for (std::size_t x = 0; x < matrix.size(); ++x) {
    double distance = 0;
    for (std::size_t y = 0; y < matrix.size(); ++y) distance += std::abs(matrix(x, y) - law[y]);
    raise(worst, distance / 2);
  }
  return worst;
}

/// Rows that sum to 1 again: squaring doubles what rounding did to them.
TransitionMatrix normalised(TransitionMatrix matrix) {
  for (std::size_t x = 0; x < matrix.size(); ++x) {
    double sum = 0;
    for (std::size_t y = 0; y < matrix.size(); ++y) sum += matrix(x, y);
    for (std::size_t y = 0; y < matrix.size(); ++y) matrix(x, y) /= sum;
  }
  return matrix;
}

/// The number of moves after which every state has the law.
std::uint64_t independence_time(const TransitionMatrix& matrix, const std::vector<double>& law) {
  constexpr double near = 1e-12;
  std::vector<TransitionMatrix> powers = {matrix};  // P^(2^k)
  while (distance_from(powers.back(), law) > near) {
    if (powers.size() > 12) throw std::runtime_error("the chain does not mix");
    powers.push_back(normalised(product(powers.back(), powers.back())));
  }
  // The longest that is not enough, bit by bit.
  TransitionMatrix so_far(matrix.size());
  for (std::size_t x = 0; x < matrix.size(); ++x) so_far(x, x) = 1;
  std::uint64_t moves = 0;
  for (std::size_t k = powers.size(); k-- > 0;) {
    const TransitionMatrix longer = normalised(product(so_far, powers[k]));
    if (distance_from(longer, law) <= near) continue;
    so_far = longer;
    moves += std::uint64_t{1} << k;
  }
  return moves + 1;
}

struct Verdict {
  double statistic = 0;
  double threshold = 0;
  bool alarm() const { return !(statistic <= threshold); }
};

Verdict judge(const std::vector<std::uint64_t>& counts, const std::vector<double>& law) {
  std::uint64_t draws = 0;
  for (const std::uint64_t count : counts) draws += count;
  Verdict verdict;
  double pooled_expected = 0;
  double pooled_count = 0;
  double cells = 0;
  const auto add = [&](double count, double expected) {
    verdict.statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (std::size_t x = 0; x < counts.size(); ++x) {
    const double expected = law[x] * static_cast<double>(draws);
    if (expected >= 100) {
      add(static_cast<double>(counts[x]), expected);
    } else {
      pooled_expected += expected;
      pooled_count += static_cast<double>(counts[x]);
    }
  }
  if (pooled_expected > 0) add(pooled_count, pooled_expected);
  const double t = -std::log(alpha);
  const double freedom = cells - 1;
  verdict.threshold = freedom + 2 * std::sqrt(freedom * t) + 2 * t;
  return verdict;
}

std::vector<std::uint64_t> run(AnyChain& chain, const StateIndex& states, std::uint64_t spacing,
                               std::uint64_t draws) {
  std::vector<std::uint64_t> counts(states.size(), 0);
  for (std::uint64_t k = 0; k < draws; ++k) {
    chain.advance(spacing);
    ++counts[states.row(chain.bits())];
  }
  return counts;
}

RandomDraws stream(std::uint64_t chain) {
  return RandomDraws(make_stream(2024, 0, chain, Purpose::test));
}

constexpr std::uint64_t usual_draws = 10'000;

std::vector<std::string> moves_for(const Instance& instance) {
  std::vector<std::string> moves = {"swap"};
  if (instance.connected) moves.push_back("kawasaki");
  for (const std::string& engine : engines_for(instance.kernel)) {
    moves.push_back("im:length=1..2,gamma=0.8beta,engine=" + engine);
    moves.push_back("im:length=2,bias=exp,gamma=0.5beta,order=down-up,engine=" + engine +
                    " + swap");
  }
  return moves;
}

TEST(Statistical, RunsFollowTheLaw) {
  std::size_t runs = 0;
  double nearest = 0;
  for (const Instance& instance : exact_instances()) {
    if (!instance.thorough) continue;
    const ExactCase with(instance.model, instance.kernel, mixed_reference(instance.model.sites()),
                         3, 0.25);
    for (const std::string& move : moves_for(instance)) {
      const std::uint64_t spacing = independence_time(with.matrix(move), with.law());
      const auto chain = with.setup(move).make(stream(runs), with.states()[0]);
      const Verdict verdict = judge(run(*chain, with.states(), spacing, usual_draws), with.law());
      EXPECT_FALSE(verdict.alarm()) << instance.name << " " << move << ": " << verdict.statistic
                                    << " > " << verdict.threshold;
      nearest = std::max(nearest, verdict.statistic / verdict.threshold);
      ++runs;
    }
  }
  EXPECT_LE(runs, most_runs);
  std::printf(
      "statistical suite: %zu runs, false-alarm budget %.0e, nearest to its threshold %.2f\n", runs,
      suite_budget, nearest);
}

// An exchange chain at a beta that is 2% too large, on a law that is not. The statistic is then
// larger by about draws * (0.02 beta)^2 * variance of the energy: several times the threshold.
TEST(Statistical, ATemperatureOffByTwoPercentIsCaught) {
  const ExactCase with(ring_model(), "integer", mixed_reference(6), 3, 0.4);
  const std::uint64_t spacing = independence_time(with.matrix("swap"), with.law());
  const auto chain = with.setup("swap").make(stream(1000), with.states()[0]);
  EXPECT_FALSE(judge(run(*chain, with.states(), spacing, 100'000), with.law()).alarm());
  chain->set_beta(0.4 * 1.02);
  const Verdict verdict = judge(run(*chain, with.states(), spacing, 600'000), with.law());
  EXPECT_TRUE(verdict.alarm()) << verdict.statistic << " <= " << verdict.threshold;
}

// --- selections: independent by themselves ------------------------------------------------------

/// Selections from both sides of one state, against the weights by definition.
template <class Kernel, template <class> class Engine>
Verdict judge_selections(const Model& model, std::uint64_t chain, int selections = 500'000) {
  const Bits reference = random_bits(model.sites(), 8);
  const auto shell = std::make_shared<const Shell>(reference, model.sites() / 2);
  RandomDraws draws = stream(chain);
  const WeightFunction weight{Bias::logistic, 0.5};
  WeightSet weight_set;
  weight_set.add(agreeing(0), weight);
  weight_set.add(differing(0), weight);
  State<Kernel, Engine> state(make_kernel<Kernel>(model, reference), shell,
                              shell->draw_uniform(draws), weight_set, false);
  Verdict worst;
  for (const Side side : {agreeing(0), differing(0)}) {
    std::vector<double> law(model.sites(), 0.0);
    double total = 0;
    for (Site i = 0; i < model.sites(); ++i) {
      if (state.configuration().side(i) != side) continue;
      law[i] = weight.weight(state.delta_energy(i));
      total += law[i];
    }
    for (double& p : law) p /= total;
    std::vector<std::uint64_t> counts(model.sites(), 0);
    const ScaledWeight mass = state.total(side, 0);
    for (int k = 0; k < selections; ++k) ++counts[state.select(draws, side, 0, mass)];
    const Verdict verdict = judge(counts, law);
    if (verdict.statistic / verdict.threshold >= worst.statistic / worst.threshold ||
        worst.threshold == 0)
      worst = verdict;
  }
  return worst;
}

TEST(Statistical, SelectionsFollowTheirWeights) {
  const Model grid = integer_model();
  const Model real = gaussian_model();
  const Model dense = complete_model();
  const Model rbm = rbm_model();
  const Verdict verdicts[] = {
      judge_selections<IntegerKernel, LinearEngine>(grid, 2000),
      judge_selections<IntegerKernel, TreeEngine>(grid, 2001),
      judge_selections<IntegerKernel, ClassesEngine>(grid, 2002),
      judge_selections<IntegerKernel, ThinnedEngine>(grid, 2003),
      judge_selections<RealKernel, LinearEngine>(real, 2004),
      judge_selections<RealKernel, TreeEngine>(real, 2005),
      judge_selections<DenseKernel, DenseEngine>(dense, 2006),
      judge_selections<RbmKernel, DenseEngine>(rbm, 2007),
  };
  for (const Verdict& verdict : verdicts)
    EXPECT_FALSE(verdict.alarm()) << verdict.statistic << " > " << verdict.threshold;
}

TEST(Statistical, AWeightOffByTwoPercentIsCaught) {
  const Verdict verdict =
      judge_selections<IntegerKernel, HeavyEngine>(integer_model(), 2008, 4'000'000);
  EXPECT_TRUE(verdict.alarm()) << verdict.statistic << " <= " << verdict.threshold;
}

}  // namespace
}  // namespace nhot::test
