// A report for people.
#include <algorithm>
#include <cmath>

#include "nhot/base/options.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

std::string observable_table(const std::vector<ObservableReport>& observables,
                             const TextLayout& layout) {
  std::vector<std::vector<std::string>> rows = {{"observable", "mean", "sd", "mcse", "tau (moves)",
                                                 "ESS bulk", "ESS tail", "ESS/s", "R-hat"}};
  for (const ObservableReport& observable : observables) {
    ObservableSummary s = observable.summary;
    if (s.constant) s.sd = s.mcse = 0;  // up to rounding
    rows.push_back({observable.name, to_resolution(s.mean, s.mcse), to_resolution(s.sd, s.mcse),
                    significant(s.mcse, 2), significant(observable.tau_moves, 3),
                    significant(s.ess_bulk, 4), significant(s.ess_tail, 4),
                    significant(observable.ess_per_second, 3), significant(s.rhat, 4)});
  }
  return layout.table(rows);
}

/// The sites that are 1 most often, with what the best draw has there.
std::string site_table(const RunReport& report, const TextLayout& layout) {
  constexpr std::size_t most_rows = 20;
  const SiteMeans& means = report.site_means;
  std::vector<std::size_t> order(means.mean.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return means.mean[a] > means.mean[b]; });
  std::vector<std::vector<std::string>> rows = {{"site", "mean", "error", "best draw"}};
  for (std::size_t k = 0; k < std::min(most_rows, order.size()); ++k) {
    const std::size_t i = order[k];
    rows.push_back({report.run.names[i], to_resolution(means.mean[i], means.error[i]),
                    significant(means.error[i], 2), report.best_state.bits[i] ? "1" : "0"});
  }
  std::string text = "\n" + layout.table(rows);
  if (order.size() > most_rows)
    text += "  the " + std::to_string(most_rows) + " sites that are 1 most often, of " +
            with_commas(order.size()) + "\n";
  return text;
}

std::string stop_text(const StopReport& stop, bool interrupted) {
  const std::string looks = with_commas(stop.looks) + (stop.looks == 1 ? " look" : " looks");
  if (stop.reached) return "when it had converged, after " + looks;
  return (interrupted ? "by an interrupt, after " : "at its limit, after ") + looks;
}

/// Lists of sites say something where sites are things to choose.
bool lists_sites(const RunReport& report) {
  return !report.lattice && !report.best_state.bits.empty() &&
         report.best_state.bits.size() <= most_listed_sites;
}

}  // namespace

std::string model_text(const std::string& name, std::uint64_t sites, std::uint64_t couplings) {
  return name + ": " + with_commas(sites) + " sites, " + with_commas(couplings) + " couplings";
}

std::string to_text(const RunReport& report, const TextLayout& layout) {
  const RunRecord& run = report.run;
  std::string text = layout.key_values({
      {"model", model_text(run.model, run.sites, run.couplings)},
      {run.last_distance ? "band" : "shell",
       "distance " + with_commas(run.distance) +
           (run.last_distance ? ".." + with_commas(*run.last_distance) : "") + " from " +
           run.reference + ", beta " + short_real(run.beta)},
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
  });
  text += "\n" + observable_table(report.observables, layout) + "\n";
  std::vector<std::pair<std::string, std::string>> lines = {
      {"acceptance", significant(report.acceptance(), 4)},
      {"changed", significant(run.changed, 4) + " of the moves"},
      {"best energy", short_real(run.best_energy)}};
  if (lists_sites(report))
    lines.emplace_back("best draw", "energy " + short_real(report.best_state.energy) +
                                        ", ones at " +
                                        ones_text(report.best_state.bits, run.names));
  if (report.stop) lines.emplace_back("stopped", stop_text(*report.stop, run.interrupted));
  lines.emplace_back("converged", report.verdict.converged ? "yes" : "no");
  text += layout.key_values(lines);
  for (const std::string& reason : report.verdict.reasons)
    text += "  - " + layout.wrap(reason, "    ") + "\n";
  if (!report.advice.empty()) text += "  " + layout.wrap(report.advice, "  ") + "\n";
  if (lists_sites(report)) text += site_table(report, layout);
  return text + layout.notes(report.notes);
}

}  // namespace nhot
