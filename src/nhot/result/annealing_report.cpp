#include "nhot/result/annealing_report.hpp"

#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

std::string bits_text(const Bits& bits) {
  std::string text;
  for (const Bit bit : bits) text += bit ? '1' : '0';
  return text;
}

bool lists_sites(const Model& model) {  // things to choose
  return model.lattice().sides.empty() && model.sites() <= most_listed_sites;
}

}  // namespace

AnnealingReport make_report(const Model& model, const Shell& shell, const AnnealingPlan& plan,
                            AnnealingResult result) {
  return {model, shell.distance(), plan.seed, plan.target.has_value(), std::move(result), {}};
}

Facts facts_of(const AnnealingReport& report) {
  const AnnealingResult& result = report.result;
  Fact::List states;
  for (const FoundState& state : result.states) {
    Facts facts = facts_of(state, report.model.names());
    facts.insert(facts.begin() + 1, {"bits", bits_text(state.bits)});
    states.emplace_back(std::move(facts));
  }
  return {{"model", facts_of(report.model)},
          {"distance", report.distance},
          {"move", result.move},
          {"seed", report.seed},
          {"best_energy", result.best_energy()},
          {"seconds", result.seconds},
          {"seconds_to_best", result.seconds_to_best},
          {"reads", result.reads},
          {"sweeps", result.sweeps},
          {"longest_read", result.longest_read},
          {"beta_hot", result.hottest},
          {"beta_cold", result.coldest},
          {"reached_target", result.reached_target},
          {"interrupted", result.interrupted},
          {"states", std::move(states)},
          {"notes", report.notes}};
}

TextLines outcome_lines(const AnnealingReport& report) {
  const AnnealingResult& result = report.result;
  const Model& model = report.model;
  TextLines lines = {
      {"model", model_text(model.name(), model.sites(), model.couplings())},
      {"shell", "distance " + with_commas(report.distance)},
      {"move",
       result.move == "auto" ? "auto (single flips within one site of the shell)" : result.move},
      {"run", with_commas(result.reads) + (result.reads == 1 ? " read of " : " reads of at most ") +
                  with_commas(result.longest_read) + " sweeps from beta " +
                  significant(result.hottest, 4) + " to " + significant(result.coldest, 4) +
                  ", seed " + std::to_string(report.seed)},
      {"time",
       short_duration(result.seconds) + ", best after " + short_duration(result.seconds_to_best)},
      {"best energy", short_real(result.best_energy())},
  };
  if (lists_sites(model))
    lines.emplace_back("best state",
                       "ones at " + ones_text(result.states.front().bits, model.names()));
  if (report.has_target)
    lines.emplace_back("target", result.reached_target ? "reached" : "not reached");
  return lines;
}

TextRows state_rows(const AnnealingReport& report) {
  const std::vector<FoundState>& states = report.result.states;
  const bool lists = lists_sites(report.model);
  TextRows rows = {{"state", "energy"}};
  if (lists) rows.front().emplace_back("ones at");
  for (std::size_t k = 0; k < states.size(); ++k) {
    rows.push_back({std::to_string(k + 1), short_real(states[k].energy)});
    if (lists) rows.back().push_back(ones_text(states[k].bits, report.model.names(), 12));
  }
  return rows;
}

std::string to_text(const AnnealingReport& report, const TextLayout& layout) {
  std::string text = layout.key_values(outcome_lines(report));
  if (report.result.states.size() > 1) text += "\n" + layout.table(state_rows(report));
  return text + layout.notes(report.notes);
}

}  // namespace nhot
