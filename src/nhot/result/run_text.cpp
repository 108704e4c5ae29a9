// A report for people.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "nhot/base/options.hpp"
#include "nhot/base/types.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

std::string stop_text(const StopReport& stop, bool interrupted) {
  const std::string looks = with_commas(stop.looks) + (stop.looks == 1 ? " look" : " looks");
  if (stop.reached) return "when it had converged, after " + looks;
  return (interrupted ? "by an interrupt, after " : "at its limit, after ") + looks;
}

std::string site_table(const RunReport& report, const TextLayout& layout) {
  constexpr std::size_t most_rows = 20;
  const std::size_t sites = report.site_means.mean.size();
  std::string text = "\n" + layout.table(site_rows(report, most_rows));
  if (sites > most_rows)
    text += "  the " + std::to_string(most_rows) + " sites that are 1 most often, of " +
            with_commas(sites) + "\n";
  return text;
}

// Six digits, without zeros at the end.
std::string beta_text(double value) {
  std::ostringstream text;
  text << std::setprecision(6) << value;
  return text.str();
}

}  // namespace

bool lists_sites(const RunReport& report) {
  return !report.lattice && !report.best_state.bits.empty() &&
         report.best_state.bits.size() <= most_listed_sites;
}

std::string model_text(const std::string& name, std::uint64_t sites, std::uint64_t couplings) {
  return name + ": " + with_commas(sites) + " sites, " + with_commas(couplings) + " couplings";
}

TextLines problem_lines(const RunReport& report) {
  const RunRecord& run = report.run;
  return {
      {"model", model_text(run.model, run.sites, run.couplings)},
      {"shell", "distance " + with_commas(run.distance) + " from " + run.reference + ", beta " +
                    short_real(run.beta)},
      {"move", run.move},
      {"engine", run.engine},
      {"run", with_commas(run.chains) + (run.chains == 1 ? " chain of " : " chains of ") +
                  with_commas(run.moves) + " moves after " + with_commas(run.warmup) +
                  " of warm-up, seed " + std::to_string(run.seed)},
      {"time", short_duration(run.seconds) + ", " + significant(run.cpu_seconds, 3) +
                   " CPU seconds: " + significant(report.ns_per_step(), 3) + " ns per step, " +
                   significant(report.ns_per_move(), 3) + " ns per move" +
                   (std::isnan(report.move_share())
                        ? ""
                        : "; " + significant(100 * report.move_share(), 3) + "% in moves")},
  };
}

TextRows observable_rows(const RunReport& report) {
  TextRows rows = {{"observable", "mean", "sd", "mcse", "tau (moves)", "ESS bulk", "ESS tail",
                    "ESS/s", "R-hat"}};
  for (const ObservableReport& observable : report.observables) {
    ObservableSummary s = observable.summary;
    if (s.constant) s.sd = s.mcse = 0;  // up to rounding
    rows.push_back({observable.name, to_resolution(s.mean, s.mcse), to_resolution(s.sd, s.mcse),
                    significant(s.mcse, 2), significant(observable.tau_moves, 3),
                    significant(s.ess_bulk, 4), significant(s.ess_tail, 4),
                    significant(observable.ess_per_second, 3), significant(s.rhat, 4)});
  }
  return rows;
}

TextLines outcome_lines(const RunReport& report) {
  TextLines lines = {{"acceptance", significant(report.acceptance(), 4)},
                     {"changed", significant(report.run.changed, 4) + " of the moves"},
                     {"best energy", short_real(report.run.best_energy)}};
  if (lists_sites(report))
    lines.emplace_back("best draw", "energy " + short_real(report.best_state.energy) +
                                        ", ones at " +
                                        ones_text(report.best_state.bits, report.run.names));
  if (report.stop) lines.emplace_back("stopped", stop_text(*report.stop, report.run.interrupted));
  return lines;
}

TextRows site_rows(const RunReport& report, std::size_t most) {
  const SiteMeans& means = report.site_means;
  const Bits& best = report.best_state.bits;
  std::vector<std::size_t> order(means.mean.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return means.mean[a] > means.mean[b]; });
  TextRows rows = {{"site", "mean", "error", "best draw"}};
  for (std::size_t k = 0; k < std::min(most, order.size()); ++k) {
    const std::size_t i = order[k];
    rows.push_back({report.run.names[i], to_resolution(means.mean[i], means.error[i]),
                    significant(means.error[i], 2),
                    best.empty() ? "-"
                    : best[i]    ? "1"
                                 : "0"});
  }
  return rows;
}

TextRows ladder_rows(const LadderRecord& ladder, double target) {
  TextRows rows = {
      {"beta", "acceptance", "swap rate", "barrier", "round trips", "mean energy", "R-hat"}};
  constexpr std::ptrdiff_t after_swaps = 3;
  const bool clusters = !ladder.cluster_rate.empty();
  if (clusters) rows.front().insert(rows.front().begin() + after_swaps, "cluster rate");
  const auto at = [](const std::vector<double>& list, std::size_t k) {
    return k < list.size() ? list[k] : nan;
  };
  for (std::size_t k = 0; k < ladder.beta.size(); ++k) {
    rows.push_back({beta_text(ladder.beta[k]) + (ladder.beta[k] == target ? " *" : ""),
                    significant(at(ladder.acceptance, k), 3),
                    significant(at(ladder.swap_rate, k), 3), significant(at(ladder.barrier, k), 4),
                    with_commas(static_cast<unsigned long long>(at(ladder.round_trips, k))),
                    to_resolution(at(ladder.energy, k), at(ladder.energy_error, k)),
                    significant(at(ladder.energy_rhat, k), 4)});
    if (clusters)
      rows.back().insert(rows.back().begin() + after_swaps,
                         significant(at(ladder.cluster_rate, k), 3));
  }
  return rows;
}

std::string to_text(const RunReport& report, const TextLayout& layout) {
  std::string text = layout.key_values(problem_lines(report));
  text += "\n" + layout.table(observable_rows(report)) + "\n";
  TextLines lines = outcome_lines(report);
  lines.emplace_back("converged", report.verdict.converged ? "yes" : "no");
  text += layout.key_values(lines);
  for (const std::string& reason : report.verdict.reasons)
    text += "  - " + layout.wrap(reason, "    ") + "\n";
  if (!report.advice.empty()) text += "  " + layout.wrap(report.advice, "  ") + "\n";
  if (lists_sites(report)) text += site_table(report, layout);
  return text + layout.notes(report.notes);
}

}  // namespace nhot
