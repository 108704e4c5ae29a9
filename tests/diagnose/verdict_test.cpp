#include "nhot/diagnose/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/known_chains.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::Chains;

std::string joined(const Verdict& verdict) {
  std::string all;
  for (const std::string& reason : verdict.reasons) all += reason + "\n";
  return all;
}

void expect_no(const Verdict& verdict, const std::string& part) {
  EXPECT_FALSE(verdict.converged) << joined(verdict);
  EXPECT_NE(joined(verdict).find(part), std::string::npos)
      << "wanted: " << part << "\ngot: " << joined(verdict);
}

Verdict judge_energy(const Chains& chains, std::vector<double> changed = {}) {
  const NamedSummary energy{"energy", summarise(chains)};
  return judge({&energy, 1}, {chains.size(), std::move(changed), false});
}

TEST(Verdict, GoodRunConverges) {
  const std::vector<NamedSummary> observables = {
      {"energy", summarise(ar1_chains(0.8, 4, 10000, 60))},
      {"overlap", summarise(ar1_chains(0.9, 2, 10000, 61))}};
  const Verdict verdict = judge(observables, {4, {0.5, 0.5, 0.5, 0.5}, false});
  EXPECT_TRUE(verdict.converged) << joined(verdict);
  EXPECT_NE(joined(verdict).find("4 chains agree: largest R-hat 1.0"), std::string::npos);
  EXPECT_NE(joined(verdict).find("ESS"), std::string::npos);
}

TEST(Verdict, OneChainCannotBeJudged) {
  expect_no(judge_energy(ar1_chains(0.0, 1, 10000, 62)), "only one chain");
}

TEST(Verdict, DisagreeingChainsAreNamedWithFigures) {
  Chains chains = ar1_chains(0.0, 4, 10000, 63);
  for (double& x : chains[3]) x -= 100.0;
  const Verdict verdict = judge_energy(chains);
  expect_no(verdict, "The chains disagree on energy: R-hat ");
  expect_no(verdict, "chain means from -");
}

TEST(Verdict, DifferentSpreadIsSaidSo) {
  Chains chains = ar1_chains(0.0, 4, 10000, 64);
  for (double& x : chains[3]) x *= 3.0;
  expect_no(judge_energy(chains), "in its spread");
}

// The other observable may be fine: one that fails is enough.
TEST(Verdict, OneBadObservableIsEnough) {
  Chains overlap = ar1_chains(0.0, 2, 10000, 65);
  for (double& x : overlap[0]) x += 1.0;
  const std::vector<NamedSummary> observables = {
      {"energy", summarise(ar1_chains(0.0, 4, 10000, 66))}, {"overlap", summarise(overlap)}};
  const Verdict verdict = judge(observables, {4, {}, false});
  expect_no(verdict, "disagree on overlap");
  EXPECT_EQ(joined(verdict).find("energy"), std::string::npos);
}

TEST(Verdict, FewEffectiveDraws) {
  expect_no(judge_energy(ar1_chains(0.0, 4, 90, 67)), "too few effective draws");
  // Per chain: what is enough for two chains is not for eight of the same total.
  ObservableSummary s = summarise(ar1_chains(0.0, 2, 10000, 68));
  s.ess_bulk = s.ess_tail = 250;
  NamedSummary named{"energy", s};
  EXPECT_TRUE(judge({&named, 1}, {2, {}, false}).converged);
  named.summary.chains = 8;
  expect_no(judge({&named, 1}, {8, {}, false}), "800 demanded");
  named.summary.chains = 2;
  named.summary.ess_tail = 199;
  expect_no(judge({&named, 1}, {2, {}, false}), "in the tail");
}

TEST(Verdict, ShortAgainstTheTime) {
  NamedSummary named{"energy", summarise(ar1_chains(0.0, 4, 10000, 69))};
  named.summary.tau = 201;
  expect_no(judge({&named, 1}, {4, {}, false}), "short against the autocorrelation time");
  named.summary.tau = 199;
  EXPECT_TRUE(judge({&named, 1}, {4, {}, false}).converged);
  named.summary.tau_closed = false;
  expect_no(judge({&named, 1}, {4, {}, false}), "too short to measure");
}

TEST(Verdict, MovesThatDoNotReachEveryState) {
  const NamedSummary named{"energy", summarise(ar1_chains(0.0, 4, 10000, 69))};
  JudgedRun run{4, {}, false};
  EXPECT_TRUE(judge({&named, 1}, run).converged);
  run.unreachable_reason = "they stay in a valley";
  expect_no(judge({&named, 1}, run), "do not reach every state: they stay in a valley.");
  run.single_state = true;
  EXPECT_TRUE(judge({&named, 1}, run).converged);
}

TEST(Verdict, ChainsThatNeverMoved) {
  Chains frozen;
  for (int c = 0; c < 4; ++c) frozen.emplace_back(1000, -10.0 * c);
  expect_no(judge_energy(frozen), "the chains never moved");
  expect_no(judge_energy(frozen), "from -30 to 0)");
  const Chains alike(4, std::vector<double>(1000, -3.0));
  expect_no(judge_energy(alike, {0, 0, 0, 0}), "No move of any chain led to another state");
  expect_no(judge_energy(ar1_chains(0.0, 4, 10000, 70), {0.1, 0.0, 0.1, 0.1}), "1 of 4 chains");

  Chains one = ar1_chains(0.0, 4, 10000, 71);
  one[2].assign(10000, 0.01);
  expect_no(judge_energy(one), "never changed in 1 of 4 chains");
}

TEST(Verdict, ConstantObservableIsFine) {
  const Chains alike(4, std::vector<double>(1000, -3.0));
  EXPECT_TRUE(judge_energy(alike, {0.9, 0.9, 0.9, 0.9}).converged);
  const NamedSummary energy{"energy", summarise(alike)};
  const Verdict verdict = judge({&energy, 1}, {4, {0, 0, 0, 0}, true});
  EXPECT_TRUE(verdict.converged);
  EXPECT_NE(joined(verdict).find("single state"), std::string::npos);
}

TEST(Verdict, SingleSeriesIsJudgedByTheRest) {
  const std::vector<NamedSummary> observables = {
      {"energy", summarise(ar1_chains(0.0, 2, 10000, 72))},
      {"overlap", summarise(ar1_chains(0.0, 1, 10000, 73))}};
  const Verdict verdict = judge(observables, {2, {}, false});
  EXPECT_TRUE(verdict.converged) << joined(verdict);
  EXPECT_NE(joined(verdict).find("overlap is a single series"), std::string::npos);
}

TEST(Verdict, UnusableInput) {
  Chains chains = ar1_chains(0.0, 4, 1000, 74);
  chains[1][5] = NAN;
  expect_no(judge_energy(chains), "not finite");
  expect_no(judge_energy(ar1_chains(0.0, 4, 3, 75)), "only 3 draws");
  expect_no(judge({}, {4, {}, false}), "no observable");
  expect_no(judge_energy({}), "no chains");
}

}  // namespace
}  // namespace nhot
