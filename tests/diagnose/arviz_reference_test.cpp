// The figures against ArviZ, from a table that make_arviz_reference.py wrote; the chains are made
// here again by the rules documented there. tests/python/test_diagnose_arviz.py compares with the
// ArviZ that is installed.
#include "diagnose/arviz_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "nhot/diagnose/autocovariance.hpp"
#include "nhot/diagnose/ess.hpp"
#include "nhot/diagnose/rhat.hpp"
#include "nhot/diagnose/summary.hpp"

namespace nhot {
namespace {

using Chains = std::vector<std::vector<double>>;

Chains make_chains(const testing::ArvizCase& c) {
  Chains chains(c.chains, std::vector<double>(c.draws));
  std::uint64_t state = c.seed;
  for (std::size_t chain = 0; chain < c.chains; ++chain) {
    const auto number = static_cast<double>(chain);
    double x = 0.0;
    for (std::size_t draw = 0; draw < c.draws; ++draw) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const double u = static_cast<double>(state >> 11) * 0x1p-53;
      x = c.phi * x + (u - 0.5);
      double y =
          x * (1.0 + c.spread * number) + c.shift * number + c.trend * static_cast<double>(draw);
      if (c.levels > 0) y = std::floor(y * c.levels);
      chains[chain][draw] = y;
    }
  }
  return chains;
}

bool same(double ours, double expected) {
  if (std::isnan(expected)) return std::isnan(ours);
  return std::abs(ours - expected) <= 1e-9 * std::abs(expected);
}

class ArvizReference : public ::testing::TestWithParam<testing::ArvizCase> {};

TEST_P(ArvizReference, IsMet) {
  const testing::ArvizCase& c = GetParam();
  const ObservableSummary s = summarise(make_chains(c));
  EXPECT_PRED2(same, s.ess_bulk, c.ess_bulk);
  EXPECT_PRED2(same, s.ess_tail, c.ess_tail);
  EXPECT_PRED2(same, s.ess_mean, c.ess_mean);
  EXPECT_PRED2(same, s.rhat, c.rhat);
  EXPECT_PRED2(same, s.rhat_bulk, c.rhat_bulk);
  EXPECT_PRED2(same, s.rhat_folded, c.rhat_folded);
  EXPECT_PRED2(same, s.mcse, c.mcse);
  EXPECT_PRED2(same, s.mcse_sd, c.mcse_sd);
}

INSTANTIATE_TEST_SUITE_P(Table, ArvizReference, ::testing::ValuesIn(testing::arviz_cases),
                         [](const auto& test) { return std::string(test.param.name); });

// Planted errors, each a way to get these figures almost right, must fail the comparison: no split,
// and no rank normalisation.
TEST(ArvizReferencePlanted, AreCaught) {
  for (const testing::ArvizCase& c : testing::arviz_cases) {
    if (c.draws < 100 || c.chains < 2) continue;
    if (std::string(c.name) == "bounded") continue;  // the ESS is at its upper bound either way
    const Chains chains = make_chains(c);
    const ChainsView view(chains);
    Autocovariance whole(c.draws), half(c.draws / 2);
    EXPECT_FALSE(same(ess_of_split(view, whole), c.ess_mean)) << c.name << ": no split";
    EXPECT_FALSE(same(plain_rhat(view), c.rhat)) << c.name << ": no split";
    if (c.levels != 0.9) {  // two values: ranks are a linear map of the draws
      EXPECT_FALSE(same(ess_of_split(view.split(), half), c.ess_bulk)) << c.name << ": no ranks";
      EXPECT_FALSE(same(plain_rhat(view.split()), c.rhat_bulk)) << c.name << ": no ranks";
    }
  }
}

}  // namespace
}  // namespace nhot
