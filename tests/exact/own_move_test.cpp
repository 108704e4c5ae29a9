// Moves that are written outside the library, through the exact suite; and wrong ones, which it
// must see.
#include "nhot/move/own_move.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "exact/instances.hpp"
#include "nhot/exact/check_model.hpp"
#include "nhot/run/sample/independent.hpp"
#include "support/exact.hpp"
#include "support/messages.hpp"

namespace nhot::test {
namespace {

/// Two exchanges at once, in one decision; with too few sites, one. `factor` on beta makes it
/// wrong.
class TwoPairs : public OwnMove {
 public:
  explicit TwoPairs(double factor = 1) : factor_(factor) {}
  bool attempt(MoveState& state, MoveDraws& draws, double beta) const override {
    const Site pairs =
        std::min<Site>(2, std::min(state.size(differing(0)), state.size(agreeing(0))));
    std::vector<Site> chosen;
    for (const Side side : {differing(0), agreeing(0)}) {
      std::vector<Site> left;
      for (Site k = 0; k < state.size(side); ++k) left.push_back(state.at(side, k));
      std::sort(left.begin(), left.end());
      for (Site p = 0; p < pairs; ++p) {
        const auto k = static_cast<std::ptrdiff_t>(draws.below(left.size()));
        chosen.push_back(left[static_cast<std::size_t>(k)]);
        left.erase(left.begin() + k);
      }
    }
    for (const Site i : chosen) state.flip(i);
    return draws.accept(std::exp(-factor_ * beta * state.gain()));
  }

 private:
  double factor_;
};

/// A uniform site of one side leaves; who comes in its place, itself included, is chosen by heat
/// bath.
class HeatBath : public OwnMove {
 public:
  bool attempt(MoveState& state, MoveDraws& draws, double beta) const override {
    if (state.size(differing(0)) == 0) return false;
    const Site out =
        state.at(differing(0), static_cast<Site>(draws.below(state.size(differing(0)))));
    std::vector<Site> places = {out};
    std::vector<double> weights = {1};
    for (Site k = 0; k < state.size(agreeing(0)); ++k) {
      places.push_back(state.at(agreeing(0), k));
      weights.push_back(std::exp(-beta * state.exchange_cost(out, places.back())));
    }
    const Site in = places[draws.choose(weights)];
    state.flip(out);
    state.flip(in);
    return true;
  }
};

class LeavesTheShell : public OwnMove {
 public:
  bool attempt(MoveState& state, MoveDraws&, double) const override {
    state.flip(0);
    return true;
  }
};

/// Names are known to the whole program: other tests do not meet them.
class OwnMoves : public testing::Test {
 protected:
  void SetUp() override {
    register_move("two-pairs", "two exchanges in one decision", std::make_shared<TwoPairs>());
    register_move("two-pairs-wrong", "the same at another temperature",
                  std::make_shared<TwoPairs>(0.9));
    register_move("heat-bath", "one site to where it likes to be", std::make_shared<HeatBath>());
    register_move("leaves", "leaves the shell", std::make_shared<LeavesTheShell>());
  }
  void TearDown() override {
    for (const char* name : {"two-pairs", "two-pairs-wrong", "heat-bath", "leaves", "swap"})
      forget_move(name);
    EXPECT_EQ(move_kinds().size(), 8U);  // those of the library stay
  }
};

TEST_F(OwnMoves, KeepTheLawOnEveryKernelAloneAndInMixtures) {
  for (const Instance& instance : exact_instances()) {
    if (!instance.only.empty()) continue;
    const Site sites = instance.model.sites();
    for (const Site distance : {Site{1}, Site{2}, sites - 1}) {
      const ExactCase with(instance.model, instance.kernel, mixed_reference(sites), distance, 0.7);
      const std::string engine = engines_for(instance.kernel).front();
      for (const std::string& move : std::vector<std::string>{
               "two-pairs", "heat-bath",
               "0.5*heat-bath + 0.3*swap + 0.2*im:length=1,engine=" + engine}) {
        const ExactErrors errors = with.check(move);
        EXPECT_TRUE(errors.passed()) << instance.name << "/" << instance.kernel << " n=" << distance
                                     << " " << move << ": " << errors.worst();
      }
    }
    const ExactCase with(instance.model, instance.kernel, mixed_reference(sites), 2, 0.7);
    EXPECT_GT(with.check("two-pairs-wrong").worst(), 1e-4) << instance.name;
  }
}

TEST_F(OwnMoves, AreInTheSuiteForUsersAndWrongOnesAreNamed) {
  const exact::Findings found = exact::check_model(rbm_3x3());
  EXPECT_FALSE(found.passed());
  for (const std::string& line : found.wrong)
    EXPECT_TRUE(line.find("two-pairs-wrong: off by") != std::string::npos ||
                line.find("leaves: ") != std::string::npos ||
                line.find("left the shell") != std::string::npos)
        << line;
  EXPECT_NE(found.text().find("two-pairs-wrong: off by"), std::string::npos);
}

TEST_F(OwnMoves, RunByNameAndAreRefusedWhenTheyLeaveTheShell) {
  const Model model = model_from_spec("ferromagnet:4x4");
  RunPlan plan;
  plan.moves = 1000;
  const ChainFactory chains(model, Shell(Bits(16, 0), 6), "0.5*heat-bath + 0.5*swap", 0.4);
  EXPECT_EQ(chains.move(), "0.5*heat-bath + 0.5*swap");
  const RunResult run = run_independent(chains, plan);
  EXPECT_GT(run.changed, 100U);
  EXPECT_LE(run.changed, run.accepted);
  const ChainFactory off(model, Shell(Bits(16, 0), 6), "leaves", 0.4);
  EXPECT_EQ(whole_of(refusal([&] { run_independent(off, plan); })),
            "move leaves kept a state that is not on the shell | flip as many sites of each side "
            "of a group");
  const auto said = [](const std::string& name) {
    return whole_of(refusal([&] { register_move(name, "", std::make_shared<HeatBath>()); }));
  };
  EXPECT_NE(said("swap").find("there is a move 'swap' already"), std::string::npos);
  EXPECT_NE(said("heat-bath").find("already"), std::string::npos);
  EXPECT_NE(whole_of(refusal([] { register_move("null", "", nullptr); })).find("null pointer"),
            std::string::npos);
  for (const char* name : {"", "two words", "A", "a:b", "a+b"})
    EXPECT_NE(said(name).find("is no name"), std::string::npos) << name;
}

}  // namespace
}  // namespace nhot::test
