// Every driver ends in a report, and every report tells the same in facts and in text.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "nhot/model/generators.hpp"
#include "nhot/nhot.hpp"
#include "nhot/result/scan_archive.hpp"

namespace nhot {
namespace {

ChainFactory small_chains(const std::string& move = "swap") {
  const Model model = model_from_spec("ferromagnet:4x4");
  return ChainFactory(model, Shell(Bits(16, 0), 8), move, 0.2);
}

template <class T>
T value(const Facts& facts, const std::string& name) {
  const Fact* fact = find_fact(facts, name);
  if (!fact) throw std::runtime_error("no fact " + name);
  return std::get<T>(fact->value());
}

void expect_names_once(const Facts& facts) {
  std::set<std::string> names;
  for (const auto& [name, fact] : facts) {
    EXPECT_TRUE(names.insert(name).second) << name;
    if (const auto* inner = std::get_if<Facts>(&fact.value())) expect_names_once(*inner);
    if (const auto* list = std::get_if<Fact::List>(&fact.value()))
      for (const Fact& item : *list)
        if (const auto* row = std::get_if<Facts>(&item.value())) expect_names_once(*row);
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Facts, KeepTypesAndOrder) {
  const Facts facts = {{"text", "x"},
                       {"truth", true},
                       {"whole", 7u},
                       {"negative", -7},
                       {"real", 0.5},
                       {"unknown", Fact()},
                       {"list", std::vector<double>{1, 2}}};
  EXPECT_EQ(value<std::string>(facts, "text"), "x");
  EXPECT_TRUE(value<bool>(facts, "truth"));
  EXPECT_EQ(value<std::uint64_t>(facts, "whole"), 7u);
  EXPECT_EQ(value<std::int64_t>(facts, "negative"), -7);
  EXPECT_EQ(value<double>(facts, "real"), 0.5);
  EXPECT_NO_THROW(value<std::monostate>(facts, "unknown"));
  EXPECT_EQ(value<Fact::List>(facts, "list").size(), 2u);
  EXPECT_EQ(facts.front().first, "text");
  EXPECT_EQ(find_fact(facts, "no such"), nullptr);
}

TEST(Reports, OfSampleTellTheRunAndTheVerdict) {
  RunPlan plan;
  plan.moves = 4000;
  plan.seed = 3;
  plan.verify = true;
  bool verified = false;
  RunHooks hooks;
  hooks.progress = [&](const RunProgress& now) { verified = verified || now.verifying; };
  const ChainFactory chains = small_chains();
  const SampleResult result = sample(chains, plan, hooks);
  EXPECT_TRUE(verified);
  const Facts facts = facts_of(result.report);
  expect_names_once(facts);
  EXPECT_EQ(value<std::uint64_t>(facts, "moves"), 4000u);
  EXPECT_EQ(value<std::uint64_t>(facts, "seed"), 3u);
  EXPECT_EQ(value<std::string>(facts, "reference"), "zeros");
  EXPECT_EQ(value<std::string>(facts, "move"), chains.move());
  EXPECT_EQ(value<bool>(facts, "converged"), result.report.verdict.converged);
  EXPECT_GT(value<std::uint64_t>(value<Facts>(facts, "witness"), "populations"), 0u);
  const Facts energy = value<Facts>(value<Facts>(facts, "observables"), "energy");
  EXPECT_EQ(value<double>(energy, "mean"), result.report.observables.front().summary.mean);
  const std::string text = to_text(result.report, TextLayout());
  EXPECT_TRUE(contains(text, "ferromagnet:4x4: 16 sites, 32 couplings")) << text;
  EXPECT_TRUE(
      contains(text, result.report.verdict.converged ? "converged    yes" : "converged    no"))
      << text;
  // Without the witness: asked for nothing, and told so.
  plan.verify = false;
  const Facts plain = facts_of(sample(chains, plan).report);
  EXPECT_NO_THROW(value<std::monostate>(plain, "witness"));
}

TEST(Reports, OfTemperHaveARowForEveryTemperature) {
  TemperingPlan plan;
  plan.moves = 2000;
  plan.betas = {0, 0.1, 0.2};
  const TemperResult result = temper(small_chains(), plan);
  const Facts facts = facts_of(result.report);
  expect_names_once(facts);
  const Fact::List rows = value<Fact::List>(facts, "rows");
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t k = 0; k < rows.size(); ++k)
    EXPECT_EQ(value<double>(std::get<Facts>(rows[k].value()), "beta"), plan.betas[k]);
  EXPECT_EQ(value<double>(facts, "beta"), 0.2);
  EXPECT_EQ(value<std::uint64_t>(facts, "exchanges"), result.run.exchanges);
  EXPECT_EQ(value<Fact::List>(facts, "round_trips").size(), plan.chains);
  EXPECT_TRUE(contains(to_text(result.report, TextLayout()), "0.2 *"));
}

TEST(Reports, OfAnnealHoldTheStates) {
  const ChainFactory chains = small_chains();
  AnnealingPlan plan;
  plan.reads = 4;
  plan.keep = 3;
  const AnnealingReport report = make_report(chains.model(), chains.shell(), plan,
                                             anneal(chains.model(), chains.shell(), plan));
  const Facts facts = facts_of(report);
  expect_names_once(facts);
  const Fact::List states = value<Fact::List>(facts, "states");
  ASSERT_EQ(states.size(), 3u);
  const Facts best = std::get<Facts>(states.front().value());
  EXPECT_EQ(value<double>(best, "energy"), value<double>(facts, "best_energy"));
  EXPECT_EQ(value<std::string>(best, "bits").size(), 16u);
  EXPECT_TRUE(contains(to_text(report, TextLayout()), "best energy"));
}

TEST(Reports, OfLogZHaveTheEstimateAndTheRatioWhereItWasAsked) {
  const ChainFactory chains = small_chains();
  PartitionPlan plan;
  plan.population = 16;
  plan.populations = 4;
  plan.ratio = true;
  const PartitionReport report = make_report(chains, plan, estimate_partition(chains, plan));
  const Facts facts = facts_of(report);
  expect_names_once(facts);
  EXPECT_EQ(value<double>(facts, "log_z"), report.result.log_z.value);
  EXPECT_EQ(value<std::string>(facts, "method"), "smc");
  EXPECT_EQ(value<std::uint64_t>(value<Facts>(facts, "ratio"), "distance"), 9u);
  EXPECT_TRUE(contains(to_text(report, TextLayout()), "log Z_{n+1}/Z_n"));
}

TEST(Reports, OfCompareNameEverySamplerOnce) {
  const ChainFactory chains = small_chains();
  ComparisonPlan plan;
  plan.chains = 2;
  plan.first_moves = 500;
  const CompareResult result =
      compare(chains.model(), chains.shell(), 0.2, {"swap", "swap", "im:length=1..2"}, plan);
  ASSERT_EQ(result.samplers.size(), 3u);
  EXPECT_EQ(result.samplers[0].label, "swap");
  EXPECT_EQ(result.samplers[1].label, "swap (2)");
  const Facts facts = facts_of(result);
  expect_names_once(facts);
  EXPECT_EQ(value<Fact::List>(facts, "results").size(), 3u);
  EXPECT_FALSE(result.conclusions.empty());
  EXPECT_TRUE(contains(to_text(result, TextLayout()), "2 chains per move"));
}

TEST(Reports, OfReproduceHoldTheSamplersAgainstAReference) {
  const Experiment& experiment = paper_experiments().front();
  ReproductionPlan plan;
  plan.trials = 2;
  plan.scale = 0.05;
  const Model model = model_from_spec("ferromagnet:4x4");
  const ExperimentReport report = reproduce(experiment, model, plan);
  const Facts facts = facts_of(report);
  expect_names_once(facts);
  ASSERT_TRUE(report.reference.verdict.converged);
  for (const SamplerReport& sampler : report.samplers)
    EXPECT_EQ(sampler.from_reference, sampler.energy().summary.mean - report.reference.mean);
  EXPECT_EQ(value<Facts>(facts, "energy_difference_in_errors").size(),
            static_cast<std::size_t>(
                std::count_if(report.samplers.begin() + 1, report.samplers.end(),
                              [](const SamplerReport& sampler) { return sampler.in_figures; })));
  EXPECT_TRUE(contains(to_text(report, TextLayout()), "The true mean energy is"));
  const auto options = reference_options(report);
  EXPECT_EQ(options.front(), (std::pair<std::string, std::string>("model", "ferromagnet:4x4")));
}

TEST(ReferenceName, IsThatOfTheBits) {
  EXPECT_EQ(reference_name(Shell(Bits(4, 0), 1)), "zeros");
  EXPECT_EQ(reference_name(Shell(Bits(4, 1), 1)), "ones");
  EXPECT_EQ(reference_name(Shell(Bits{0, 1, 1, 0}, 1)), "given");
}

Facts nested(int depth) {
  return depth == 0 ? Facts{{"end", true}} : Facts{{"inner", nested(depth - 1)}};
}

ScanPoint made_up_point() {
  ScanPoint point{0.5, 7, 11, {}, {}};
  point.facts = {{"nothing", Fact()},
                 {"converged", true},
                 {"signed", std::int64_t{-3}},
                 {"count", std::uint64_t{1} << 63},
                 {"mean", 0.1},
                 {"move", "swap"},
                 {"list", Fact::List{1.5, "two", Fact::List{}}},
                 {"observables", Facts{{"energy", Facts{{"mean", -1e300}}}}}};
  point.trace.chains.resize(2);
  for (ChainColumns& chain : point.trace.chains) chain.energy = {1, -2.5, 3};
  return point;
}

TEST(ScanArchive, KeepsEverythingOfAPoint) {
  const ScanPoint point = made_up_point();
  const std::vector<std::byte> bytes = archive_of(point);
  const ScanPoint again = scan_point_from(bytes);
  EXPECT_EQ(archive_of(again), bytes);
  EXPECT_EQ(again.beta, point.beta);
  EXPECT_EQ(again.distance, point.distance);
  EXPECT_EQ(again.seed, point.seed);
  ASSERT_EQ(again.facts.size(), point.facts.size());
  for (std::size_t k = 0; k < point.facts.size(); ++k) {
    EXPECT_EQ(again.facts[k].first, point.facts[k].first);
    EXPECT_EQ(again.facts[k].second.value().index(), point.facts[k].second.value().index());
  }
  EXPECT_EQ(value<double>(again.facts, "mean"), 0.1);
  EXPECT_EQ(again.trace.chains.back().energy, point.trace.chains.back().energy);
}

TEST(ScanArchive, RefusesWhatItHasNotMade) {
  const std::vector<std::byte> bytes = archive_of(made_up_point());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(
        scan_point_from({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
        InputError);
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(scan_point_from(longer), InputError);
  ScanPoint deep = made_up_point();
  deep.facts = nested(5);
  EXPECT_NO_THROW(scan_point_from(archive_of(deep)));
  deep.facts = nested(1000);
  EXPECT_THROW(scan_point_from(archive_of(deep)), InputError);
}

}  // namespace
}  // namespace nhot
