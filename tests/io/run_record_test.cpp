// A report that was written with a run and read back from its file tells the same.
#include "nhot/io/run/run_record.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/sample_run.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/result/sample.hpp"

namespace nhot {
namespace {

void expect_same(const Facts& written, const Facts& read, const std::set<std::string>& apart) {
  for (const auto& [name, fact] : written) {
    if (apart.contains(name)) continue;
    const Fact* other = find_fact(read, name);
    ASSERT_NE(other, nullptr) << name;
    if (const auto* inner = std::get_if<Facts>(&fact.value())) {
      expect_same(*inner, std::get<Facts>(other->value()), {});
      continue;
    }
    ASSERT_EQ(fact.value().index(), other->value().index()) << name;
    if (const auto* real = std::get_if<double>(&fact.value())) {
      EXPECT_EQ(*real, std::get<double>(other->value())) << name;
    } else if (const auto* whole = std::get_if<std::uint64_t>(&fact.value())) {
      EXPECT_EQ(*whole, std::get<std::uint64_t>(other->value())) << name;
    } else if (const auto* text = std::get_if<std::string>(&fact.value())) {
      EXPECT_EQ(*text, std::get<std::string>(other->value())) << name;
    } else if (const auto* truth = std::get_if<bool>(&fact.value())) {
      EXPECT_EQ(*truth, std::get<bool>(other->value())) << name;
    }
  }
}

class RunRecordFile : public testing::ScratchFolder {};

TEST_F(RunRecordFile, IsReadBackAsItWasWritten) {
  const std::string path = at("run.nc").string();
  const Model model = model_from_spec("spin-glass:4x4,seed=3");
  const ChainFactory chains(model, Shell(Bits(16, 1), 6), "0.5*(im + swap) + 0.5*kawasaki", 0.7);
  RunPlan plan;
  plan.moves = 2000;
  plan.seed = 41;
  RunWriter writer(path, attributes_of(chains), model, plan.chains, false,
                   chains.shell().reference());
  RunHooks hooks;
  write_to(writer, hooks);
  const RunReport report = sample(chains, plan, hooks).report;
  writer.finish(results_of(report));
  const RunReport again = report_of(read_run(path));
  EXPECT_EQ(again.run.seed, 41u);
  EXPECT_EQ(again.run.reference, "ones");
  EXPECT_EQ(again.verdict.reasons, report.verdict.reasons);
  // Notes are of the run that was watched; no witness was asked. States are told of by drivers.
  expect_same(facts_of(report), facts_of(again), {"notes", "witness", "best_state", "site_means"});
}

}  // namespace
}  // namespace nhot
