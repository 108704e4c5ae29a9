#include "nhot/result/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/result/auto_move.hpp"
#include "nhot/run/state_store.hpp"

namespace nhot {
namespace {

std::string milliseconds(double seconds) { return significant(1e3 * seconds, 3); }

// Nearly independent draws hide how fast the move is: thinning, not the move, limits the ESS. From
// tau = 3 draws on, that loses a few per cent. Observables other than the energy are measured where
// states are kept, which is further apart.
std::string too_coarse(const SamplerReport& sampler) {
  std::string names;
  const bool every_move = sampler.report.thin == 1 && sampler.result->stride == 1;
  for (const ObservableReport& one : sampler.report.observables)
    if (!every_move && one.summary.tau < 3 && one.summary.draws > 100)
      names += (names.empty() ? "" : ", ") + one.name;
  return names;
}

struct Ranked {
  const SamplerReport* sampler;
  double speed;  // effective draws per CPU second
};

std::string sentence(std::vector<Ranked> order, const std::string& of) {
  std::stable_sort(order.begin(), order.end(),
                   [](const Ranked& a, const Ranked& b) { return a.speed > b.speed; });
  std::string text =
      order[0].sampler->label + " gives the most effective draws of " + of + " per CPU second: ";
  for (std::size_t k = 1; k < order.size(); ++k)
    text += (k > 1 ? ", " : "") + significant(order[0].speed / order[k].speed, 3) + " times " +
            order[k].sampler->label;
  return text + ".";
}

// Effective draws per second of chains that disagree mean nothing, so only samplers whose chains
// agree are ranked: by their energy, and by the slowest of their observables.
std::vector<std::string> rank(const std::vector<const SamplerReport*>& shown) {
  constexpr double agreement = 1.1;
  std::vector<Ranked> by_energy;
  std::vector<Ranked> by_slowest;
  for (const SamplerReport* sampler : shown) {
    bool agree = true;
    double slowest = sampler->energy().ess_per_second;
    for (const ObservableReport& one : sampler->report.observables) {
      agree = agree && one.summary.rhat < agreement && one.ess_per_second > 0;
      slowest = std::min(slowest, one.ess_per_second);
    }
    if (sampler->energy().summary.rhat < agreement && sampler->energy().ess_per_second > 0)
      by_energy.push_back({sampler, sampler->energy().ess_per_second});
    if (agree) by_slowest.push_back({sampler, slowest});
  }
  if (by_energy.size() < 2)
    return {
        "The samplers cannot be ranked by effective draws: those of fewer than two of them "
        "agree from chain to chain (R-hat of the energy below 1.1)."};
  std::vector<std::string> sentences = {sentence(by_energy, "the energy")};
  if (by_slowest.size() > 1)
    sentences.push_back(sentence(by_slowest, "the observable that is slowest for it"));
  return sentences;
}

// The move as it was given, so that the table stays narrow; what it became is among the facts.
std::string label_of(const std::string& move, const std::vector<std::string>& earlier) {
  std::string label = move;
  int copy = 1;
  while (std::find(earlier.begin(), earlier.end(), label) != earlier.end())
    label = move + " (" + std::to_string(++copy) + ")";
  return label;
}

/// For "auto", a search as long as that of a run; by counts where no clock ends the comparison.
ChosenMove searched(const Model& model, const Shell& shell, double beta, const std::string& move,
                    const ComparisonPlan& plan, const ComparisonHooks& hooks) {
  if (move != "auto") return {move, std::nullopt};
  RunPlan run;
  run.moves = plan.first_moves;
  run.seconds = plan.seconds;
  run.chains = plan.chains;
  run.threads = plan.threads;
  TuningPlan search;
  search.seconds = std::max(0.05, tuning_seconds(model, shell, beta, run));
  search.threads = plan.threads;
  search.seed = plan.seed;
  search.start = plan.start;
  search.observables = plan.observables;
  search.objective = plan.seconds ? TuneObjective::time : TuneObjective::count;
  TuningHooks watched;
  watched.stop = hooks.stop;
  return choose_move(model, shell, beta, move, search, watched);
}

struct FoundMove {
  std::string move;
  std::string note;  // of a search
};

/// Searched once: a comparison that goes on compares what it began with.
FoundMove found_move(const Model& model, const Shell& shell, double beta, const std::string& move,
                     const ComparisonPlan& plan, const ComparisonHooks& hooks, std::size_t number) {
  FoundMove found;
  const std::string name = "move " + std::to_string(number);
  if (restore_values(hooks.store, name, found.move, found.note)) return found;
  const ChosenMove chosen = searched(model, shell, beta, move, plan, hooks);
  found.move = chosen.move;
  if (!chosen.tuning) return found;
  found.note = "auto is " + chosen.move + ", found by a search of " +
               short_duration(chosen.tuning->result.seconds);
  if (!(hooks.stop && hooks.stop())) save_values(hooks.store, name, found.move, found.note);
  return found;
}

}  // namespace

void judge_samplers(std::vector<SamplerReport>& samplers, std::uint64_t chains,
                    std::uint64_t seed) {
  for (SamplerReport& sampler : samplers) {
    const ContestantResult& result = *sampler.result;
    RunRecord record = record_of(*sampler.factory, chains, seed, result.run);
    sampler.report = make_report(std::move(record), result.run.trace, result.stride);
    sampler.report.notes = sampler.factory->notes();
    if (!sampler.factory->unreachable_reason().empty())
      sampler.report.notes.push_back(sampler.factory->unreachable_reason());
    const auto whole = [](const RunResult& run) {
      return static_cast<double>(run.moves + run.warmup_moves);
    };
    const double first = whole(samplers.front().result->run);
    sampler.attempts_per_move =
        first > 0 ? whole(result.run) / first : std::numeric_limits<double>::quiet_NaN();
    if (const std::string names = too_coarse(sampler); !names.empty())
      sampler.report.notes.push_back(
          "the kept draws of " + sampler.label +
          " are as far apart as the autocorrelation time of " + names +
          ": its ESS per second is a lower bound; a shorter run keeps them closer together");
  }
}

Facts facts_of(const SamplerReport& sampler) {
  const ObservableReport& energy = sampler.energy();
  Facts facts = facts_of(sampler.report);
  append(facts, {{"tau_seconds", energy.tau_seconds},
                 {"ess_per_second", energy.ess_per_second},
                 {"rhat", energy.summary.rhat},
                 {"attempts_per_move", sampler.attempts_per_move}});
  if (!std::isnan(sampler.from_reference))
    append(facts, {{"from_reference", sampler.from_reference},
                   {"errors_from_reference", sampler.errors_from_reference}});
  facts.emplace_back("warmup_cpu_seconds", sampler.result->warmup_cpu_seconds());
  return facts;
}

TextRows sampler_rows(const std::vector<SamplerReport>& samplers) {
  TextRows rows = {{"sampler", "moves/chain", "acceptance", "ns/move", "energy", "+-", "tau (ms)",
                    "ESS/s", "R-hat", "CPU s", "converged"}};
  const bool reference = std::any_of(samplers.begin(), samplers.end(), [](const SamplerReport& f) {
    return !std::isnan(f.from_reference);
  });
  constexpr std::ptrdiff_t after_error = 6;
  if (reference) rows.front().insert(rows.front().begin() + after_error, {"off by", "in errors"});
  for (const SamplerReport& sampler : samplers) {
    const RunReport& report = sampler.report;
    const ObservableReport& energy = sampler.energy();
    const ObservableSummary& s = energy.summary;
    rows.push_back({sampler.label, short_number(static_cast<double>(report.run.moves)),
                    significant(report.acceptance(), 3), significant(report.ns_per_move(), 3),
                    to_resolution(s.mean, s.mcse), significant(s.mcse, 2),
                    milliseconds(energy.tau_seconds), significant(energy.ess_per_second, 3),
                    significant(s.rhat, 4), significant(report.run.cpu_seconds, 3),
                    report.verdict.converged ? "yes" : "no"});
    if (reference)
      rows.back().insert(rows.back().begin() + after_error,
                         {to_resolution(sampler.from_reference, s.mcse),
                          significant(sampler.errors_from_reference, 2)});
  }
  return rows;
}

double energy_difference(const SamplerReport& a, const SamplerReport& b) {
  const ObservableSummary& x = a.energy().summary;
  const ObservableSummary& y = b.energy().summary;
  const double error = std::hypot(x.mcse, y.mcse);
  return error > 0 ? (x.mean - y.mean) / error : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> conclusions(const std::vector<SamplerReport>& samplers) {
  std::vector<const SamplerReport*> shown;
  for (const SamplerReport& sampler : samplers)
    if (sampler.in_figures) shown.push_back(&sampler);
  std::vector<std::string> sentences;
  if (shown.size() < 2) return sentences;

  sentences = rank(shown);
  const bool converged = std::all_of(shown.begin(), shown.end(), [](const SamplerReport* f) {
    return f->report.verdict.converged;
  });
  for (std::size_t k = 1; k < shown.size(); ++k) {
    const double z = energy_difference(*shown[0], *shown[k]);
    if (std::isnan(z)) continue;
    sentences.push_back("Mean energies of " + shown[0]->label + " and " + shown[k]->label +
                        " differ by " + significant(std::abs(z), 2) + " standard errors" +
                        (std::abs(z) < 4 ? "." : ": they have not seen the same states."));
  }
  if (!converged)
    sentences.emplace_back(
        "Where a sampler has not converged, its numbers describe the part of the shell that it "
        "saw: a low autocorrelation there is no merit.");
  return sentences;
}

CompareResult compare(const Model& model, const Shell& shell, double beta,
                      const std::vector<std::string>& moves, const ComparisonPlan& plan,
                      const ComparisonHooks& hooks) {
  CompareResult compared;
  std::vector<Contestant> contestants;
  std::vector<std::string> labels;
  for (const std::string& move : moves) {
    const FoundMove found = found_move(model, shell, beta, move, plan, hooks, labels.size());
    if (!found.note.empty()) compared.notes.push_back(found.note);
    compared.factories.push_back(std::make_unique<ChainFactory>(model, shell, found.move, beta));
    labels.push_back(label_of(move, labels));
    contestants.push_back({labels.back(), compared.factories.back().get(), 0});
  }
  if (plan.first_moves)
    contestants.front().moves = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(*plan.first_moves) / (1 - plan.warmup)));
  compared.results = run_comparison(contestants, plan, hooks);
  for (std::size_t k = 0; k < compared.results.size(); ++k)
    compared.samplers.push_back(
        {labels[k], labels[k], compared.factories[k].get(), &compared.results[k], true, {}, 1});
  judge_samplers(compared.samplers, plan.chains, plan.seed);
  compared.conclusions = conclusions(compared.samplers);
  for (const SamplerReport& sampler : compared.samplers)
    add_notes(compared.notes, sampler.report.notes);
  return compared;
}

Facts facts_of(const CompareResult& result) {
  Fact::List samplers;
  for (const SamplerReport& sampler : result.samplers) samplers.emplace_back(facts_of(sampler));
  return {{"results", std::move(samplers)},
          {"conclusions", result.conclusions},
          {"notes", result.notes}};
}

std::string to_text(const CompareResult& result, const TextLayout& layout) {
  const RunRecord& run = result.samplers.front().report.run;
  std::string text = run.model + ", distance " + with_commas(run.distance) + ", beta " +
                     short_real(run.beta) + ", " + with_commas(run.chains) +
                     (run.chains == 1 ? " chain" : " chains") + " per move\n\n";
  text += layout.table(sampler_rows(result.samplers)) + "\n";
  for (const SamplerReport& sampler : result.samplers) {
    if (sampler.report.verdict.converged) continue;
    text += layout.wrap(sampler.label + " has not converged:", "  ") + "\n";
    for (const std::string& reason : sampler.report.verdict.reasons)
      text += "  - " + layout.wrap(reason, "    ") + "\n";
  }
  for (const std::string& sentence : result.conclusions) text += layout.wrap(sentence, "") + "\n";
  return text + layout.notes(result.notes);
}

}  // namespace nhot
