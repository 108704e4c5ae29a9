#include "nhot/result/profile_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nhot/base/options.hpp"
#include "nhot/result/partition_report.hpp"
#include "nhot/result/run_report.hpp"

namespace nhot {
namespace {

/// log P(n) for log Z_n, and the mean of n.
struct CountLaw {
  std::vector<double> logs;
  double mean = 0;
};

CountLaw law_of(const std::vector<double>& log_z, ShellBand band, double beta_mu) {
  CountLaw law;
  for (std::size_t k = 0; k < log_z.size(); ++k)
    law.logs.push_back(log_z[k] +
                       beta_mu * (static_cast<double>(band.first) + static_cast<double>(k)));
  double largest = -std::numeric_limits<double>::infinity();
  for (const double log : law.logs) largest = std::max(largest, log);
  double sum = 0;
  for (const double log : law.logs) sum += std::exp(log - largest);
  const double total = largest + std::log(sum);
  for (std::size_t k = 0; k < law.logs.size(); ++k) {
    law.logs[k] -= total;
    law.mean += std::exp(law.logs[k]) * (static_cast<double>(band.first) + static_cast<double>(k));
  }
  return law;
}

std::string anchor_text(const ProfileResult& result, const BandFactory& factory) {
  if (factory.beta() == 0) return "exact numbers of states";
  const std::string first = std::to_string(factory.band().first);
  const std::string last = std::to_string(factory.band().last);
  if (result.ends.first && result.ends.last)
    return "n = " + first + " and n = " + last + ", one state each";
  if (result.ends.first) return "n = " + first + ", one state";
  if (result.ends.last) return "n = " + last + ", one state";
  return result.relative ? "" : "n = " + first + ", by populations cooled from beta 0";
}

Fact estimate_fact(double value) { return std::isfinite(value) ? Fact(value) : Fact(); }

/// `most` numbers of 0 .. size - 1, evenly spaced, with both ends.
std::vector<std::size_t> spread(std::size_t size, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t count = std::min(size, most);
  for (std::size_t k = 0; k < count; ++k)
    places.push_back(count < 2 ? 0 : k * (size - 1) / (count - 1));
  return places;
}

}  // namespace

ProfileReport make_report(const BandFactory& factory, const BandPlan& plan, double mu,
                          ProfileResult result) {
  const ShellBand band = factory.band();
  const double beta = factory.beta();
  ProfileReport report{factory.model(),
                       band,
                       beta,
                       mu,
                       factory.engine(),
                       plan.chains,
                       plan.seed,
                       anchor_text(result, factory),
                       {},
                       {},
                       result.estimate.closing,
                       std::move(result),
                       {}};
  const BandEstimate& estimate = report.result.estimate;
  const CountLaw law = law_of(estimate.log_z, band, beta * mu);
  std::vector<CountLaw> without;
  for (const auto& log_z : estimate.without) without.push_back(law_of(log_z, band, beta * mu));
  std::vector<double> values(without.size());
  for (std::size_t k = 0; k < band.shells(); ++k) {
    ProfileRow row;
    row.distance = std::uint64_t{band.first} + k;
    row.log_z = estimate.at(k);
    row.free_energy = beta > 0 ? LogEstimate{-row.log_z.value / beta, row.log_z.stderr_value / beta}
                               : LogEstimate{nan, nan};
    for (std::size_t c = 0; c < without.size(); ++c) values[c] = without[c].logs[k];
    row.log_share = {law.logs[k], error_over_chains(values, estimate.closing ? 1 : 0)};
    row.visits = report.result.visits[k];
    report.rows.push_back(row);
  }
  for (std::size_t c = 0; c < without.size(); ++c) values[c] = without[c].mean;
  report.mean_distance = {law.mean, error_over_chains(values, estimate.closing ? 1 : 0)};
  add_notes(report.notes, factory.notes());
  add_notes(report.notes, report.result.notes);
  if (beta == 0 && mu != 0)
    report.notes.emplace_back(
        "at beta 0 the chemical potential has no effect: P(n) ~ Z_n exp(beta mu n)");
  return report;
}

Facts facts_of(const ProfileReport& report) {
  const ProfileResult& result = report.result;
  Facts facts = {{"model", facts_of(report.model)},
                 {"band", Fact::List{report.band.first, report.band.last}},
                 {"beta", report.beta},
                 {"mu", report.mu},
                 {"engine", report.engine},
                 {"chains", report.chains},
                 {"seed", report.seed},
                 {"anchor", report.anchor.empty() ? Fact() : Fact(report.anchor)}};
  std::vector<std::pair<std::string, Fact::List>> columns;
  for (const char* name : {"distance", "log_z", "stderr", "free_energy", "free_energy_stderr",
                           "log_p", "log_p_stderr", "visits"})
    columns.emplace_back(name, Fact::List{});
  for (const ProfileRow& row : report.rows) {
    const Fact cells[] = {row.distance,
                          estimate_fact(row.log_z.value),
                          estimate_fact(row.log_z.stderr_value),
                          estimate_fact(row.free_energy.value),
                          estimate_fact(row.free_energy.stderr_value),
                          estimate_fact(row.log_share.value),
                          estimate_fact(row.log_share.stderr_value),
                          row.visits};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].second.push_back(cells[c]);
  }
  for (auto& [name, list] : columns) facts.emplace_back(name, std::move(list));
  facts.emplace_back("mean_distance",
                     Facts{{"value", estimate_fact(report.mean_distance.value)},
                           {"stderr", estimate_fact(report.mean_distance.stderr_value)}});
  if (report.closing)
    facts.emplace_back("closing", Facts{{"value", estimate_fact(report.closing->value)},
                                        {"stderr", estimate_fact(report.closing->stderr_value)}});
  append(facts, {{"round_trips", result.round_trips},
                 {"acceptance", result.acceptance},
                 {"moves", result.moves},
                 {"warmup", result.warmup},
                 {"seconds", result.seconds},
                 {"cpu_seconds", result.cpu_seconds},
                 {"interrupted", result.interrupted},
                 {"notes", report.notes}});
  return facts;
}

std::string to_text(const ProfileReport& report, const TextLayout& layout, std::size_t most_rows) {
  const ProfileResult& result = report.result;
  const Model& model = report.model;
  std::vector<std::pair<std::string, std::string>> lines = {
      {"model", model_text(model.name(), model.sites(), model.couplings())},
      {"band", "n = " + band_text(report.band) + ", beta " + short_real(report.beta) + ", mu " +
                   short_real(report.mu)},
      {"run", with_commas(report.chains) + " chains of " + with_commas(result.moves) +
                  " moves with frozen weights, after " + with_commas(result.warmup) +
                  " that learned them, " + short_duration(result.seconds)},
      {"round trips",
       short_real(result.round_trips) + ", acceptance " + significant(result.acceptance, 3)},
      {"log Z from",
       report.anchor.empty() ? "the first shell, where it counts as 0" : report.anchor}};
  if (report.closing)
    lines.emplace_back("closing", "the ratios miss the known difference of the two ends by " +
                                      plus_minus(*report.closing));
  lines.emplace_back("mean n", plus_minus(report.mean_distance));
  std::string text = layout.key_values(lines);
  const bool has_free_energy = report.beta > 0;
  std::vector<std::vector<std::string>> rows = {{"n", "log Z", "error"}};
  if (has_free_energy) {
    rows[0].emplace_back("F = -log Z / beta");
    rows[0].emplace_back("error");
  }
  for (const char* heading : {"log P(n)", "error"}) rows[0].emplace_back(heading);
  for (const std::size_t k : spread(report.rows.size(), most_rows)) {
    const ProfileRow& row = report.rows[k];
    std::vector<std::string> cells = {with_commas(row.distance)};
    const auto add = [&](const LogEstimate& estimate) {
      cells.push_back(estimate.stderr_value > 0
                          ? to_resolution(estimate.value, estimate.stderr_value)
                          : significant(estimate.value, 8));
      cells.push_back(significant(estimate.stderr_value, 2));
    };
    add(row.log_z);
    if (has_free_energy) add(row.free_energy);
    add(row.log_share);
    rows.push_back(std::move(cells));
  }
  text += "\n" + layout.table(rows);
  if (rows.size() <= report.rows.size())
    text += "  " + std::to_string(rows.size() - 1) + " of " + with_commas(report.rows.size()) +
            " shells\n";
  return text + layout.notes(report.notes);
}

}  // namespace nhot
