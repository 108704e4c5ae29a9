// A report as facts with names.
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

Facts facts_of(const GroupSpread& spread) {
  return {{"ratio", spread.ratio}, {"probability", spread.probability}};
}

Fact fact_of(const ChainComparison& c) {
  if (c.states == 0) return {};
  const auto pattern = [](const ObservableSummary& s) {
    return Facts{{"rhat", s.rhat}, {"ess_bulk", s.ess_bulk}};
  };
  return Facts{{"states", c.states},
               {"sites", facts_of(c.sites)},
               {"covariance", facts_of(c.covariance)},
               {"worst_site", Facts{{"site", c.worst_site.site},
                                    {"ratio", c.worst_site.ratio},
                                    {"probability", c.worst_site.probability},
                                    {"lowest_mean", c.worst_site.lowest},
                                    {"highest_mean", c.worst_site.highest}}},
               {"site_pattern", pattern(c.site_pattern)},
               {"covariance_pattern", pattern(c.covariance_pattern)}};
}

Fact fact_of(const WitnessComparison& w) {
  if (w.populations == 0) return {};
  return Facts{{"populations", w.populations},
               {"members", w.members},
               {"effective_populations", w.effective},
               {"energy", Facts{{"mean", w.energy}, {"mcse", w.energy_error}}},
               {"energy_probability", w.energy_probability},
               {"sites_probability", w.sites_probability},
               {"covariance_probability", w.covariance_probability},
               {"worst_site", Facts{{"site", w.worst_site.site},
                                    {"mean", w.worst_site.populations},
                                    {"chains_mean", w.worst_site.chains},
                                    {"probability", w.worst_site.probability}}}};
}

std::vector<std::string> all_names(const SiteNames& names) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < names.size(); ++i) list.push_back(names[i]);
  return list;
}

}  // namespace

Facts facts_of(const Model& model) {
  return {{"name", model.name()},
          {"kind", model.kind()},
          {"sites", model.sites()},
          {"couplings", model.couplings()},
          {"hash", model.hash()}};
}

Facts facts_of(const FoundState& state, const SiteNames& names) {
  std::vector<std::uint64_t> ones;
  std::vector<std::string> named;
  for (std::size_t i = 0; i < state.bits.size(); ++i) {
    if (!state.bits[i]) continue;
    ones.push_back(i);
    if (!names.empty()) named.push_back(names[i]);
  }
  Facts facts = {{"energy", state.energy}, {"ones", ones}};
  if (!names.empty()) facts.emplace_back("names", named);
  return facts;
}

Facts facts_of(const ObservableReport& observable) {
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

Facts facts_of(const RunReport& report) {
  const RunRecord& run = report.run;
  Facts observables;
  for (const ObservableReport& observable : report.observables)
    observables.emplace_back(observable.name, facts_of(observable));
  Facts facts = {
      {"model", Facts{{"name", run.model},
                      {"kind", run.kind},
                      {"sites", run.sites},
                      {"couplings", run.couplings},
                      {"hash", run.hash}}},
      {"distance",
       run.last_distance ? Fact(Fact::List{run.distance, *run.last_distance}) : Fact(run.distance)},
      {"reference", run.reference},
      {"beta", run.beta},
      {"move", run.move},
      {"engine", run.engine},
      {"chains", run.chains},
      {"seed", run.seed},
      {"moves", run.moves},
      {"warmup", run.warmup},
      {"thin", report.thin},
      {"draws", report.draws},
      {"seconds", run.seconds},
      {"cpu_seconds", run.cpu_seconds},
      {"move_share", report.move_share()},
      {"acceptance", report.acceptance()},
      {"changed", run.changed},
      {"steps", run.steps},
      {"ns_per_step", report.ns_per_step()},
      {"ns_per_move", report.ns_per_move()},
      {"best_energy", run.best_energy},
      {"converged", report.verdict.converged},
      {"reasons", report.verdict.reasons},
      {"advice", report.advice.empty() ? Fact() : Fact(report.advice)},
      {"times_longer", report.verdict.converged || report.advice.empty() || report.verdict.trapped
                           ? Fact()
                           : Fact(report.verdict.longer)},
      {"comparison", fact_of(report.comparison)},
      {"interrupted", run.interrupted},
      {"observables", std::move(observables)},
      {"notes", report.notes}};
  if (run.groups) facts.emplace_back("groups", facts_of(*run.groups));
  if (!report.best_state.bits.empty() && report.best_state.bits.size() <= most_listed_sites)
    facts.emplace_back("best_state", facts_of(report.best_state, run.names));
  if (!report.site_means.mean.empty() && report.site_means.mean.size() <= most_listed_sites) {
    Facts means = {{"mean", report.site_means.mean}, {"error", report.site_means.error}};
    if (!run.names.empty()) means.emplace_back("names", all_names(run.names));
    facts.emplace_back("site_means", std::move(means));
  }
  if (!report.shells.empty()) facts.emplace_back("shells", report.shells);
  if (report.stop)
    facts.emplace_back("stop", Facts{{"reached", report.stop->reached},
                                     {"looks", report.stop->looks},
                                     {"ess", report.stop->ess}});
  if (!report.tuning.empty()) facts.emplace_back("tuning", report.tuning);
  if (report.witness) facts.emplace_back("witness", fact_of(*report.witness));
  return facts;
}

}  // namespace nhot
