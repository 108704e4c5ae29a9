#include "contest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "progress.hpp"
#include "text_table.hpp"

namespace nhot::app {
namespace {

const ObservableReport& energy_of(const Finisher& finisher) {
  return finisher.report.observables.front();
}

std::string milliseconds(double seconds) { return significant(1e3 * seconds, 3); }

// Draws so far apart that they are nearly independent hide how fast the move is: what lies between
// them is lost. From about three draws in an autocorrelation time on, that is a few per cent.
bool too_coarse(const Finisher& finisher) {
  const ObservableSummary& s = energy_of(finisher).summary;
  return finisher.report.thin > 1 && s.tau < 3 && s.draws > 100;
}

// Effective draws per second of chains that disagree mean nothing, so only samplers whose chains
// agree are ranked.
std::string rank(const std::vector<const Finisher*>& shown) {
  constexpr double agreement = 1.1;
  std::vector<const Finisher*> order;
  for (const Finisher* finisher : shown)
    if (energy_of(*finisher).summary.rhat < agreement && energy_of(*finisher).ess_per_second > 0)
      order.push_back(finisher);
  if (order.size() < 2)
    return "The samplers cannot be ranked by effective draws: those of fewer than two of them "
           "agree "
           "from chain to chain (R-hat of the energy below 1.1).";
  const auto speed = [](const Finisher* f) { return energy_of(*f).ess_per_second; };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Finisher* a, const Finisher* b) { return speed(a) > speed(b); });
  std::string text =
      order[0]->label + " gives the most effective draws of the energy per CPU second: ";
  for (std::size_t k = 1; k < order.size(); ++k)
    text += (k > 1 ? ", " : "") + significant(speed(order[0]) / speed(order[k]), 3) + " times " +
            order[k]->label;
  return text + ".";
}

}  // namespace

void judge_finishers(std::vector<Finisher>& finishers, const RunPlan& plan,
                     const std::string& reference) {
  for (Finisher& finisher : finishers) {
    const ContestantResult& result = *finisher.result;
    finisher.report = make_report(record_of(*finisher.factory, plan, result.run, reference),
                                  result.run.trace, result.stride);
    finisher.report.notes = finisher.factory->notes();
    if (!finisher.factory->confined().empty())
      finisher.report.notes.push_back(finisher.factory->confined());
    const auto whole = [](const RunResult& run) {
      return static_cast<double>(run.moves + run.warmup_moves);
    };
    const double first = whole(finishers.front().result->run);
    finisher.attempts_per_move =
        first > 0 ? whole(result.run) / first : std::numeric_limits<double>::quiet_NaN();
    if (too_coarse(finisher))
      finisher.report.notes.push_back(
          "the kept draws of " + finisher.label +
          " are as far apart as its autocorrelation time: its ESS per second is a lower bound; a "
          "shorter run keeps them closer together");
  }
}

Json to_json(const Finisher& finisher) {
  const ObservableReport& energy = energy_of(finisher);
  Json json = app::to_json(finisher.report);
  json["tau_seconds"] = energy.tau_seconds;
  json["ess_per_second"] = energy.ess_per_second;
  json["rhat"] = energy.summary.rhat;
  json["attempts_per_move"] = finisher.attempts_per_move;
  if (!std::isnan(finisher.from_reference)) {
    json["from_reference"] = finisher.from_reference;
    json["errors_from_reference"] = finisher.errors_from_reference;
  }
  json["warmup_cpu_seconds"] = finisher.result->warmup_cpu_seconds();
  return json;
}

std::string finisher_table(const std::vector<Finisher>& finishers) {
  std::vector<std::vector<std::string>> rows = {{"sampler", "moves/chain", "acceptance", "ns/move",
                                                 "energy", "+-", "tau (ms)", "ESS/s", "R-hat",
                                                 "CPU s", "converged"}};
  const bool reference = std::any_of(finishers.begin(), finishers.end(), [](const Finisher& f) {
    return !std::isnan(f.from_reference);
  });
  constexpr std::ptrdiff_t after_error = 6;
  if (reference) rows.front().insert(rows.front().begin() + after_error, {"off by", "in errors"});
  for (const Finisher& finisher : finishers) {
    const RunReport& report = finisher.report;
    const ObservableReport& energy = energy_of(finisher);
    const ObservableSummary& s = energy.summary;
    rows.push_back({finisher.label, short_number(static_cast<double>(report.run.moves)),
                    significant(report.acceptance(), 3), significant(report.ns_per_move(), 3),
                    to_resolution(s.mean, s.mcse), significant(s.mcse, 2),
                    milliseconds(energy.tau_seconds), significant(energy.ess_per_second, 3),
                    significant(s.rhat, 4), significant(report.run.cpu_seconds, 3),
                    report.verdict.converged ? "yes" : "no"});
    if (reference)
      rows.back().insert(rows.back().begin() + after_error,
                         {to_resolution(finisher.from_reference, s.mcse),
                          significant(finisher.errors_from_reference, 2)});
  }
  return align(rows, "");
}

double energy_difference(const Finisher& a, const Finisher& b) {
  const ObservableSummary& x = energy_of(a).summary;
  const ObservableSummary& y = energy_of(b).summary;
  const double error = std::hypot(x.mcse, y.mcse);
  return error > 0 ? (x.mean - y.mean) / error : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> conclusions(const std::vector<Finisher>& finishers) {
  std::vector<const Finisher*> shown;
  for (const Finisher& finisher : finishers)
    if (finisher.in_figures) shown.push_back(&finisher);
  std::vector<std::string> sentences;
  if (shown.size() < 2) return sentences;

  if (const std::string ranking = rank(shown); !ranking.empty()) sentences.push_back(ranking);
  const bool converged = std::all_of(shown.begin(), shown.end(),
                                     [](const Finisher* f) { return f->report.verdict.converged; });
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

std::vector<SamplerPanel> panels(const std::vector<Finisher>& finishers) {
  std::vector<SamplerPanel> list;
  for (const Finisher& finisher : finishers)
    list.push_back(
        {finisher.key, finisher.label, finisher.result, to_json(finisher), finisher.in_figures});
  return list;
}

}  // namespace nhot::app
