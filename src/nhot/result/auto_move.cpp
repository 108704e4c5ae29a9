#include "nhot/result/auto_move.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/run/method_options.hpp"
#include "nhot/run/thread_team.hpp"
#include "nhot/run/tune/move_cost.hpp"

namespace nhot {

namespace {

constexpr double shortest_search = 0.05;  // seconds, which nobody notices
constexpr double longest_search = 10;     // of runs that take days

}  // namespace

Facts search_facts(const ChosenMove& chosen) {
  if (!chosen.tuning) return {};
  Facts facts = facts_of(*chosen.tuning);
  std::erase_if(facts, [](const auto& fact) {
    return fact.first == "trials" || fact.first == "chosen" || fact.first == "surface" ||
           fact.first == "notes";
  });
  return facts;
}

void add_search_notes(const ChosenMove& chosen, std::vector<std::string>& notes) {
  if (!chosen.tuning) return;
  const TuningReport& search = *chosen.tuning;
  std::string text = "the move was found by a search of " + short_duration(search.result.seconds);
  if (const auto gain = search.result.gain_over("swap"); gain && gain->value > 0)
    text += ": " + significant(std::exp(gain->value), 3) + " times as fast as swap, to " +
            significant(100 * gain->error, 2) + "%";
  notes.insert(notes.begin(), search.notes.begin(), search.notes.end());
  notes.insert(notes.begin(), text + "; named as the move, it repeats this run without one");
}

RunPlan run_like(const TemperingPlan& plan) {
  RunPlan run;
  run.moves = plan.moves;
  run.seconds = plan.seconds;
  run.chains = plan.chains;
  run.threads = plan.threads;
  run.start = plan.start;
  run.observables = plan.observables;
  return run;
}

RunPlan run_like(const PartitionPlan& plan) {
  RunPlan run;
  run.seconds = plan.method == PartitionMethod::ti ? plan.seconds : 5;
  run.threads = plan.threads;
  return run;
}

double tuning_seconds(const Model& model, const Shell& shell, double beta, const RunPlan& run) {
  constexpr double share = 0.1;
  if (run.seconds) return std::min(share * *run.seconds, longest_search);
  const ChainFactory factory(model, shell, untuned_move, beta);
  constexpr double steps = 11;  // of a move, on average: twice the mean length
  const MoveCost cost = move_cost(factory);
  const double seconds = static_cast<double>(*run.moves) * static_cast<double>(run.chains) *
                         (cost.per_move + steps * cost.per_step) /
                         static_cast<double>(threads_for(run.threads, run.chains));
  return std::min(share * seconds, longest_search);
}

ChosenMove choose_move(const Model& model, const Shell& shell, double beta, const std::string& text,
                       const TuningPlan& plan, const TuningHooks& hooks) {
  if (text != "auto") return {text, std::nullopt};
  TuningReport report = make_report(plan, run_tuning(model, shell, beta, plan, hooks));
  std::string move = report.result.move;
  return {std::move(move), std::move(report)};
}

ChosenMove choose_move(const Model& model, const Shell& shell, double beta,
                       const OptionValues& values, const RunPlan& run, const TuningHooks& hooks) {
  const std::string& text = values.text("move");
  // What cools a model passes temperatures at which the swap is accepted often, and on an RBM it
  // costs a small part of a walk.
  if (text == untuned_move && !values.was_set("move") && model.rbm()) return {"swap", std::nullopt};
  if (text != "auto") return {text, std::nullopt};
  const double seconds = tuning_seconds(model, shell, beta, run);
  if (!values.was_set("move") && (seconds < shortest_search || model.custom()))
    return {untuned_move, std::nullopt};
  TuningPlan plan = tuning_plan_for(values, std::max(seconds, shortest_search));
  plan.start = run.start;
  plan.observables = run.observables;
  return choose_move(model, shell, beta, text, plan, hooks);
}

}  // namespace nhot
