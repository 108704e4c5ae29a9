#include "nhot/report/run_series.hpp"

#include <algorithm>
#include <cmath>

#include "nhot/report/figures.hpp"
#include "nhot/report/histogram.hpp"
#include "nhot/report/plain_parts.hpp"
#include "nhot/report/states_data.hpp"
#include "nhot/result/found_states.hpp"

namespace nhot {
namespace {

constexpr std::size_t trace_buckets = 300;
constexpr std::size_t warmup_buckets = 60;
constexpr std::size_t shown_chains = 10;
constexpr std::size_t acf_points = 160;
constexpr std::size_t rank_bins = 20;
constexpr std::size_t shown_best = 10;      // states
constexpr std::size_t shown_sites = 1'000;  // in bars
constexpr int value_digits = 7;

// Series cut into buckets of equal length; of each bucket its lowest and highest value stay, in the
// order in which they came.
struct Skeleton {
  std::vector<double> x;                     // moves, two per bucket
  std::vector<std::vector<double>> columns;  // by chain
};

void add_buckets(Skeleton& skeleton, const ChainsView& chains, std::size_t buckets, double thin,
                 double offset) {
  const std::size_t draws = chains.draws();
  const std::size_t count = std::min(buckets, draws);
  const std::size_t shown = std::min(shown_chains, chains.chains());
  skeleton.columns.resize(shown);
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t begin = draws * b / count;
    const std::size_t end = draws * (b + 1) / count;
    const bool single = end - begin == 1;
    skeleton.x.push_back(offset + thin * static_cast<double>(begin + 1));
    const std::size_t middle = (begin + end) / 2;
    if (!single) skeleton.x.push_back(offset + thin * static_cast<double>(middle + 1));
    for (std::size_t c = 0; c < shown; ++c) {
      const auto part = chains[c].subspan(begin, end - begin);
      const auto [low, high] = std::minmax_element(part.begin(), part.end());
      skeleton.columns[c].push_back(low < high ? *low : *high);
      if (!single) skeleton.columns[c].push_back(low < high ? *high : *low);
    }
  }
}

Json trace_json(const ChainsView& warmup, const ChainsView& chains, double warm_thin, double thin) {
  Skeleton skeleton;
  if (warmup.chains() == chains.chains() && warmup.draws() > 0)
    add_buckets(skeleton, warmup, warmup_buckets, warm_thin,
                -warm_thin * static_cast<double>(warmup.draws()));
  add_buckets(skeleton, chains, trace_buckets, thin, 0);
  Json columns = Json::array();
  for (const auto& column : skeleton.columns) columns.push_back(rounded(column, value_digits));
  return {{"moves", rounded(skeleton.x, value_digits)}, {"chains", columns}};
}

Json observable_json(const ObservableReport& observable, bool per_pair, const ChainsView& warmup,
                     const ChainsView& chains, double warm_thin, double thin) {
  Json json = {{"name", observable.name},
               {"help", observable.help},
               {"per_pair", per_pair},
               {"summary", to_json(facts_of(observable))}};
  json["trace"] = trace_json(warmup, chains, warm_thin, thin);

  Json ranks = Json::array();
  for (const auto& counts : rank_histograms(chains, rank_bins)) {
    if (ranks.size() == shown_chains) break;
    ranks.push_back(rounded(counts));
  }
  json["ranks"] = {{"bins", rank_bins},
                   {"draws", chains.draws()},
                   {"total", chains.chains()},
                   {"chains", ranks}};

  const double tau = observable.tau_moves;
  const double in_draws = std::isfinite(tau) ? tau / thin : 1;
  const std::size_t reach =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(6 * in_draws)), 20,
                              std::max<std::size_t>(20, chains.draws() / 2));
  const std::size_t step = (reach + acf_points - 1) / acf_points;
  const std::size_t lags = std::min(reach / step + 1, (chains.draws() + step - 1) / step);
  const Band band = autocorrelation_band(chains, lags, step);
  std::vector<double> lag_moves;
  for (std::size_t k = 0; k < lags; ++k) lag_moves.push_back(thin * static_cast<double>(k * step));
  json["autocorrelation"] = {{"lag_moves", rounded(lag_moves, value_digits)},
                             {"mean", rounded(band.mean, 4)},
                             {"sd", rounded(band.sd, 3)}};

  const EssGrowth growth = ess_growth(chains, 16);
  std::vector<double> moves;
  for (const std::size_t draws : growth.draws) moves.push_back(thin * static_cast<double>(draws));
  json["ess_growth"] = {{"moves", rounded(moves, value_digits)},
                        {"bulk", rounded(growth.bulk)},
                        {"tail", rounded(growth.tail)}};
  return json;
}

/// What the text of the report says, and what a page adds: the best of the kept states.
Json text_of(const StoredRun& run, const RunReport& report) {
  Json text;
  text["problem"] = lines_part(problem_lines(report));
  text["verdict"] = verdict_part(report.verdict, "", report.advice);
  text["observables"] = table_part(observable_rows(report));
  text["outcome"] = lines_part(outcome_lines(report));
  const LadderRecord& ladder = report.run.ladder;
  if (!ladder.beta.empty())
    text["ladder"] =
        table_part(ladder_rows(ladder, report.run.beta), "Temperatures", ladder_legend);
  const bool lists = lists_sites(report);
  const auto best = best_kept_states(run.trace, report.best_state, shown_best);
  if (!best.empty())
    text["best_states"] =
        table_part(state_rows(best, report.run.names, lists), "Best states",
                   "Distinct states among those that the run has kept, by energy, and their "
                   "shares. The lowest energy of all may have come between them.");
  if (lists && !report.site_means.mean.empty()) {
    const TextRows rows = site_rows(report, shown_sites);
    text["sites"] =
        table_part(rows, "Inclusion probabilities",
                   report.site_means.mean.size() > shown_sites
                       ? "The " + with_commas(shown_sites) + " sites that are 1 most often, of " +
                             with_commas(report.site_means.mean.size()) + "."
                       : "");
  }
  if (!report.notes.empty()) text["notes"] = sentences_part(report.notes);
  return text;
}

/// Energies of all chains, in bins.
Json histogram_json(const Histogram& histogram) {
  return {{"edges", rounded(histogram.edges, 12)}, {"share", rounded(histogram.share, 4)}};
}

Json ladder_json(const LadderRecord& ladder) {
  return {{"beta", rounded(ladder.beta, value_digits)},
          {"acceptance", rounded(ladder.acceptance)},
          {"swap_rate", rounded(ladder.swap_rate)},
          {"barrier", rounded(ladder.barrier)},
          {"round_trips", rounded(ladder.round_trips, 15)},
          {"energy", rounded(ladder.energy, value_digits)},
          {"energy_error", rounded(ladder.energy_error, 3)}};
}

}  // namespace

Json run_series(const StoredRun& run, const RunReport& report) {
  Json json = to_json(facts_of(report));
  for (const char* name : {"site_means", "best_state"}) json.erase(name);  // long
  json["finished"] = run.finished;
  const auto thin = static_cast<double>(run.trace.thin);
  const auto warm_thin = static_cast<double>(run.warmup.thin);
  Json series = Json::array();
  for (const ObservableReport& observable : report.observables) {
    const auto column = [&](const Trace& trace) -> const ObservableColumn* {
      for (const ObservableColumn& found : trace.observables)
        if (found.name == observable.name) return &found;
      return nullptr;
    };
    const ObservableColumn* draws = column(run.trace);
    const ObservableColumn* warmup = column(run.warmup);
    const bool energy = &observable == &report.observables.front();
    if (energy)
      series.push_back(observable_json(observable, false, energies(run.warmup), energies(run.trace),
                                       warm_thin, thin));
    else if (draws)
      series.push_back(observable_json(observable, draws->per_pair,
                                       warmup ? ChainsView(warmup->series) : ChainsView(),
                                       ChainsView(draws->series), warm_thin, thin));
  }
  json["series"] = series;
  Json lengths = Json::array();
  for (const LengthRate& rate : acceptance_by_length(run.trace, 40))
    lengths.push_back({rate.first, rate.last, rate.tried, rate.accepted});
  json["acceptance_by_length"] = lengths;
  json["histogram"] = histogram_json(histogram_of(energies(run.trace)));
  if (!report.run.ladder.beta.empty()) json["ladder"] = ladder_json(report.run.ladder);
  json["picture"] = run_picture(run, report);
  json["text"] = text_of(run, report);
  Json options = Json::object();
  for (const auto& [key, value] : run.metadata) options[key] = value;
  json["options"] = options;
  return json;
}

}  // namespace nhot
