#include "sample_report.hpp"

#include <cmath>

#include "nhot/base/options.hpp"
#include "progress.hpp"
#include "text_table.hpp"

namespace nhot::app {

Json to_json(const GroupSpread& spread) {
  return {{"ratio", spread.ratio}, {"probability", spread.probability}};
}

Json to_json(const ChainComparison& c) {
  if (c.states == 0) return nullptr;
  const auto pattern = [](const ObservableSummary& s) {
    return Json{{"rhat", s.rhat}, {"ess_bulk", s.ess_bulk}};
  };
  return {{"states", c.states},
          {"sites", to_json(c.sites)},
          {"covariance", to_json(c.covariance)},
          {"worst_site",
           {{"site", c.worst_site.site},
            {"ratio", c.worst_site.ratio},
            {"probability", c.worst_site.probability},
            {"lowest_mean", c.worst_site.lowest},
            {"highest_mean", c.worst_site.highest}}},
          {"site_pattern", pattern(c.site_pattern)},
          {"covariance_pattern", pattern(c.covariance_pattern)}};
}

Json to_json(const WitnessComparison& w) {
  if (w.populations == 0) return nullptr;
  return {{"populations", w.populations},
          {"members", w.members},
          {"effective_populations", w.effective},
          {"energy", {{"mean", w.energy}, {"mcse", w.energy_error}}},
          {"energy_probability", w.energy_probability},
          {"sites_probability", w.sites_probability},
          {"covariance_probability", w.covariance_probability},
          {"worst_site",
           {{"site", w.worst_site.site},
            {"mean", w.worst_site.populations},
            {"chains_mean", w.worst_site.chains},
            {"probability", w.worst_site.probability}}}};
}

Json to_json(const ObservableReport& observable) {
  const ObservableSummary& s = observable.summary;
  return {{"mean", s.mean},
          {"sd", s.sd},
          {"mcse", s.mcse},
          {"tau_moves", observable.tau_moves},
          {"tau_seconds", observable.tau_seconds},
          {"ess_bulk", s.ess_bulk},
          {"ess_tail", s.ess_tail},
          {"ess_per_second", observable.ess_per_second},
          {"rhat", s.rhat}};
}

Json to_json(const RunReport& report) {
  const RunRecord& run = report.run;
  Json json;
  json["model"] = {{"name", run.model},
                   {"kind", run.kind},
                   {"sites", run.sites},
                   {"couplings", run.couplings},
                   {"hash", run.hash}};
  json["distance"] = run.distance;
  json["reference"] = run.reference;
  json["beta"] = run.beta;
  json["move"] = run.move;
  json["engine"] = run.engine;
  json["chains"] = run.chains;
  json["seed"] = run.seed;
  json["moves"] = run.moves;
  json["warmup"] = run.warmup;
  json["thin"] = report.thin;
  json["draws"] = report.draws;
  json["seconds"] = run.seconds;
  json["cpu_seconds"] = run.cpu_seconds;
  json["move_share"] = report.move_share();
  json["acceptance"] = report.acceptance();
  json["changed"] = run.changed;
  json["steps"] = run.steps;
  json["ns_per_step"] = report.ns_per_step();
  json["ns_per_move"] = report.ns_per_move();
  json["best_energy"] = run.best_energy;
  json["converged"] = report.verdict.converged;
  json["reasons"] = report.verdict.reasons;
  json["comparison"] = to_json(report.comparison);
  json["interrupted"] = run.interrupted;
  json["observables"] = Json::object();
  for (const ObservableReport& observable : report.observables)
    json["observables"][observable.name] = to_json(observable);
  json["notes"] = report.notes;
  return json;
}

std::string observable_table(const std::vector<ObservableReport>& observables) {
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
  return align(rows, "");
}

std::string to_text(const RunReport& report) {
  const RunRecord& run = report.run;
  std::string text = key_values({
      {"model", run.model + ": " + with_commas(run.sites) + " sites, " +
                    with_commas(run.couplings) + " couplings"},
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
  });
  text += "\n" + observable_table(report.observables) + "\n";
  text += key_values({{"acceptance", significant(report.acceptance(), 4)},
                      {"changed", significant(run.changed, 4) + " of the moves"},
                      {"best energy", short_real(run.best_energy)},
                      {"converged", report.verdict.converged ? "yes" : "no"}});
  for (const std::string& reason : report.verdict.reasons)
    text += "  - " + wrap(reason, "    ") + "\n";
  for (const std::string& note : report.notes) text += "note: " + wrap(note, "      ") + "\n";
  return text;
}

}  // namespace nhot::app
