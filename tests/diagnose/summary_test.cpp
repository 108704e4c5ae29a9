#include "nhot/diagnose/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/known_chains.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/integrated_time.hpp"
#include "nhot/diagnose/mcse.hpp"
#include "nhot/diagnose/moments.hpp"
#include "nhot/diagnose/rhat.hpp"

namespace nhot {
namespace {

using testing::ar1_chains;
using testing::Chains;

// The summary shares one sort and one transform; it must say what the functions say alone.
TEST(Summary, EqualsTheFunctionsAlone) {
  for (const std::size_t draws : {4u, 5u, 100u, 1001u}) {
    const Chains chains = ar1_chains(0.6, 3, draws, 50);
    const ObservableSummary s = summarise(chains);
    EXPECT_EQ(s.chains, 3u);
    EXPECT_EQ(s.draws, draws);
    EXPECT_EQ(s.mean, pooled_mean(chains));
    EXPECT_EQ(s.sd, std::sqrt(pooled_variance(chains)));
    EXPECT_EQ(s.ess_bulk, ess_bulk(chains));
    EXPECT_EQ(s.ess_tail, ess_tail(chains));
    EXPECT_EQ(s.ess_mean, ess_mean(chains));
    EXPECT_EQ(s.mcse, mcse_mean(chains));
    EXPECT_EQ(s.mcse_sd, mcse_sd(chains));
    EXPECT_EQ(s.rhat, rank_rhat(chains).value());
    EXPECT_EQ(s.rhat_bulk, rank_rhat(chains).bulk);
    EXPECT_EQ(s.rhat_folded, rank_rhat(chains).folded);
    EXPECT_EQ(s.chain_means.size(), 3u);
    EXPECT_EQ(s.chain_means[1], mean(chains[1]));
    EXPECT_FALSE(s.constant);
    EXPECT_EQ(s.frozen_chains, 0u);
    if (draws == 1001) {
      EXPECT_EQ(s.tau, sokal_time(ChainsView(chains)).tau);
      EXPECT_EQ(s.tau_geyer, geyer_time(ChainsView(chains)).tau);
      EXPECT_TRUE(s.tau_closed);
    }
  }
}

TEST(Summary, OfOneChain) {
  const ObservableSummary s = summarise(ar1_chains(0.6, 1, 1000, 51));
  EXPECT_TRUE(std::isnan(s.rhat));
  EXPECT_GT(s.ess_bulk, 0.0);
}

TEST(Summary, OfTooFewDraws) {
  const ObservableSummary s = summarise(Chains{{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(s.mean, 3.5);
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(3.5));
  for (const double value : {s.ess_bulk, s.ess_tail, s.ess_mean, s.rhat, s.mcse, s.tau}) {
    EXPECT_TRUE(std::isnan(value));
  }
  EXPECT_TRUE(std::isnan(summarise(Chains{}).mean));
  EXPECT_TRUE(std::isnan(summarise(Chains{{}, {}}).mean));
}

TEST(Summary, FlagsConstantAndFrozen) {
  const ObservableSummary constant = summarise(Chains(4, std::vector<double>(20, 0.1)));
  EXPECT_TRUE(constant.constant);
  EXPECT_EQ(constant.frozen_chains, 4u);
  EXPECT_EQ(constant.mean, 0.1);
  EXPECT_EQ(constant.sd, 0.0);
  EXPECT_EQ(constant.mcse, 0.0);
  EXPECT_EQ(constant.ess_bulk, 80.0);
  EXPECT_TRUE(std::isnan(constant.rhat));
  EXPECT_TRUE(std::isnan(constant.tau));

  // Rounding in an energy kept up to date flip by flip is not movement.
  Chains wobble(2, std::vector<double>(20, -4838.3));
  for (auto& chain : wobble) chain[7] = std::nextafter(chain[7], 0.0);
  EXPECT_TRUE(summarise(wobble).constant);
  wobble[0][7] += 1e-6;
  EXPECT_FALSE(summarise(wobble).constant);

  Chains frozen;
  for (int c = 0; c < 3; ++c) frozen.emplace_back(20, c);
  const ObservableSummary stuck = summarise(frozen);
  EXPECT_FALSE(stuck.constant);
  EXPECT_EQ(stuck.frozen_chains, 3u);
  EXPECT_TRUE(std::isinf(stuck.rhat));
}

TEST(Summary, OfUnusableDraws) {
  const ObservableSummary s = summarise(Chains{{1, 2, NAN, 4}, {1, 2, 3, 4}});
  EXPECT_FALSE(s.finite);
  EXPECT_TRUE(std::isnan(s.mean));
  EXPECT_TRUE(std::isnan(s.ess_bulk));
}

TEST(Summary, TimesStayPositive) {
  const Chains alternating(2, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
  const ObservableSummary s = summarise(alternating);
  EXPECT_DOUBLE_EQ(s.tau, 1.0 / std::log10(24.0));
  EXPECT_GE(s.tau_geyer, s.tau);
}

}  // namespace
}  // namespace nhot
