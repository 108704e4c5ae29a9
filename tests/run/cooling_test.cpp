#include "nhot/run/anneal/cooling.hpp"

#include <gtest/gtest.h>

#include "nhot/model/generators.hpp"
#include "nhot/random/stream.hpp"
#include "nhot/run/anneal/annealing.hpp"
#include "nhot/run/walker_source.hpp"
#include "run/small_problems.hpp"
#include "support/messages.hpp"

namespace nhot {
namespace {

AnnealingPlan plan_of_32_reads() {
  AnnealingPlan plan;
  plan.reads = 32;
  return plan;
}

TEST(Anneal, KeepsTheTemperaturesThatAreGiven) {
  const Model model = spin_glass({{4, 4, 4}, true}, CouplingLaw::plus_minus, 3);
  const Shell shell = test::zero_shell(model, 32);
  const double lowest = anneal(model, shell, plan_of_32_reads()).best_energy();
  for (const Cooling cooling : {Cooling::adaptive, Cooling::linear, Cooling::geometric})
    for (const double coldest : {0.7, 5.0, 1e9, 1e300, 3e306}) {
      AnnealingPlan plan = plan_of_32_reads();
      plan.cooling = cooling;
      plan.coldest = coldest;
      plan.hottest = 0.3;
      const AnnealingResult result = anneal(model, shell, plan);
      EXPECT_EQ(result.hottest, 0.3);
      EXPECT_EQ(result.coldest, coldest);
      EXPECT_GE(result.best_energy(), lowest);
      if (cooling != Cooling::linear || coldest < 10) {  // a search, that is
        EXPECT_LE(result.best_energy(), lowest + 4) << coldest;
      }
    }
  for (const bool cold : {false, true}) {
    AnnealingPlan plan = plan_of_32_reads();
    (cold ? plan.coldest : plan.hottest) = 1e308;
    const auto refused = test::refusal([&] { anneal(model, shell, plan); });
    EXPECT_EQ(test::message_of(refused).find("beta 1e+308 overflows with the energies"), 0u);
  }
}

TEST(Cooling, ReachesAGivenEndThoughItIsStopped) {
  const Model model = spin_glass({{4, 4, 4}, true}, CouplingLaw::plus_minus, 3);
  const Shell shell = test::zero_shell(model, 32);
  const WalkerSource source(model, shell, "auto", 1);
  for (const Cooling cooling : {Cooling::adaptive, Cooling::linear, Cooling::geometric}) {
    const auto walker = source.make(make_stream(1, 0, 0, Purpose::test));
    const CoolingSchedule schedule =
        plan_cooling(model, shell, *walker, cooling, 0.25, 40.0, 1, [] { return true; });
    EXPECT_EQ(schedule.at(0), 0.25);
    EXPECT_EQ(schedule.at(1), 40.0);
  }
}

}  // namespace
}  // namespace nhot
