// A report that was written with a run and read back from its file tells the same.
#include "nhot/io/run/run_record.hpp"

#include <gtest/gtest.h>

#include <set>

#include "io/sample_run.hpp"
#include "nhot/model/generators.hpp"
#include "nhot/result/sample.hpp"
#include "nhot/result/temper.hpp"

namespace nhot {
namespace {

void expect_same(const Fact& written, const Fact& read, const std::string& name) {
  ASSERT_EQ(written.value().index(), read.value().index()) << name;
  if (const auto* facts = std::get_if<Facts>(&written.value())) {
    for (const auto& [inner, fact] : *facts) {
      const Fact* other = find_fact(std::get<Facts>(read.value()), inner);
      ASSERT_NE(other, nullptr) << inner;
      expect_same(fact, *other, inner);
    }
  } else if (const auto* list = std::get_if<Fact::List>(&written.value())) {
    const auto& others = std::get<Fact::List>(read.value());
    ASSERT_EQ(list->size(), others.size()) << name;
    for (std::size_t k = 0; k < list->size(); ++k) expect_same((*list)[k], others[k], name);
  } else if (const auto* real = std::get_if<double>(&written.value())) {
    EXPECT_EQ(*real, std::get<double>(read.value())) << name;
  } else if (const auto* whole = std::get_if<std::uint64_t>(&written.value())) {
    EXPECT_EQ(*whole, std::get<std::uint64_t>(read.value())) << name;
  } else if (const auto* text = std::get_if<std::string>(&written.value())) {
    EXPECT_EQ(*text, std::get<std::string>(read.value())) << name;
  } else if (const auto* truth = std::get_if<bool>(&written.value())) {
    EXPECT_EQ(*truth, std::get<bool>(read.value())) << name;
  }
}

Facts without(Facts facts, const std::set<std::string>& names) {
  std::erase_if(facts, [&](const auto& fact) { return names.contains(fact.first); });
  return facts;
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
  const SampleResult result = sample(chains, plan, hooks);
  const RunReport& report = result.report;
  writer.checkpoint(result.run.checkpoint.chains, to_metadata(result.run.checkpoint));
  writer.finish(results_of(report));
  const RunReport again = report_of(read_run(path));
  EXPECT_EQ(again.run.seed, 41u);
  EXPECT_EQ(again.run.reference, "ones");
  EXPECT_EQ(again.verdict.reasons, report.verdict.reasons);
  ASSERT_NE(find_fact(facts_of(report), "best_state"), nullptr);
  ASSERT_NE(find_fact(facts_of(report), "site_means"), nullptr);
  // Notes are of the run that was watched; no witness was asked.
  expect_same(without(facts_of(report), {"notes", "witness"}), facts_of(again), "run");
}

TEST_F(RunRecordFile, KeepsNamesAGraphAndTheLadder) {
  const std::string path = at("run.nc").string();
  QuadraticTerms terms;
  terms.sites = 5;
  terms.couplings = {{0, 1, 1.0}, {1, 2, -2.0}, {3, 4, 0.5}};
  const Model model =
      Model("graph", QuadraticModel(terms)).with_names({"a", "b c", "d,e", "\u00e9", "5"});
  const ChainFactory chains(model, Shell(Bits(5, 0), 2), "swap", 0.7);
  TemperingPlan plan;
  plan.moves = 100;
  plan.betas = {0, 0.7};
  RunWriter writer(path, attributes_of(chains), model, plan.chains, false);
  TemperingHooks hooks;
  write_to(writer, hooks);
  const TemperResult result = temper(chains, plan, hooks);
  writer.finish(results_of(result.report.target));
  const StoredRun stored = read_run(path);
  const std::vector<std::array<Site, 2>> edges = {{0, 1}, {1, 2}, {3, 4}};
  EXPECT_EQ(stored.graph, edges);
  const RunReport again = report_of(stored);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(again.run.names[i], model.names()[i]);
  EXPECT_EQ(ladder_rows(again.run.ladder, 0.7), ladder_rows(result.report.target.run.ladder, 0.7));
  EXPECT_EQ(again.run.ladder.round_trips, result.report.target.run.ladder.round_trips);
}

TEST(DrawnGraph, IsOfSmallGraphsAndTheStrongestCouplings) {
  EXPECT_TRUE(drawn_graph(model_from_spec("ferromagnet:4x4")).empty());
  EXPECT_TRUE(drawn_graph(model_from_spec("rbm:4x3,seed=1")).empty());
  QuadraticTerms terms;
  terms.sites = 200;
  for (Site i = 0; i < 200; ++i)
    for (Site j = i + 1; j < 200; ++j) terms.couplings.push_back({i, j, i == 0 ? 2.0 : 1.0});
  const auto graph = drawn_graph(Model("dense", QuadraticModel(terms)));
  ASSERT_EQ(graph.size(), max_drawn_couplings);
  for (std::size_t k = 0; k < 199; ++k) EXPECT_EQ(graph[k][0], 0U);
  terms.sites = max_drawn_sites + 1;
  EXPECT_TRUE(drawn_graph(Model("large", QuadraticModel(terms))).empty());
}

}  // namespace
}  // namespace nhot
