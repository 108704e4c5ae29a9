// The search of the dense engine in a run: every site has the part of the line that its weight
// says, whatever the number of segments and however many of them are empty.
#include "nhot/engine/dense/site_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "nhot/random/stream.hpp"
#include "support/enumerating_draws.hpp"

namespace nhot::test {
namespace {

constexpr Side searched = 1;  // the differing sites of group 0

/// A run of sites from 5 on, of which one in `every` differs, in the segments that `used` says.
template <class Used>
dense::SiteBlockCache make_run(Site size, std::size_t every, Used&& used) {
  constexpr double gamma = 1.0;
  constexpr double reach = 6.0;
  const double quantum = dense::direct_quantum(gamma);
  const dense::WeightFormula formula({Bias::logistic, gamma}, {Bias::logistic, gamma}, quantum,
                                     reach);
  dense::SiteBlockCache run;
  run.resize({5, 5 + size}, 2, std::span(&formula, 1));
  Xoshiro256 engine = make_stream(7, size, every, Purpose::test);
  for (Site k = 0; k < size; ++k) {
    run.set_side(5 + k, used(k / dense::segment) && engine() % every == 0 ? 1 : 0);
    const double field = reach * (static_cast<double>(engine() % 2001) / 1000 - 1);
    run.fields()[k] = dense::steps_of(field, 1 / quantum);
  }
  dense::passes(SimdPath::portable).evaluate(run.slot(0));
  return run;
}

/// Measures what the search does.
void expect_spans(const dense::SiteBlockCache& run) {
  const double total = run.total(0, searched);
  ASSERT_GT(total, 0);
  std::vector<BranchScript::Outcome> found;
  measure_steps(
      total,
      [&](double t) {
        const dense::Found at = run.find(0, searched, t);
        EXPECT_EQ(at.weight, run.weight(0, searched, at.site));
        return at.site;
      },
      found);
  const auto differs = [&](Site i) {
    return run.slot(0).masks[searched][i - run.range().begin] != 0;
  };
  Site count = 0;
  for (Site i = run.range().begin; i < run.range().end; ++i) count += differs(i);
  ASSERT_EQ(found.size(), count);
  for (const auto& outcome : found) {
    const auto site = static_cast<Site>(outcome.value);
    ASSERT_TRUE(run.range().contains(site) && differs(site)) << site;
    ASSERT_NEAR(outcome.probability, run.weight(0, searched, site) / total, 1e-14) << site;
  }
}

TEST(DenseRun, SpansAreWeights) {
  const auto all = [](std::size_t) { return true; };
  for (const Site size : {1U, 2U, 17U, 128U, 500U, 784U, 1024U, 1025U, 1284U, 5000U})
    for (const std::size_t every : {std::size_t{1}, std::size_t{3}}) {
      SCOPED_TRACE(std::to_string(size) + " sites, one in " + std::to_string(every));
      if (size < 10 && every > 1) continue;
      expect_spans(make_run(size, every, all));
    }
}

TEST(DenseRun, EmptySegmentsAreNotFound) {
  for (const std::size_t only : {0U, 3U, 7U, 8U, 12U, 15U, 16U, 19U}) {
    SCOPED_TRACE("segment " + std::to_string(only) + " of 20");
    expect_spans(make_run(20 * dense::segment, 2, [&](std::size_t s) { return s == only; }));
  }
  expect_spans(make_run(20 * dense::segment, 50, [](std::size_t s) { return s % 9 == 0; }));
}

// Sums of other orders may be a rounding smaller than the total.
TEST(DenseRun, BeyondTheEndIsTheLastSiteOfTheSide) {
  for (const std::size_t only : {0U, 7U, 8U, 19U}) {
    const dense::SiteBlockCache run =
        make_run(20 * dense::segment, 40, [&](std::size_t s) { return s == only; });
    const double total = run.total(0, searched);
    std::vector<BranchScript::Outcome> found;
    measure_steps(
        total, [&](double t) { return run.find(0, searched, t).site; }, found);
    for (const double target : {total, total * (1 + 1e-12), 2 * total})
      EXPECT_EQ(run.find(0, searched, target).site, found.back().value);
  }
}

TEST(DenseRun, SlotsMoveWithTheirRun) {
  dense::SiteBlockCache first = make_run(300, 2, [](std::size_t) { return true; });
  const double total = first.total(0, searched);
  dense::SiteBlockCache second(std::move(first));
  dense::SiteBlockCache third;
  third = std::move(second);
  EXPECT_EQ(third.slot(0).fields, third.fields());
  third.begin_walk();
  third.keep();
  third.fields()[0] += 1 << 22;
  dense::passes(SimdPath::portable).evaluate(third.slot(0));
  EXPECT_NE(third.total(0, searched), total);
  third.take_back();
  EXPECT_EQ(third.slot(0).fields, third.fields());
  dense::passes(SimdPath::portable).evaluate(third.slot(0));
  EXPECT_EQ(third.total(0, searched), total);
}

// Two groups with two formulas each: every slot counts the sites of its own two sides.
TEST(DenseRun, SlotsAreByGroupAndLaw) {
  const double quantum = 0x1p-20;
  const dense::WeightFormula formulas[] = {{{Bias::exp, 1.0}, {Bias::exp, 1.0}, quantum, 100.0},
                                           {{Bias::min, 1.0}, {Bias::min, 1.0}, quantum, 100.0}};
  constexpr Site size = 200;
  dense::SiteBlockCache run;
  run.resize({0, size}, 4, formulas);
  for (Site i = 0; i < size; ++i) {
    run.set_side(i, i % 4);
    run.fields()[i] = dense::steps_of(i % 3 == 0 ? -0.5 : 0.25, 1 / quantum);
  }
  for (std::size_t slot = 0; slot < 4; ++slot)
    dense::passes(SimdPath::portable).evaluate(run.slot(slot));
  for (Side side = 0; side < 4; ++side)
    for (std::size_t formula = 0; formula < 2; ++formula) {
      double expected = 0;
      for (Site i = side; i < size; i += 4) {
        const double field = i % 3 == 0 ? -0.5 : 0.25;
        const double cost = side % 2 == 0 ? field : -field;
        expected += std::exp(formula == 0 ? -cost : -std::max(cost, 0.0));
      }
      const std::size_t slot = side / 2 * 2 + formula;
      EXPECT_NEAR(run.total(slot, side) / expected, 1, 2e-4)
          << "side " << side << " formula " << formula;
      EXPECT_EQ(run.find(slot, side, 0.5 * expected).site % 4, side);
    }
}

// What a walk changed is gone after take_back(), and a walk that changed nothing has nothing to
// take back.
TEST(DenseRun, WalksAreTakenBack) {
  dense::SiteBlockCache run = make_run(300, 2, [](std::size_t) { return true; });
  const double total = run.total(0, searched);
  const std::int32_t field = run.fields()[0];
  for (int walk = 0; walk < 3; ++walk) {
    run.begin_walk();
    if (walk == 1) {
      run.take_back();
    } else {
      run.keep();
      run.fields()[0] += 1 << 22;
      dense::passes(SimdPath::portable).evaluate(run.slot(0));
      EXPECT_NE(run.total(0, searched), total);
      run.keep();  // the walk has begun already
      run.take_back();
    }
    EXPECT_EQ(run.total(0, searched), total);
    EXPECT_EQ(run.fields()[0], field);
    EXPECT_EQ(run.slot(0).fields, run.fields());
  }
}

}  // namespace
}  // namespace nhot::test
