// An observable that the caller gives as a function, in every driver that records draws.
#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "nhot/run/compare/comparison.hpp"
#include "nhot/run/sample/independent.hpp"
#include "nhot/run/temper/tempering.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

/// Ones among the first three sites.
std::shared_ptr<const Observable> first_three(std::string name = "first_three") {
  return make_observable(std::move(name), "ones among the first three sites",
                         [](const PackedBits& x) { return 1.0 * (x[0] + x[1] + x[2]); });
}

ChainFactory factory() {
  const Model model = model_from_spec("ferromagnet:4x4");
  return {model, Shell(Bits(16, 0), 6), "swap", 0.4};
}

void expect_measured(const Trace& trace) {
  ASSERT_EQ(trace.observables.at(1).name, "first_three");
  EXPECT_EQ(trace.observables.at(0).name, "slowest_mode");
  ASSERT_FALSE(trace.state_draws.empty());
  for (std::size_t c = 0; c < trace.states.size(); ++c)
    for (std::size_t s = 0; s < trace.state_draws.size(); ++s) {
      const PackedBits& x = trace.states[c][s];
      ASSERT_EQ(trace.observables[1].series[c][trace.state_draws[s]], x[0] + x[1] + x[2]);
    }
}

TEST(OwnObservable, IsMeasuredBesideThoseOfTheModel) {
  RunPlan plan;
  plan.moves = 400;
  plan.thin = 4;
  plan.observables = {first_three()};
  expect_measured(run_independent(factory(), plan).trace);
}

TEST(OwnObservable, IsMeasuredOnEveryRung) {
  TemperingPlan plan;
  plan.chains = 2;
  plan.moves = 400;
  plan.betas = {0, 0.2};
  plan.observables = {first_three()};
  const TemperingResult run = run_tempering(factory(), plan);
  expect_measured(run.rungs[run.target].trace);
  EXPECT_EQ(run.rungs[0].trace.observables.at(1).name, "first_three");
}

TEST(OwnObservable, NeedsANameOfItsOwn) {
  RunPlan plan;
  plan.moves = 10;
  const auto said = [&](std::vector<std::string> names) {
    plan.observables.clear();
    for (const std::string& name : names) plan.observables.push_back(first_three(name));
    return whole_of(refusal([&] { run_independent(factory(), plan); }));
  };
  EXPECT_NE(said({"energy"}).find("'energy' already"), std::string::npos);
  EXPECT_NE(said({"slowest_mode"}).find("already"), std::string::npos);
  EXPECT_NE(said({"a", "a"}).find("already"), std::string::npos);
  // Columns of run files.
  for (const std::string name :
       {"beta", "lp", "accepted", "acceptance_rate", "saw_length", "hamming_move", "overlap",
        "state", "chain", "draw", "site", "pair", "rung"})
    EXPECT_EQ(said({name}), "there is an observable '" + name + "' already | give another name");
  for (const char* name : {"", "two words", "3rd", "a/b"})
    EXPECT_NE(said({name}).find("is no name"), std::string::npos) << name;
  EXPECT_EQ(said({"a", "_b3"}), "(not refused) | (not refused)");
}

}  // namespace
}  // namespace nhot::test
