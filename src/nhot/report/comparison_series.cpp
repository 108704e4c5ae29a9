#include "nhot/report/comparison_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nhot/report/figures.hpp"
#include "nhot/report/pictures.hpp"

namespace nhot {
namespace {

constexpr std::size_t time_points = 360;
constexpr std::size_t lag_points = 220;
constexpr std::size_t overlap_bins = 48;
constexpr int energy_digits = 7;
constexpr std::size_t pictured_filters = 48;

double end_of(const ContestantResult& result) {
  const std::size_t draws = result.warmup_draws() + result.run.trace.draws();
  double end = 0;
  for (std::size_t c = 0; draws > 0 && c < result.stamps.size(); ++c)
    end = std::max(end, result.draw_seconds(c, draws - 1));
  return end;
}

double first_draw(const ContestantResult& result) {
  double first = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < result.stamps.size(); ++c)
    if (result.warmup_draws() + result.run.trace.draws() > 0)
      first = std::min(first, result.draw_seconds(c, 0));
  return first;
}

// CPU time of a chain between two draws.
double spacing(const ContestantResult& result) {
  const RunResult& run = result.run;
  const double moves =
      static_cast<double>(run.moves) * static_cast<double>(run.trace.chains.size());
  return moves > 0 ? run.cpu_seconds / moves * static_cast<double>(run.trace.thin) : 0;
}

// 5 tau of the slowest sampler, but at most a quarter of its chains.
double longest_lag(const std::vector<SamplerReport>& samplers) {
  double lag = 0;
  double shortest_draw = std::numeric_limits<double>::infinity();
  for (const SamplerReport& sampler : samplers) {
    if (!sampler.in_figures) continue;
    shortest_draw = std::min(shortest_draw, std::max(spacing(*sampler.result), 1e-9));
    const double tau = sampler.energy().tau_seconds;
    const double chain_seconds =
        spacing(*sampler.result) * static_cast<double>(sampler.result->run.trace.draws());
    if (std::isfinite(tau)) lag = std::max(lag, std::min(5 * tau, chain_seconds / 4));
  }
  return std::max(lag, 8 * (std::isfinite(shortest_draw) ? shortest_draw : 1e-6));
}

Json series_of(const SamplerReport& sampler, const std::vector<double>& times,
               const std::vector<double>& lags) {
  const ContestantResult& result = *sampler.result;
  Json series;
  const Band energy = energy_against_time(result, times);
  series["energy"] = {
      {"mean", rounded(energy.mean, energy_digits)},
      {"sd", rounded(energy.sd, 4)},
      {"first_trial", result.stamps.empty()
                          ? Json::array()
                          : rounded(energy_of_chain(result, 0, times), energy_digits)}};
  const Band rho = autocorrelation_against_time(result, lags);
  series["autocorrelation"] = {{"mean", rounded(rho.mean, 4)}, {"sd", rounded(rho.sd, 3)}};
  const EssGrowth growth = ess_growth(energies(result.run.trace), 12);
  std::vector<double> cpu;
  for (const std::size_t draws : growth.draws)
    cpu.push_back(static_cast<double>(draws) * spacing(result) *
                  static_cast<double>(result.run.trace.chains.size()));
  series["ess_growth"] = {{"cpu_seconds", rounded(cpu)},
                          {"bulk", rounded(growth.bulk)},
                          {"tail", rounded(growth.tail)}};
  Json lengths = Json::array();
  for (const LengthRate& rate : acceptance_by_length(result.run.trace, 40))
    lengths.push_back({rate.first, rate.last, rate.tried, rate.accepted});
  series["acceptance_by_length"] = lengths;
  series["chain_means"] = Json::array();
  for (const ChainColumns& chain : result.run.trace.chains) {
    double sum = 0;
    for (const double value : chain.energy) sum += value;
    series["chain_means"].push_back(
        rounded(sum / std::max<double>(1, static_cast<double>(chain.draws())), energy_digits));
  }
  const OverlapDensity overlap = overlap_density(result.run.trace.states, overlap_bins);
  series["overlap"] = {{"centre", rounded(overlap.centre, 4)},
                       {"between", rounded(overlap.between, 4)},
                       {"within", rounded(overlap.within, 4)},
                       {"between_mean", rounded(overlap.between_mean)},
                       {"within_mean", rounded(overlap.within_mean)}};
  return series;
}

}  // namespace

Json comparison_series(const Model& model, const std::vector<SamplerReport>& samplers) {
  double first = std::numeric_limits<double>::infinity();
  double end = 0;
  for (const SamplerReport& sampler : samplers) {
    if (!sampler.in_figures) continue;
    first = std::min(first, first_draw(*sampler.result));
    end = std::max(end, end_of(*sampler.result));
  }
  const std::vector<double> times = two_way_grid(std::max(first, end * 1e-5), end, time_points);
  const double lag = longest_lag(samplers);
  std::vector<double> lags = two_way_grid(lag * 1e-3, lag, lag_points);
  lags.insert(lags.begin(), 0.0);

  Json json;
  json["time_seconds"] = rounded(times);
  json["lag_seconds"] = rounded(lags);
  Json& list = json["samplers"] = Json::object();
  for (const SamplerReport& sampler : samplers) {
    Json& entry = list[sampler.key] = {{"label", sampler.label}};
    entry.update(to_json(facts_of(sampler)));
    entry["in_figures"] = sampler.in_figures;
    if (sampler.in_figures) entry["series"] = series_of(sampler, times, lags);
  }

  const Json layout = site_layout(model);
  if (!layout.is_null()) {
    Json states = Json::object();
    for (const SamplerReport& sampler : samplers) {
      const auto& kept = sampler.result->run.trace.states;
      if (sampler.in_figures && !kept.empty() && !kept.front().empty())
        states[sampler.key] = packed_bits(kept.front().back());
    }
    json["picture"] = {{"layout", layout}, {"states", states}};
    if (model.rbm())
      json["picture"]["filters"] = packed_filters(first_filters(model, pictured_filters));
  }
  return json;
}

}  // namespace nhot
